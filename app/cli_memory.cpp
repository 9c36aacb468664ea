// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli_memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <vector>

#include "app/cli_commands.h"
#include "app/cli_format.h"
#include "engine/base/saying.h"
#include "profiler/files/files.h"
#include "profiler/files/input_error.h"

#ifdef FUSEBENCH_WITHOUT_TRACES

namespace fusebench::cli {

bool isMemorySnapshot(const std::string&) {
  return false;
}
int analyzeMemory(const std::string&, bool, const std::string&) {
  return kWrongInput;  // isMemorySnapshot() says that there is none
}

}  // namespace fusebench::cli

#else

#include "profiler/trace/memory_use.h"
#include "profiler/trace/trace_counters.h"

namespace fusebench::cli {
namespace {

constexpr std::size_t kTopPlaces = 20;

std::string wholeBytesText(std::int64_t bytes) {
  return valueText(static_cast<double>(bytes), "bytes");
}

std::string memoryText(const MemoryUse& use) {
  std::string text = "\n" + wrapped(peakSentence(use)) + wrapped(fragmentationSentence(use));
  if (const std::string missing = historySentence(use); !missing.empty()) text += wrapped(missing);
  if (use.failures > 0) text += saying("failed allocations: {}\n", use.failures);
  if (use.held.empty()) return text;
  Table table({head("bytes"), head("share"), saying("blocks"), saying("allocated by")});
  table.leftFrom(3);
  for (std::size_t i = 0; i < use.held.size() && i < kTopPlaces; ++i) {
    const HeldMemory& one = use.held[i];
    const double share = static_cast<double>(one.bytes) /
                         static_cast<double>(std::max<std::int64_t>(1, use.peakAllocated));
    table.add({wholeBytesText(one.bytes), fmt::format("{:.1f}%", 100 * share),
               std::to_string(one.blocks), siteText(one)});
  }
  text += saying("\nAllocated at the peak\n") + table.text();
  if (use.held.size() > kTopPlaces) text += saying("and {} more\n", use.held.size() - kTopPlaces);
  return text;
}

}  // namespace

bool isMemorySnapshot(const std::string& path) {
  if (looksLikePickle(path)) throw InputError(pickleRefusal(path));
  return looksLikeMemorySnapshot(path);
}

int analyzeMemory(const std::string& path, bool json, const std::string& csv) {
  const MemorySnapshot snapshot = readMemorySnapshot(path);
  std::vector<MemoryUse> uses;
  for (const MemoryDevice& device : snapshot.devices) uses.push_back(memoryUseOf(snapshot, device));
  if (!csv.empty()) {
    std::error_code ignored;
    std::filesystem::create_directories(csv, ignored);
    writeFile((std::filesystem::path(csv) / "held_memory.csv").string(),
              heldMemoryCsv(snapshot, uses));
  }
  if (json) {
    printJson(memoryJson(snapshot, uses));
    return kDone;
  }
  std::size_t events = 0;
  for (const MemoryUse& use : uses) events += use.events;
  std::string text = saying("{}: memory snapshot of PyTorch, {} events over {}\n", snapshot.title,
                            events, timeText(static_cast<double>(snapshot.length())));
  if (snapshot.malformed > 0)
    text += saying("{} events are invalid and left out\n", snapshot.malformed);
  for (const MemoryUse& use : uses) text += memoryText(use);
  printOut(text);
  return kDone;
}

}  // namespace fusebench::cli

#endif

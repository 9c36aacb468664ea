// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/trace/trace_import.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <limits>
#include <map>
#include <new>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "engine/base/saying.h"
#include "profiler/files/byte_source.h"
#include "profiler/files/input_error.h"
#include "profiler/files/json_text.h"
#include "profiler/trace/chrome_events.h"
#include "profiler/trace/memory_use.h"
#include "profiler/trace/perfetto_packets.h"
#include "profiler/trace/trace_scanner.h"
#include "profiler/trace/utf8_text.h"

namespace fusebench {
namespace {

constexpr std::size_t kSniffed = std::size_t{1} << 16;
constexpr std::string_view kSqlite = "SQLite format 3";
/// What rocprofv3 writes as JSON: its own form, without traceEvents.
constexpr std::string_view kRocprofJson = "\"rocprofiler-sdk-tool\"";
/// A file may be damaged after its begin: then what comes before is enough to know it by.
constexpr unsigned kSniffedAtOnce = 1u << 10;
constexpr double kReading = 0.8;  ///< share of the work; the rest is laying out

/// The begin of a file, unpacked.
std::string beginOf(const std::string& path) {
  ByteSource source(path, kSniffedAtOnce);
  std::string text(kSniffed, '\0');
  text.resize(source.read(text.data(), text.size()));
  return text;
}

bool isPacked(const std::string& path) {
  constexpr char kGzip[] = {'\x1f', '\x8b'};
  char first[2] = {};
  std::ifstream file(path, std::ios::binary);
  file.exceptions(std::ios::badbit);  // as where memory for reading is short
  return file.read(first, sizeof first) && std::ranges::equal(first, kGzip);
}

void takeParts(const nlohmann::json& parts, TraceBuilder& builder) {
  if (!parts.is_array()) return;
  for (const nlohmann::json& part : parts)
    if (part.is_object() && part.contains("name") && part["name"].is_string() &&
        part.contains("processes") && part["processes"].is_array()) {
      TracePart taken{part["name"].get<std::string>(), {}};
      for (const nlohmann::json& process : part["processes"])
        if (process.is_number_integer()) taken.processes.push_back(process.get<std::int64_t>());
      builder.addPart(std::move(taken));
    }
}

/// The devices' names, and what each can hold.
void takeDevices(const nlohmann::json& devices, TraceBuilder& builder) {
  constexpr std::size_t kMostDevices = 1024;
  if (!devices.is_array() || devices.size() > kMostDevices) return;
  std::vector<std::string> models;
  for (const nlohmann::json& device : devices) {
    if (!device.is_object()) continue;
    if (device.contains("name") && device["name"].is_string())
      models.push_back(device["name"].get<std::string>());
    const auto number = [&](const char* key) -> std::int64_t {
      const auto found = device.find(key);
      constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
      if (found == device.end() || !found->is_number_integer()) return -1;
      const auto value = found->get<std::int64_t>();
      return value > kMost ? -1 : value;
    };
    const std::int64_t id = number("id"), major = number("computeMajor"),
                       minor = number("computeMinor"),
                       threads = number("maxThreadsPerMultiprocessor"),
                       registers = number("regsPerMultiprocessor"),
                       shared = number("sharedMemPerMultiprocessor");
    if (std::min({id, major, minor, threads, registers, shared}) < 0) continue;
    builder.addLimits({.device = static_cast<std::int32_t>(id),
                       .generation = static_cast<std::int32_t>(major),
                       .revision = static_cast<std::int32_t>(minor),
                       .threads = static_cast<std::uint32_t>(threads),
                       .registers = static_cast<std::uint32_t>(registers),
                       .sharedBytes = static_cast<std::uint32_t>(shared)});
  }
  builder.setDevices(models);
}

void takeMembers(const std::map<std::string, std::string>& members, TraceBuilder& builder) {
  if (const auto base = members.find("baseTimeNanoseconds"); base != members.end()) try {
      builder.setOrigin(std::stoll(base->second));
    } catch (const std::exception&) {
      ++builder.losses().malformed;
    }
  if (const auto devices = members.find("deviceProperties"); devices != members.end())
    takeDevices(jsonOf(validUtf8(devices->second)), builder);
  if (const auto group = members.find("distributedInfo"); group != members.end()) {
    constexpr std::int64_t kMostRank = 1 << 24;
    const auto parsed = jsonOf(validUtf8(group->second));
    if (parsed.is_object() && parsed.contains("rank") && parsed["rank"].is_number_integer())
      if (const auto rank = parsed["rank"].get<std::int64_t>(); rank >= 0 && rank < kMostRank)
        builder.setRank(static_cast<int>(rank));
  }
  if (const auto parts = members.find("parts"); parts != members.end())
    takeParts(jsonOf(validUtf8(parts->second)), builder);
  if (const auto note = members.find("note"); note != members.end())
    if (const auto parsed = jsonOf(validUtf8(note->second)); parsed.is_string())
      builder.setNote(parsed.get<std::string>());
}

constexpr std::string_view kNsightReport = "NVIDIA Tegra Profiler Report";
constexpr std::string_view kLfsPointer = "version https://git-lfs.github.com/spec/";

bool isXSpace(std::string_view path) {
  return path.ends_with(".xplane.pb");
}

/// Files that people take for the trace that they belong to.
void refuseWhatOthersMustConvert(const std::string& path, std::string_view begin) {
  if (begin.starts_with(kNsightReport))
    throw InputError(path + saying(": this is a report of Nsight Systems; make a database of it "
                                   "with nsys export --type sqlite, and open that"));
  if (begin.starts_with(kLfsPointer))
    throw InputError(path + saying(": this is a pointer of Git LFS and not the file that it stands "
                                   "for; get the file with git lfs pull"));
  if (isXSpace(path))
    throw InputError(path + saying(": this is an XSpace of XLA's profiler; open the .trace.json.gz "
                                   "that JAX and TensorFlow write next to it"));
}

}  // namespace

bool looksLikeTrace(const std::string& path) {
  try {
    const std::string begin = beginOf(path);
    if (begin.starts_with(kNsightReport) || begin.starts_with(kLfsPointer) || isXSpace(path))
      return true;
    // No other kind of file is packed: errors are reported as those of a trace.
    if (begin.starts_with(kSqlite) || isPacked(path)) return true;
    if (looksLikePerfetto(begin)) return true;
    const std::size_t first = begin.find_first_not_of("\xEF\xBB\xBF \t\r\n");
    if (first == std::string::npos) return false;
    if (begin[first] == '[') return true;
    // A file with a long head is a trace: experiments and runs have their kind near the beginning,
    // or in their names.
    if (begin.size() == kSniffed && begin[first] == '{' && !path.ends_with(".jsonl") &&
        begin.find("\"fusebench\"") == std::string::npos)
      return true;
    return begin[first] == '{' && (begin.find("\"traceEvents\"") != std::string::npos ||
                                   begin.find("\"schemaVersion\"") != std::string::npos ||
                                   begin.find(kRocprofJson) != std::string::npos ||
                                   begin.find("\"deviceProperties\"") != std::string::npos ||
                                   looksLikeMemorySnapshot(path));
  } catch (const std::bad_alloc&) {
    throw;  // nothing is known of a file that did not fit in memory
  } catch (const std::exception&) {
    return false;
  }
}

std::shared_ptr<const Trace> importTrace(const std::string& path, const TraceProgress& progress) {
  const std::string begin = beginOf(path);
  refuseWhatOthersMustConvert(path, begin);
  if (begin.starts_with(kSqlite)) return importNsysTrace(path, progress);
  if (looksLikeMemorySnapshot(path)) return memoryTrace(readMemorySnapshot(path, progress));
  if (begin.find("\"traceEvents\"") == std::string::npos &&
      begin.find(kRocprofJson) != std::string::npos)
    throw InputError(path + saying(": this is the JSON of rocprofv3, which is not a Chrome trace; "
                                   "record with rocprofv3 --output-format pftrace and open the "
                                   "Perfetto file"));
  return looksLikePerfetto(begin) ? importPerfettoTrace(path, progress)
                                  : importJsonTrace(path, progress);
}

namespace {

/// `earlier`: what a first reading found out.
std::shared_ptr<const Trace> readJsonTrace(const std::string& path, const TraceProgress& progress,
                                           const ChromeEvents* earlier) {
  constexpr std::uint64_t kEventsPerStep = 1 << 14;
  ByteSource source(path);
  TraceScanner scanner(source);
  TraceBuilder builder(std::filesystem::path(path).filename().string());
  std::optional<ChromeEvents> made;
  ChromeEvents& events = earlier ? made.emplace(builder, *earlier) : made.emplace(builder);
  std::uint64_t count = 0;
  while (const auto event = scanner.next()) {
    events.add(*event);
    if (++count % kEventsPerStep == 0 && progress && !progress(kReading * source.share()))
      throw Canceled();
  }
  if (!earlier && events.wantsAgain()) return readJsonTrace(path, progress, &events);
  if (!scanner.foundEvents())
    throw InputError(path +
                     (scanner.partial().empty()
                          ? saying(": this JSON has no traceEvents; a trace has a list of that "
                                   "name, or is such a list")
                          : ": " + scanner.partial() + saying("; no traceEvents came before")));
  events.end(/*ours=*/scanner.members().contains("parts"));
  if (builder.size() == 0) {
    const std::string lost = sentenceOf(builder.losses());
    throw InputError(
        saying("{}: no event of the trace can be shown{}{}; events need ph X, or B and E, and a ts",
               path, lost.empty() ? "" : ": " + lost,
               scanner.partial().empty() ? "" : "; " + scanner.partial()));
  }
  takeMembers(scanner.members(), builder);
  if (!scanner.partial().empty()) builder.setPartial(scanner.partial());
  return builder.finish(
      [&](double share) { return !progress || progress(kReading + (1 - kReading) * share); });
}

}  // namespace

std::shared_ptr<const Trace> importJsonTrace(const std::string& path,
                                             const TraceProgress& progress) {
  return readJsonTrace(path, progress, nullptr);
}

}  // namespace fusebench

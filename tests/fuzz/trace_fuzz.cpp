// SPDX-License-Identifier: GPL-3.0-or-later
// libFuzzer's entry for the importers of traces: whatever a file holds, it is read, read in part or
// refused with InputError, and what was read goes into a file and comes back the same.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "profiler/experiment/experiment.h"
#include "profiler/trace/trace_export.h"
#include "profiler/trace/trace_import.h"
#include "profiler/trace/trace_statistics.h"

namespace {

const std::string& folder() {
  static const std::string kFolder = [] {
    std::string pattern = (std::filesystem::temp_directory_path() / "trace-fuzz-XXXXXX").string();
    return std::string(mkdtemp(pattern.data()));
  }();
  return kFolder;
}

void look(const fusebench::Trace& trace) {
  for (fusebench::EventId e = 0; e < trace.size(); ++e) {
    if (trace.duration(e) < 0 || trace.start(e) < 0) std::abort();
    (void)labelOf(trace, e);
    (void)trace.laneOf(e);
    (void)occupancyOf(trace, e);
  }
  for (const auto work : {fusebench::Work::device, fusebench::Work::host}) {
    (void)statisticsOf(trace, work, wholeOf(trace));
    (void)totalsByName(trace, work, wholeOf(trace));
    (void)fusebench::distributionOf(gapsOf(trace, work, wholeOf(trace)));
  }
  const auto devices = devicesOf(trace);
  for (std::size_t d = 0; d < devices.size() && d < 4; ++d) {
    const auto found =
        statisticsOf(trace, fusebench::Work::device, wholeOf(trace), devices[d].process);
    if (found.busy < 0 || found.idle < 0) std::abort();
  }
  for (const auto& total : totalsByName(trace, fusebench::Work::host, wholeOf(trace)))
    if (total.self < 0 || total.self > total.total) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string path = folder() + "/input";
  {
    std::ofstream file(path, std::ios::binary | std::ios::trunc);
    file.write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size));
  }
  (void)fusebench::looksLikeTrace(path);
  try {
    const auto trace = fusebench::importTrace(path);
    look(*trace);
    if (trace->size() > 2'000) return 0;
    fusebench::exportTrace(*trace, folder() + "/output");
    const auto back = fusebench::importTrace(folder() + "/output");
    if (back->size() != trace->size()) std::abort();
    // Until something is joined that was not before, links stay.
    for (fusebench::EventId e = 0; e < trace->size(); ++e)
      if (trace->link(e) != fusebench::kNoEvent && back->link(e) == fusebench::kNoEvent)
        std::abort();
  } catch (const fusebench::InputError&) {
  }
  return 0;
}

// SPDX-License-Identifier: GPL-3.0-or-later
// The phases of compilations as slices of a timeline.
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "engine/base/saying.h"
#include "profiler/trace/compile_log.h"

namespace fusebench {
namespace {

/// The outermost phase of a compilation states which function is compiled.
std::string nameOfRun(const PhaseRun& run, const std::map<std::string, const FrameCompile*>& of) {
  const auto frame = of.find(run.id);
  if (!run.outermost || frame == of.end() || frame->second->function.name.empty()) return run.phase;
  return run.phase + ": " + placeOf(frame->second->function);
}

}  // namespace

std::shared_ptr<const Trace> compileLogTrace(const std::vector<CompileLog>& logs) {
  constexpr double kNanoseconds = 1e9;
  double first = std::numeric_limits<double>::max();
  for (const CompileLog& log : logs)
    for (const PhaseRun& run : log.runs) first = std::min(first, run.start);
  if (first == std::numeric_limits<double>::max()) return nullptr;
  TraceBuilder builder(logs.size() == 1 ? logs.front().title : saying("compile logs"));
  std::int64_t process = 0;
  for (const CompileLog& log : logs) {
    std::map<std::string, const FrameCompile*> frames;
    for (const FrameCompile& frame : log.frames) frames[frame.id] = &frame;
    const LaneId lane =
        builder.lane({Lane::Kind::host, process++, 1, log.title, saying("compiling")});
    const auto time = [&](double seconds) {
      return static_cast<Nanoseconds>(std::llround((seconds - first) * kNanoseconds));
    };
    for (const PhaseRun& run : log.runs)
      builder.addSpan({.lane = lane,
                       .kind = SpanKind::other,
                       .name = nameOfRun(run, frames),
                       .start = time(run.start),
                       .end = std::max(time(run.start), time(run.end))});
  }
  return builder.finish();
}

}  // namespace fusebench

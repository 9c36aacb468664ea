// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "profiler/trace/trace_statistics.h"

namespace fusebench {

/// The costs of a launch in one trace, measured in it where possible.
struct LaunchCosts {
  Nanoseconds call = 0;      ///< median duration of a call that launches one kernel
  Nanoseconds interval = 0;  ///< median from the begin of one such call to that of the next
  Nanoseconds least = 0;     ///< the shortest kernel: what any takes, whatever it computes
  Nanoseconds nodeGap = 0;   ///< between two nodes of a graph
  Nanoseconds graphCall = 0, graphNode = 0;  ///< of launching a graph, and for each of its nodes
  std::uint64_t calls = 0;                   ///< that the medians are of
  bool graphMeasured = false;                ///< or published figures of another machine
};

/// Small kernels one after the other, each launched by a call of its own, with no copy, no wait of
/// the host and no long kernel between them; and all other runs of the same kernels.
struct Saving {
  struct Run {
    EventId first = 0, last = 0;  ///< events of the lane; those of other rows may be between
    TimeRange time;               ///< from the first kernel's start to the last one's end
  };
  std::vector<Run> runs;
  LaneId lane = 0;
  std::string kernels;        ///< "add, sin, mul and 31 more"
  std::uint64_t count = 0;    ///< number of kernels in one run
  Nanoseconds now = 0;        ///< time of all runs
  Nanoseconds busy = 0;       ///< part of it that the kernels take
  Nanoseconds oneKernel = 0;  ///< if each run were one kernel
  Nanoseconds oneGraph = 0;   ///< if each run were one graph; `now` where it would take longer
  /// Each kernel can join its neighbors (KernelMeaning::joins), one of which is pointwise. A kernel
  /// of an unknown class joins nothing.
  bool fusible = true;
  Nanoseconds saved() const { return now - (fusible ? std::min(oneKernel, oneGraph) : oneGraph); }
};

/// The savings of fusing, or of a graph. All of it is an estimate: see assumptions().
struct Savings {
  LaunchCosts costs;
  Nanoseconds total = 0;         ///< that was recorded
  Nanoseconds ifKernels = 0;     ///< of the same if each run that can be were one kernel
  Nanoseconds ifGraphs = 0;      ///< if each run were one graph
  Nanoseconds ifStepGraphs = 0;  ///< if each step were one graph with all its work
  /// A step is all work that the host launches before it reads a result, in two or more calls.
  std::uint64_t steps = 0;
  double unknownShare = 0;     ///< share of unknown kernels in the time of all kernels
  std::vector<Saving> ranked;  ///< the one that saves most first
};

/// The largest errors of the two estimates on the shipped recordings of an H100 and an H200, in
/// which the same statements were also fused and launched as one graph. A test compares them.
inline constexpr double kFusedError = 0.15, kGraphError = 0.12;

/// The estimate. One kernel takes the shortest kernel's time once, plus the time of each kernel of
/// the run beyond it; saved traffic is not counted. A graph takes its kernels' times and a gap
/// between each two, and its launch in place of a kernel's. Work between runs stays. A graph of a
/// whole step also contains copies and long kernels. It ends only where the host waits for a
/// result; a wait right after a copy to the device does not read one. A trace in which no call is
/// joined with a kernel gives nothing. `range`: only work within it; the costs of a launch are
/// those of the whole trace.
Savings savingsOf(const Trace& trace, OneDevice device = {},
                  const std::optional<TimeRange>& range = {});

/// The assumptions of the estimate, one sentence each.
std::vector<std::string> assumptionsOf(const Savings& savings);

/// "1.23 ms", in the unit that fits; for sentences of traces.
std::string timeOf(Nanoseconds time);

}  // namespace fusebench

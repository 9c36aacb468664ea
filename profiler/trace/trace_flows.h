// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "profiler/trace/trace.h"

namespace fusebench {

/// A point of an arrow ("flow") that a Chrome trace draws from span to span.
struct FlowPoint {
  /// A begin, a step and an end belong to the span around them, an end without the binding point
  /// "e" to the next one of its track.
  enum class Kind : std::uint8_t { begin, step, end, endAtNext };
  std::uint64_t flow = 0;  ///< points of one arrow share it
  Nanoseconds time = 0;
  std::uint32_t track = 0;  ///< place in TraceFlows::tracks
  /// The row of the event's lane, if the file was written by Fusebench: spans of one stream may
  /// overlap, and their times alone do not distinguish them. -1: not known.
  int row = -1;
  Kind kind = Kind::begin;
};

/// All arrows of a file. A track is a process and a thread as the file names them; its spans are on
/// these lanes.
struct TraceFlows {
  std::vector<FlowPoint> points;
  std::vector<std::vector<LaneId>> tracks;
};

/// A call of the host and an execution that it started.
struct FlowJoint {
  EventId call = kNoEvent, execution = kNoEvent;
  bool operator==(const FlowJoint&) const = default;
};

/// The arrows' information about executions that are not joined with a call yet; by call, then by
/// start. An arrow goes from the innermost span around its begin, or around the last step on a
/// host, to each execution at a later point. Each execution has one call: the one that begins last.
std::vector<FlowJoint> jointsOf(const Trace& trace, TraceFlows flows);

}  // namespace fusebench

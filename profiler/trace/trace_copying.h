// SPDX-License-Identifier: GPL-3.0-or-later
// How events of a trace become those of another one.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>

#include "profiler/trace/trace_builder.h"

namespace fusebench {

/// Numbers that join calls and executions. Each trace has its own; they are assigned from 1.
class JoiningNumbers {
 public:
  /// Numbers that are equal in a trace stay equal, and differ from those of all other traces.
  std::uint64_t of(std::uint64_t number) {
    const auto [found, isNew] = given_.emplace(number, next_);
    next_ += isNew;
    return found->second;
  }
  void nextTrace() { given_.clear(); }

 private:
  std::uint64_t next_ = 1;
  std::unordered_map<std::uint64_t, std::uint64_t> given_;
};

/// Adds lanes and events of a trace to a builder.
class TraceCopying {
 public:
  TraceCopying(TraceBuilder& builder, const Trace& trace, JoiningNumbers& numbers,
               Nanoseconds shift = 0)
      : builder_(builder), trace_(trace), numbers_(numbers), shift_(shift) {}

  /// The lane as it will be there, with those of its events that `takes` accepts.
  template <typename Takes>
  void addLane(LaneId from, const Lane& to, Takes&& takes) {
    const LaneId lane = builder_.lane(to);
    for (const TraceRow& row : trace_.rowsOf(from))
      for (EventId e = row.first; e < row.last; ++e)
        if (takes(e)) addEvent(e, lane);
  }
  void addLane(LaneId from, const Lane& to) {
    addLane(from, to, [](EventId) { return true; });
  }

  /// Adds a counter with its new process and a prefix for its name.
  void addCounter(const CounterTrack& from, std::int64_t process, const std::string& processName) {
    const std::size_t counter =
        builder_.counter({process, processName, from.name, from.unit, {}, {}});
    for (std::size_t i = 0; i < from.times.size(); ++i)
      builder_.addCount(counter, from.times[i] + shift_, from.values[i]);
  }

 private:
  void addEvent(EventId e, LaneId lane) {
    const LaunchDetails* const details = trace_.details(e);
    // Events that are joined remain joined, whatever joined them.
    const EventId call = isDeviceWork(trace_.kind(e)) ? trace_.link(e) : e;
    const bool joined = trace_.link(e) != kNoEvent;
    const std::uint64_t number = joined ? numbers_.of(std::uint64_t{call} + 1) : 0;
    const RecordedArguments arguments = trace_.recordedArguments(e);
    if (!isDeviceWork(trace_.kind(e)) || !details)
      return builder_.addSpan({lane, trace_.kind(e), trace_.name(e), trace_.start(e) + shift_,
                               trace_.end(e) + shift_, number, &arguments});
    Launch launch;
    launch.kind = trace_.kind(e);
    launch.name = trace_.name(e);
    launch.op = trace_.nameText(details->op);
    launch.firstStatement = details->firstStatement;
    launch.lastStatement = details->lastStatement;
    const auto shifted = [this](Nanoseconds time) {
      return time == kNoTime ? kNoTime : time + shift_;
    };
    launch.queued = shifted(details->queued);
    launch.submitted = shifted(details->submitted);
    launch.start = trace_.start(e) + shift_;
    launch.end = trace_.end(e) + shift_;
    launch.deviceLane = lane;
    launch.arguments = &arguments;
    launch.correlation = number;
    launch.externalId = details->externalId;
    launch.graph = details->graph;
    launch.graphNode = details->graphNode;
    launch.grid = details->grid;
    launch.block = details->block;
    launch.registers = details->registers;
    launch.staticShared = details->staticShared;
    launch.dynamicShared = details->dynamicShared;
    launch.bytesRead = details->bytesRead;
    launch.bytesWritten = details->bytesWritten;
    launch.device = details->device;
    launch.context = details->context;
    launch.occupancy = details->occupancy;
    launch.blocksPerSm = details->blocksPerSm;
    launch.warpsPerSm = details->warpsPerSm;
    builder_.addLaunch(launch);
  }

  TraceBuilder& builder_;
  const Trace& trace_;
  JoiningNumbers& numbers_;
  Nanoseconds shift_;
};

}  // namespace fusebench

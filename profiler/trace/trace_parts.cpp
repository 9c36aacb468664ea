// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/trace/trace_parts.h"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>
#include <utility>

namespace fusebench {
namespace {

constexpr std::size_t kMostParts = 64;

/// Numbers that join calls and executions, each of one trace's own, given for numbers from 1.
class Numbers {
 public:
  /// What was equal in a trace stays equal, and differs from all of other traces.
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
class Copying {
 public:
  Copying(TraceBuilder& builder, const Trace& trace, Numbers& numbers, Nanoseconds shift = 0)
      : builder_(builder), trace_(trace), numbers_(numbers), shift_(shift) {}

  /// The lane as it is to be there.
  void addLane(LaneId from, const Lane& to) {
    const LaneId lane = builder_.lane(to);
    for (const TraceRow& row : trace_.rowsOf(from))
      for (EventId e = row.first; e < row.last; ++e) addEvent(e, lane);
  }

 private:
  void addEvent(EventId e, LaneId lane) {
    const LaunchDetails* const details = trace_.details(e);
    // What is joined stays so, by whatever it was.
    const EventId call = isDeviceWork(trace_.kind(e)) ? trace_.link(e) : e;
    const bool joined = trace_.link(e) != kNoEvent;
    const std::uint64_t number = joined ? numbers_.of(std::uint64_t{call} + 1) : 0;
    const RecordedArguments arguments = argumentsOf(e);
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

  RecordedArguments argumentsOf(EventId e) const {
    RecordedArguments arguments;
    if (const OperatorArguments* known = trace_.operatorArguments(e)) {
      arguments.shapes = trace_.nameText(known->shapes);
      arguments.types = trace_.nameText(known->types);
      arguments.values = trace_.nameText(known->values);
      arguments.sequence = known->sequence;
      arguments.forwardThread = known->forwardThread;
    }
    if (const CollectiveArguments* known = trace_.collectiveArguments(e)) {
      arguments.collective = trace_.nameText(known->name);
      arguments.dtype = trace_.nameText(known->dtype);
      arguments.group = trace_.nameText(known->group);
      arguments.elementsIn = known->elementsIn;
      arguments.elementsOut = known->elementsOut;
      arguments.ranks = known->ranks;
    }
    return arguments;
  }

  TraceBuilder& builder_;
  const Trace& trace_;
  Numbers& numbers_;
  Nanoseconds shift_;
};

}  // namespace

std::shared_ptr<const Trace> joinedTrace(std::span<const std::shared_ptr<const Trace>> traces,
                                         const std::string& title, const TraceProgress& progress) {
  TraceBuilder builder(title);
  Numbers numbers;
  std::string partial;
  // As traces of several variants have them.
  std::int64_t nextHost = 1000, nextDevice = 2000;
  for (const auto& trace : traces) {
    TracePart part{trace->title(), {}};
    std::map<std::pair<Lane::Kind, std::int64_t>, std::int64_t> processes;
    numbers.nextTrace();
    Copying copying(builder, *trace, numbers);
    for (LaneId l = 0; l < trace->lanes().size(); ++l) {
      Lane lane = trace->lanes()[l];
      const auto [found, isNew] = processes.try_emplace({lane.kind, lane.process}, 0);
      if (isNew) {
        found->second = lane.kind == Lane::Kind::host ? nextHost++ : nextDevice++;
        part.processes.push_back(found->second);
      }
      lane.process = found->second;
      copying.addLane(l, lane);
      if (progress && !progress(0)) throw Cancelled();
    }
    builder.addPart(std::move(part));
    if (!trace->device().empty()) builder.setDevice(trace->device());
    for (const DeviceLimits& limits : trace->limits()) builder.addLimits(limits);
    if (!trace->note().empty()) builder.setNote(trace->note());
    if (!trace->partial().empty())
      partial += (partial.empty() ? "" : "; ") + trace->title() + ": " + trace->partial();
    builder.losses() += trace->losses();
    builder.remarks() += trace->remarks();
  }
  builder.setPartial(std::move(partial));
  return builder.finish(progress);
}

std::shared_ptr<const Trace> shiftedTraces(std::span<const ShiftedTrace> traces,
                                           const std::string& title, const std::string& note,
                                           const TraceProgress& progress) {
  TraceBuilder builder(title);
  Numbers numbers;
  std::string partial;
  std::vector<std::string> devices;
  std::int64_t nextHost = 1000, nextDevice = 2000;
  for (const auto& [trace, shift, owner] : traces) {
    std::map<std::pair<Lane::Kind, std::int64_t>, std::int64_t> processes;
    numbers.nextTrace();
    Copying copying(builder, *trace, numbers, shift);
    for (LaneId l = 0; l < trace->lanes().size(); ++l) {
      Lane lane = trace->lanes()[l];
      const auto [found, isNew] = processes.try_emplace({lane.kind, lane.process}, 0);
      if (isNew) found->second = lane.kind == Lane::Kind::host ? nextHost++ : nextDevice++;
      lane.process = found->second;
      lane.processName = owner + ", " + lane.processName;
      copying.addLane(l, lane);
      if (progress && !progress(0)) throw Cancelled();
    }
    devices.push_back(trace->device());
    if (!trace->partial().empty())
      partial += (partial.empty() ? "" : "; ") + owner + ": " + trace->partial();
    builder.losses() += trace->losses();
    builder.remarks() += trace->remarks();
  }
  builder.setDevices(devices);
  builder.setNote(note);
  builder.setPartial(std::move(partial));
  return builder.finish(progress);
}

std::vector<std::shared_ptr<const Trace>> partsOf(std::shared_ptr<const Trace> trace,
                                                  const TraceProgress& progress) {
  std::vector<std::shared_ptr<const Trace>> parts;
  const bool apart = trace->parts().size() > 1 && trace->parts().size() <= kMostParts;
  std::vector<bool> taken(trace->lanes().size(), false);
  for (const TracePart& part : apart ? trace->parts() : std::vector<TracePart>()) {
    TraceBuilder builder(part.name);
    Numbers numbers;
    Copying copying(builder, *trace, numbers);
    const std::set<std::int64_t> processes(part.processes.begin(), part.processes.end());
    for (LaneId l = 0; l < trace->lanes().size(); ++l) {
      const Lane& lane = trace->lanes()[l];
      if (taken[l] || !processes.contains(lane.process)) continue;
      taken[l] = true;
      copying.addLane(l, lane);
      if (progress && !progress(0)) throw Cancelled();
    }
    if (builder.size() == 0) continue;
    builder.addPart(part);
    builder.setDevice(trace->device());
    for (const DeviceLimits& limits : trace->limits()) builder.addLimits(limits);
    builder.setPartial(trace->partial());
    builder.setNote(trace->note());
    if (parts.empty()) {
      builder.losses() = trace->losses();
      builder.remarks() = trace->remarks();
    }
    parts.push_back(builder.finish(progress));
  }
  if (parts.empty()) return {std::move(trace)};
  return parts;
}

}  // namespace fusebench

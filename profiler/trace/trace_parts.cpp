// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/trace/trace_parts.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "profiler/trace/trace_copying.h"

namespace fusebench {
namespace {

constexpr std::size_t kMostParts = 64;

/// New numbers of a trace's processes. A counter has that of the host's or the device's lanes of
/// its process, else one of its own.
using Processes = std::map<std::pair<Lane::Kind, std::int64_t>, std::int64_t>;
std::int64_t processOfCounter(const Processes& processes, const CounterTrack& counter,
                              std::int64_t& next) {
  for (const Lane::Kind kind : {Lane::Kind::host, Lane::Kind::device})
    if (const auto found = processes.find({kind, counter.process}); found != processes.end())
      return found->second;
  return next++;
}

}  // namespace

std::shared_ptr<const Trace> joinedTrace(std::span<const std::shared_ptr<const Trace>> traces,
                                         const std::string& title, const TraceProgress& progress) {
  TraceBuilder builder(title);
  JoiningNumbers numbers;
  std::string partial;
  // As traces of several variants have them.
  std::int64_t nextHost = 1000, nextDevice = 2000;
  for (const auto& trace : traces) {
    TracePart part{trace->title(), {}};
    Processes processes;
    numbers.nextTrace();
    TraceCopying copying(builder, *trace, numbers);
    for (LaneId l = 0; l < trace->lanes().size(); ++l) {
      Lane lane = trace->lanes()[l];
      const auto [found, isNew] = processes.try_emplace({lane.kind, lane.process}, 0);
      if (isNew) {
        found->second = lane.kind == Lane::Kind::host ? nextHost++ : nextDevice++;
        part.processes.push_back(found->second);
      }
      lane.process = found->second;
      copying.addLane(l, lane);
      if (progress && !progress(0)) throw Canceled();
    }
    for (const CounterTrack& counter : trace->counters()) {
      const std::int64_t process = processOfCounter(processes, counter, nextHost);
      copying.addCounter(counter, process, counter.processName);
      if (std::ranges::find(part.processes, process) == part.processes.end())
        part.processes.push_back(process);
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
  JoiningNumbers numbers;
  std::string partial;
  std::vector<std::string> devices;
  std::int64_t nextHost = 1000, nextDevice = 2000;
  for (const auto& [trace, shift, owner] : traces) {
    Processes processes;
    numbers.nextTrace();
    TraceCopying copying(builder, *trace, numbers, shift);
    for (LaneId l = 0; l < trace->lanes().size(); ++l) {
      Lane lane = trace->lanes()[l];
      const auto [found, isNew] = processes.try_emplace({lane.kind, lane.process}, 0);
      if (isNew) found->second = lane.kind == Lane::Kind::host ? nextHost++ : nextDevice++;
      lane.process = found->second;
      lane.processName = owner + ", " + lane.processName;
      copying.addLane(l, lane);
      if (progress && !progress(0)) throw Canceled();
    }
    for (const CounterTrack& counter : trace->counters())
      copying.addCounter(counter, processOfCounter(processes, counter, nextHost),
                         counter.processName.empty() ? owner : owner + ", " + counter.processName);
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
    JoiningNumbers numbers;
    TraceCopying copying(builder, *trace, numbers);
    const std::set<std::int64_t> processes(part.processes.begin(), part.processes.end());
    for (LaneId l = 0; l < trace->lanes().size(); ++l) {
      const Lane& lane = trace->lanes()[l];
      if (taken[l] || !processes.contains(lane.process)) continue;
      taken[l] = true;
      copying.addLane(l, lane);
      if (progress && !progress(0)) throw Canceled();
    }
    for (const CounterTrack& counter : trace->counters())
      if (processes.contains(counter.process))
        copying.addCounter(counter, counter.process, counter.processName);
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

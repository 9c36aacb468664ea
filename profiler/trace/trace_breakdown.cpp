// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/trace/trace_breakdown.h"

#include <algorithm>
#include <array>
#include <unordered_map>
#include <utility>

#include "profiler/trace/trace_classes.h"
#include "profiler/trace/trace_within.h"

namespace fusebench {
namespace {

enum class Part : std::uint8_t { computing, communication, memory };

/// Where a kind of work begins or ends.
struct Turn {
  Nanoseconds time;
  Part part;
  int change;
};

Part partOf(const Trace& trace, EventId e, KernelClassifier& classes) {
  const SpanKind kind = trace.kind(e);
  if (kind == SpanKind::copy || kind == SpanKind::set) return Part::memory;
  return classes.of(e).kind == KernelClass::collective ? Part::communication : Part::computing;
}

/// Divides a call's time among the executions that it launched, as those of a graph.
class CallShares {
 public:
  CallShares(const Trace& trace, const std::vector<LaneId>& lanes) : trace_(trace) {
    for (const LaneId lane : lanes)
      for (const TraceRow& row : trace.rowsOf(lane))
        for (EventId e = row.first; e < row.last; ++e)
          if (isDeviceWork(trace.kind(e)) && isShared(e)) ++counts_[trace.link(e)];
  }
  /// Whether the execution takes less than its share of the call.
  bool isShort(EventId e) const {
    const EventId call = trace_.link(e);
    const auto found = isShared(e) ? counts_.find(call) : counts_.end();
    const Nanoseconds sharing = found == counts_.end() ? 1 : found->second;
    return trace_.duration(e) * sharing < trace_.duration(call);
  }

 private:
  bool isShared(EventId e) const {
    const EventId call = trace_.link(e);
    return call != kNoEvent && (trace_.details(e)->sibling != kNoEvent || trace_.link(call) != e);
  }

  const Trace& trace_;
  std::unordered_map<EventId, Nanoseconds> counts_;
};

/// Divides the time by what runs at each moment.
void divide(std::vector<Turn>& turns, DeviceBreakdown& made) {
  std::ranges::sort(turns, {}, &Turn::time);
  std::array<int, 3> running{};
  Nanoseconds at = turns.empty() ? 0 : turns.front().time;
  Nanoseconds busy = 0;
  for (const Turn& turn : turns) {
    const Nanoseconds time = turn.time - at;
    const bool computes = running[0] > 0, communicates = running[1] > 0, copies = running[2] > 0;
    if (computes) made.computing += time;
    if (communicates) made.collectives += time;
    if (computes && communicates) made.overlap += time;
    if (communicates && !computes) made.communication += time;
    if (copies && !computes && !communicates) made.memory += time;
    if (computes || communicates || copies) busy += time;
    at = turn.time;
    running[static_cast<std::size_t>(turn.part)] += turn.change;
  }
  made.idle = std::max<Nanoseconds>(0, made.total - busy);
}

/// The gaps of one stream, and how many wait in it.
class StreamWaits {
 public:
  StreamWaits(const Trace& trace, DeviceBreakdown& made) : trace_(trace), made_(made) {}

  void add(std::vector<EventId> works) {
    std::ranges::stable_sort(works, {}, [&](EventId e) { return trace_.start(e); });
    Nanoseconds end = works.empty() ? 0 : trace_.end(works.front());
    for (std::size_t i = 1; i < works.size(); ++i) {
      if (const Nanoseconds gap = trace_.start(works[i]) - end;
          gap > 0 && countsThrough(trace_, end, trace_.start(works[i])))
        waitOf(gap, works[i], end) += gap;
      end = std::max(end, trace_.end(works[i]));
    }
    queue(works);
  }
  /// Over all streams that were added.
  double meanQueued() const {
    return time_ > 0 ? static_cast<double>(area_) / static_cast<double>(time_) : 0;
  }

 private:
  Nanoseconds& waitOf(Nanoseconds gap, EventId next, Nanoseconds end) {
    if (gap <= kKernelWait) return made_.kernelWait;
    const EventId call = trace_.link(next);
    return call != kNoEvent && trace_.end(call) > end ? made_.hostWait : made_.otherWait;
  }

  void queue(const std::vector<EventId>& works) {
    std::vector<std::pair<Nanoseconds, int>> turns;
    for (const EventId e : works)
      if (const EventId call = trace_.link(e);
          call != kNoEvent && trace_.start(call) < trace_.start(e)) {
        turns.emplace_back(trace_.start(call), 1);
        turns.emplace_back(trace_.start(e), -1);
      }
    if (turns.empty()) return;
    std::ranges::sort(turns);
    std::int64_t queued = 0;
    Nanoseconds at = turns.front().first;
    for (const auto& [time, change] : turns) {
      area_ += queued * (time - at);
      at = time;
      queued += change;
      made_.mostQueued = std::max(made_.mostQueued, static_cast<std::uint64_t>(queued));
    }
    time_ += at - turns.front().first;
  }

  const Trace& trace_;
  DeviceBreakdown& made_;
  Nanoseconds area_ = 0, time_ = 0;
};

}  // namespace

std::vector<DeviceBreakdown> breakdownOf(const Trace& trace,
                                         const std::optional<TimeRange>& range) {
  const TimeRange counted = range.value_or(recordedOf(trace));
  const auto clipped = [&counted, &range](Nanoseconds time) {
    return range ? std::clamp(time, counted.from, counted.to) : time;
  };
  KernelClassifier classes(trace);
  std::vector<DeviceBreakdown> breakdowns;
  std::unordered_map<std::int64_t, std::vector<LaneId>> lanesOf;
  for (LaneId lane = 0; lane < trace.lanes().size(); ++lane)
    lanesOf[trace.lanes()[lane].process].push_back(lane);
  for (TraceDevice& device : devicesOf(trace)) {
    DeviceBreakdown made;
    made.total = countedIn(trace, counted);
    std::vector<Turn> turns;
    StreamWaits waits(trace, made);
    const CallShares shares(trace, lanesOf[device.process]);
    for (const LaneId lane : lanesOf[device.process]) {
      std::vector<EventId> works;
      for (const TraceRow& row : trace.rowsOf(lane))
        for (EventId e = row.first; e < row.last; ++e)
          if (isDeviceWork(trace.kind(e)) &&
              (!range || (trace.start(e) < range->to && trace.end(e) > range->from)))
            works.push_back(e);
      for (const EventId e : works) {
        const Part part = partOf(trace, e, classes);
        turns.push_back({clipped(trace.start(e)), part, 1});
        turns.push_back({clipped(trace.end(e)), part, -1});
        const EventId call = trace.link(e);
        if (trace.kind(e) != SpanKind::kernel || call == kNoEvent ||
            clipped(trace.start(e)) != trace.start(e))
          continue;
        ++made.kernels;
        made.shorter += shares.isShort(e);
      }
      if (trace.lanes()[lane].kind == Lane::Kind::device) waits.add(std::move(works));
    }
    divide(turns, made);
    made.meanQueued = waits.meanQueued();
    made.device = std::move(device);
    breakdowns.push_back(std::move(made));
  }
  return breakdowns;
}

}  // namespace fusebench

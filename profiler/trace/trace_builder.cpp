// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/trace/trace_builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <tuple>

namespace fusebench {
namespace {

/// Beyond these a time is nonsense; between any two of them the difference fits.
constexpr Nanoseconds kFarthest = Nanoseconds{1} << 61;

constexpr std::uint32_t kNoDetail = kNoEvent;

bool plausible(Nanoseconds time) {
  return time > -kFarthest && time < kFarthest;
}

}  // namespace

TraceBuilder::TraceBuilder(std::string title) : trace_(std::make_unique<Trace>()) {
  trace_->title_ = std::move(title);
  texts_.emplace_back();
  nameIds_.emplace(texts_.back(), 0);
}

LaneId TraceBuilder::lane(const Lane& lane) {
  const std::string key =
      fmt::format("{}/{}/{}", static_cast<int>(lane.kind), lane.process, lane.thread);
  const auto [at, isNew] = laneIds_.emplace(key, static_cast<LaneId>(lanes_.size()));
  if (isNew) {
    lanes_.push_back(lane);
  } else {
    Lane& known = lanes_[at->second];
    if (!lane.name.empty()) known.name = lane.name;
    if (!lane.processName.empty()) known.processName = lane.processName;
  }
  return at->second;
}

NameId TraceBuilder::name(std::string_view text) {
  if (const auto found = nameIds_.find(text); found != nameIds_.end()) return found->second;
  texts_.emplace_back(text);
  const auto id = static_cast<NameId>(texts_.size() - 1);
  nameIds_.emplace(texts_.back(), id);
  return id;
}

bool TraceBuilder::refuse(bool onDevice, Nanoseconds start, Nanoseconds end) {
  TraceLosses& losses = trace_->losses_;
  if (start == kNoTime || end == kNoTime || (onDevice && start == end)) {
    ++losses.zero;
  } else if (!plausible(start) || !plausible(end)) {
    ++losses.malformed;
  } else if (end < start) {
    ++losses.inverted;
  } else if (events_.size() >= kNoEvent - 1) {
    ++losses.dropped;
  } else {
    return false;
  }
  return true;
}

EventId TraceBuilder::add(const Event& event) {
  events_.push_back(event);
  return static_cast<EventId>(events_.size() - 1);
}

void TraceBuilder::addLimits(const DeviceLimits& limits) {
  const auto known = std::ranges::find(trace_->limits_, limits.device, &DeviceLimits::device);
  if (known == trace_->limits_.end())
    trace_->limits_.push_back(limits);
  else if (*known != limits)
    *known = {.device = limits.device};
}

void TraceBuilder::addSpan(const Span& span) {
  if (refuse(isDeviceWork(span.kind), span.start, span.end)) return;
  const EventId event =
      add({span.start, span.end, span.lane, name(span.name), kNoDetail, kNoEvent, span.kind});
  if (span.correlation != 0) calls_.push_back({span.correlation, span.start, event});
}

void TraceBuilder::addLaunch(const Launch& launch) {
  // The call first: a call whose execution is refused did take place.
  EventId call = kNoEvent;
  const bool hasCall = launch.hostBegin != kNoTime && launch.hostEnd != kNoTime;
  if (hasCall && !refuse(/*onDevice=*/false, launch.hostBegin, launch.hostEnd))
    call = add({launch.hostBegin, launch.hostEnd, launch.hostLane, name(launch.name), kNoDetail,
                kNoEvent, SpanKind::launch});
  // A host's clock may stand still for longer than a small kernel takes.
  const bool onDevice = lanes_.at(launch.deviceLane).kind == Lane::Kind::device;
  if (refuse(onDevice, launch.start, launch.end)) return;
  // Its own number, so that a file can say what belongs together.
  const std::uint64_t correlation = hasCall && launch.correlation == 0
                                        ? kFirstOwnCorrelation + trace_->details_.size()
                                        : launch.correlation;
  const auto detail = static_cast<std::uint32_t>(trace_->details_.size());
  const EventId execution = add(
      {launch.start, launch.end, launch.deviceLane, name(launch.name), detail, call, launch.kind});
  trace_->details_.push_back({.queued = launch.queued,
                              .submitted = launch.submitted,
                              .correlation = correlation,
                              .externalId = launch.externalId,
                              .graphNode = launch.graphNode,
                              .bytesRead = launch.bytesRead,
                              .bytesWritten = launch.bytesWritten,
                              .op = name(launch.op),
                              .firstStatement = launch.firstStatement,
                              .lastStatement = launch.lastStatement,
                              .graph = launch.graph,
                              .grid = launch.grid,
                              .block = launch.block,
                              .registers = launch.registers,
                              .staticShared = launch.staticShared,
                              .dynamicShared = launch.dynamicShared,
                              .device = launch.device,
                              .context = launch.context,
                              .occupancy = launch.occupancy,
                              .blocksPerSm = launch.blocksPerSm,
                              .warpsPerSm = launch.warpsPerSm});
  if (!hasCall && launch.correlation != 0)
    executions_.push_back({launch.correlation, launch.start, execution});
}

/// Lanes without events go (kNoLane); the others stand host first, by process and thread. Returns
/// the new number of each.
std::vector<LaneId> TraceBuilder::sortLanes() {
  std::vector<bool> used(lanes_.size(), false);
  for (const Event& event : events_) used.at(event.lane) = true;
  std::vector<LaneId> order;
  for (LaneId lane = 0; lane < lanes_.size(); ++lane)
    if (used[lane]) order.push_back(lane);
  std::ranges::sort(order, {}, [this](LaneId id) {
    const Lane& lane = lanes_[id];
    return std::tuple(lane.kind, lane.process, lane.thread);
  });
  std::vector<LaneId> rank(lanes_.size(), kNoLane);
  for (std::size_t i = 0; i < order.size(); ++i) {
    rank[order[i]] = static_cast<LaneId>(i);
    trace_->lanes_.push_back(std::move(lanes_[order[i]]));
  }
  return rank;
}

/// Fills the drawing index, given the events in order of lane and time. Returns where each event
/// went (kNoEvent: nowhere).
std::vector<EventId> TraceBuilder::layOut(std::vector<EventId>& order) {
  Trace& trace = *trace_;
  std::vector<std::uint8_t> rowOf(events_.size(), 0);
  constexpr std::uint8_t kNoRow = kMostRows;
  std::vector<EventId> places(events_.size(), kNoEvent);
  EventId placed = 0;
  trace.laneRows_.push_back(0);
  for (std::size_t from = 0, lane = 0; lane < trace.lanes_.size(); ++lane) {
    // The first row that is free: for nested spans that is their depth.
    std::vector<Nanoseconds> ends;
    std::vector<EventId> counts;
    std::size_t to = from;
    for (; to < order.size() && events_[order[to]].lane == lane; ++to) {
      const Event& event = events_[order[to]];
      std::size_t row = 0;
      while (row < ends.size() && ends[row] > event.start) ++row;
      if (row == kMostRows) {
        ++trace.losses_.tooDeep;
        rowOf[order[to]] = kNoRow;
        continue;
      }
      if (row == ends.size()) {
        ends.push_back(0);
        counts.push_back(0);
      }
      ends[row] = event.end;
      ++counts[row];
      rowOf[order[to]] = static_cast<std::uint8_t>(row);
    }
    std::vector<EventId> next;
    for (const EventId count : counts) {
      next.push_back(placed);
      trace.rows_.push_back({placed, placed + count, static_cast<LaneId>(lane)});
      placed += count;
    }
    trace.laneRows_.push_back(static_cast<std::uint32_t>(trace.rows_.size()));
    for (; from < to; ++from)
      if (const std::uint8_t row = rowOf[order[from]]; row != kNoRow)
        places[order[from]] = next[row]++;
  }
  trace.start_.resize(placed);
  trace.name_.resize(placed);
  trace.detail_.resize(placed);
  trace.kind_.resize(placed);
  trace.busy_.resize(std::size_t{placed} + 1);
  for (std::size_t i = 0; i < events_.size(); ++i) {
    if (places[i] == kNoEvent) continue;
    const Event& event = events_[i];
    trace.start_[places[i]] = event.start;
    trace.name_[places[i]] = event.name;
    trace.detail_[places[i]] = event.detail;
    trace.kind_[places[i]] = event.kind;
    trace.busy_[places[i] + 1] = static_cast<std::uint64_t>(event.end - event.start);
  }
  std::partial_sum(trace.busy_.begin(), trace.busy_.end(), trace.busy_.begin());
  return places;
}

std::shared_ptr<const Trace> TraceBuilder::finish(const TraceProgress& progress) {
  const auto step = [&](double share) {
    if (progress && !progress(share)) throw Cancelled();
  };
  Trace& trace = *trace_;
  const std::vector<LaneId> rank = sortLanes();
  Nanoseconds first = kFarthest, last = -kFarthest;
  for (Event& event : events_) {
    event.lane = rank[event.lane];
    first = std::min(first, event.start);
    last = std::max(last, event.end);
  }
  if (events_.empty()) first = last = 0;
  trace.length_ = last - first;
  trace.origin_ = origin_ + first;
  std::vector<EventId> order(events_.size());
  std::vector<EventId> laneStarts(trace.lanes_.size() + 1, 0);
  for (const Event& event : events_) ++laneStarts[event.lane + 1];
  std::partial_sum(laneStarts.begin(), laneStarts.end(), laneStarts.begin());
  std::vector<EventId> next = laneStarts;
  for (std::size_t i = 0; i < events_.size(); ++i) {
    events_[i].start -= first;
    events_[i].end -= first;
    order[next[events_[i].lane]++] = static_cast<EventId>(i);
  }
  step(0.1);
  // Outer spans before the inner ones that start with them.
  const auto before = [this](EventId a, EventId b) {
    const Event &one = events_[a], &other = events_[b];
    if (one.start != other.start) return one.start < other.start;
    if (one.end != other.end) return one.end > other.end;
    return a < b;
  };
  for (std::size_t lane = 0; lane < trace.lanes_.size(); ++lane) {
    const auto from = order.begin() + laneStarts[lane], to = order.begin() + laneStarts[lane + 1];
    if (!std::is_sorted(from, to, before)) std::sort(from, to, before);
    step(0.1 + 0.5 * static_cast<double>(lane + 1) / static_cast<double>(trace.lanes_.size()));
  }
  for (Correlated& c : calls_) c.start -= first;
  for (Correlated& c : executions_) c.start -= first;
  for (std::size_t d = 0; d < trace.details_.size(); ++d)
    for (Nanoseconds* time : {&trace.details_[d].queued, &trace.details_[d].submitted})
      *time = plausible(*time) ? *time - first : kNoTime;
  const std::vector<EventId> places = layOut(order);
  step(0.8);
  join(places);
  joinByFlows(rank, first);
  trace.names_.assign(std::make_move_iterator(texts_.begin()),
                      std::make_move_iterator(texts_.end()));
  events_ = {};
  step(1);
  return std::shared_ptr<const Trace>(std::move(trace_));
}

}  // namespace fusebench

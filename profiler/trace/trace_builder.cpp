// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/trace/trace_builder.h"

#include "profiler/trace/trace_meetings.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>
#include <tuple>

#include "profiler/trace/kernel_names.h"
#include "profiler/trace/utf8_text.h"

namespace fusebench {
namespace {

constexpr std::uint32_t kNoDetail = kNoEvent;

/// Rows that events take in order of their starts: each the first that is free, which for nested
/// spans is their depth. A tree of the earliest ends finds it among very many.
class FreeRows {
 public:
  std::size_t take(Nanoseconds start, Nanoseconds end) {
    std::size_t row = 0;
    const std::size_t near = std::min<std::size_t>(rows_, kNear);
    while (row < near && ends_[leaves_ + row] > start) ++row;
    if (row == near && row < rows_) row = firstFree(start);
    if (row == rows_ && ++rows_ > leaves_) grow();
    ends_[leaves_ + row] = end;
    for (std::size_t at = (leaves_ + row) / 2; at > 0; at /= 2)
      ends_[at] = std::min(ends_[2 * at], ends_[2 * at + 1]);
    return row;
  }

 private:
  static constexpr std::size_t kNear = 8;
  static constexpr Nanoseconds kNever = std::numeric_limits<Nanoseconds>::max();

  std::size_t firstFree(Nanoseconds start) const {
    if (ends_[1] > start) return rows_;
    std::size_t at = 1;
    while (at < leaves_) at = 2 * at + (ends_[2 * at] > start);
    return at - leaves_;
  }
  void grow() {
    const std::size_t leaves = std::max<std::size_t>(kNear, 2 * leaves_);
    std::vector<Nanoseconds> ends(2 * leaves, kNever);
    std::copy(ends_.begin() + static_cast<std::ptrdiff_t>(leaves_), ends_.end(),
              ends.begin() + static_cast<std::ptrdiff_t>(leaves));
    for (std::size_t at = leaves - 1; at > 0; --at)
      ends[at] = std::min(ends[2 * at], ends[2 * at + 1]);
    ends_ = std::move(ends);
    leaves_ = leaves;
  }

  std::vector<Nanoseconds> ends_;  ///< the tree, its leaves last
  std::size_t leaves_ = 0, rows_ = 0;
};

/// The text with bytes that are not valid UTF-8 replaced; nothing if there are none.
std::optional<std::string> repairedText(std::string_view text) {
  if (std::ranges::none_of(text, [](char c) { return static_cast<unsigned char>(c) >= 0x80; }))
    return std::nullopt;
  std::string made = validUtf8(text);
  if (made == text) return std::nullopt;
  return made;
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
  if (const auto repaired = repairedText(text)) {
    ++trace_->remarks_.replaced;
    return name(*repaired);
  }
  texts_.emplace_back(text);
  const auto id = static_cast<NameId>(texts_.size() - 1);
  nameIds_.emplace(texts_.back(), id);
  return id;
}

NameId TraceBuilder::kernelName(std::string_view text) {
  if (!text.starts_with("_Z") && !text.ends_with(".kd")) return name(text);
  const auto [at, isNew] = mangledIds_.try_emplace(std::string(text), 0);
  if (isNew) at->second = name(demangledName(text));
  return at->second;
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

void TraceBuilder::addArguments(EventId event, const RecordedArguments* arguments) {
  if (!arguments) return;
  if (arguments->isOperator())
    trace_->operatorArguments_.emplace_back(
        event,
        OperatorArguments{name(arguments->shapes), name(arguments->types), name(arguments->values),
                          name(arguments->strides), arguments->sequence, arguments->forwardThread});
  if (arguments->isCollective())
    trace_->collectiveArguments_.emplace_back(
        event, CollectiveArguments{name(arguments->collective), name(arguments->dtype),
                                   name(arguments->group), arguments->elementsIn,
                                   arguments->elementsOut, arguments->ranks});
}

/// From the order in which they were added to that of the trace.
void TraceBuilder::placeArguments(const std::vector<EventId>& placeOf) {
  const auto place = [&](auto& arguments) {
    for (auto& [event, kept] : arguments) event = placeOf[event];
    std::ranges::sort(arguments, {}, [](const auto& one) { return one.first; });
    arguments.shrink_to_fit();
  };
  place(trace_->operatorArguments_);
  place(trace_->collectiveArguments_);
}

void TraceBuilder::setWindows(std::vector<std::pair<Nanoseconds, Nanoseconds>> windows,
                              Nanoseconds length) {
  trace_->windows_ = std::move(windows);
  keptLength_ = length;
}

void TraceBuilder::setDevices(const std::vector<std::string>& models) {
  std::vector<std::pair<std::string, int>> unlike;
  std::unordered_map<std::string, std::size_t> places;
  for (const std::string& model : models) {
    if (model.empty()) continue;
    const auto [place, isNew] = places.try_emplace(model, unlike.size());
    if (isNew) unlike.emplace_back(model, 0);
    ++unlike[place->second].second;
  }
  std::string text;
  for (const auto& [model, count] : unlike)
    text += (text.empty() ? "" : ", ") +
            (count > 1 && unlike.size() > 1 ? fmt::format("{} × {}", count, model) : model);
  if (!text.empty()) setDevice(std::move(text));
}

void TraceBuilder::addLimits(const DeviceLimits& limits) {
  constexpr std::size_t kMostDevices = 1024;  // those of a hostile file make looking them up slow
  const auto known = std::ranges::find(trace_->limits_, limits.device, &DeviceLimits::device);
  if (known == trace_->limits_.end() && trace_->limits_.size() >= kMostDevices) return;
  if (known == trace_->limits_.end())
    trace_->limits_.push_back(limits);
  else if (*known != limits)
    *known = {.device = limits.device};
}

void TraceBuilder::addSpan(const Span& span) {
  if (refuse(isDeviceWork(span.kind), span.start, span.end)) return;
  const EventId event =
      add({span.start, span.end, span.lane, name(span.name), kNoDetail, kNoEvent, span.kind});
  addArguments(event, span.arguments);
  if (span.correlation != 0)
    calls_.push_back({span.correlation, lanes_.at(span.lane).process, span.start, event});
}

void TraceBuilder::addLaunch(const Launch& launch) {
  // The call first: a call whose execution is refused did take place.
  EventId call = kNoEvent;
  const bool hasCall = launch.hostBegin != kNoTime && launch.hostEnd != kNoTime;
  if (hasCall && !refuse(/*onDevice=*/false, launch.hostBegin, launch.hostEnd))
    call = add({launch.hostBegin, launch.hostEnd, launch.hostLane, kernelName(launch.name),
                kNoDetail, kNoEvent, SpanKind::launch});
  // A host's clock may not advance for longer than a small kernel takes.
  const bool onDevice = lanes_.at(launch.deviceLane).kind == Lane::Kind::device;
  if (refuse(onDevice, launch.start, launch.end)) return;
  // Its own number, so that a file can say what belongs together.
  const std::uint64_t correlation = hasCall && launch.correlation == 0
                                        ? kFirstOwnCorrelation + trace_->details_.size()
                                        : launch.correlation;
  const auto detail = static_cast<std::uint32_t>(trace_->details_.size());
  const EventId execution = add({launch.start, launch.end, launch.deviceLane,
                                 kernelName(launch.name), detail, call, launch.kind});
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
  addArguments(execution, launch.arguments);
  if (!hasCall && launch.correlation != 0)
    executions_.push_back({launch.correlation, launch.callingProcess, launch.start, execution});
}

/// Removes lanes without events (kNoLane) and sorts the others, host first, by process and thread.
/// Returns the new number of each.
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
/// went.
std::vector<EventId> TraceBuilder::layOut(std::vector<EventId>& order) {
  Trace& trace = *trace_;
  std::vector<std::uint32_t> rowOf(events_.size(), 0);
  std::vector<EventId> places(events_.size(), kNoEvent);
  EventId placed = 0;
  trace.laneRows_.push_back(0);
  for (std::size_t from = 0, lane = 0; lane < trace.lanes_.size(); ++lane) {
    std::size_t to = from;
    while (to < order.size() && events_[order[to]].lane == lane) ++to;
    std::vector<EventId> counts;
    const auto stack = [&](auto&& belongs) {
      const std::size_t above = counts.size();
      FreeRows rows;
      for (std::size_t i = from; i < to; ++i) {
        const Event& event = events_[order[i]];
        if (!belongs(event.kind)) continue;
        const std::size_t row = above + rows.take(event.start, event.end);
        if (row == counts.size()) counts.push_back(0);
        ++counts[row];
        rowOf[order[i]] = static_cast<std::uint32_t>(row);
      }
    };
    // Ranges around a device's work must not hide when it waits.
    if (trace.lanes_[lane].kind == Lane::Kind::device) {
      stack([](SpanKind kind) { return isDeviceWork(kind); });
      stack([](SpanKind kind) { return !isDeviceWork(kind); });
    } else {
      stack([](SpanKind) { return true; });
    }
    std::vector<EventId> next;
    for (const EventId count : counts) {
      next.push_back(placed);
      trace.rows_.push_back({placed, placed + count, static_cast<LaneId>(lane)});
      placed += count;
    }
    trace.laneRows_.push_back(static_cast<std::uint32_t>(trace.rows_.size()));
    for (; from < to; ++from) places[order[from]] = next[rowOf[order[from]]]++;
  }
  trace.start_.resize(placed);
  trace.name_.resize(placed);
  trace.detail_.resize(placed);
  trace.kind_.resize(placed);
  trace.busy_.resize(std::size_t{placed} + 1);
  for (std::size_t i = 0; i < events_.size(); ++i) {
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
    if (progress && !progress(share)) throw Canceled();
  };
  Trace& trace = *trace_;
  const std::vector<LaneId> rank = sortLanes();
  Nanoseconds first = kFarthest, last = -kFarthest;
  for (Event& event : events_) {
    event.lane = rank[event.lane];
    first = std::min(first, event.start);
    last = std::max(last, event.end);
  }
  // Counters may begin earlier and end later than the work that was recorded.
  Nanoseconds recordedFrom = kFarthest, recordedTo = -kFarthest;
  for (const CounterTrack& counter : trace.counters_)
    for (const Nanoseconds time : counter.times) {
      first = std::min(first, time);
      last = std::max(last, time);
    }
  if (first > last) first = last = 0;
  if (keptLength_ >= 0) {
    first = 0;
    last = std::max(last, keptLength_);
  }
  for (const Event& event : events_)
    if (event.kind != SpanKind::profiler) {
      recordedFrom = std::min(recordedFrom, event.start);
      recordedTo = std::max(recordedTo, event.end);
    }
  trace.recordedFrom_ = recordedFrom <= recordedTo ? recordedFrom - first : 0;
  trace.recordedTo_ = recordedFrom <= recordedTo ? recordedTo - first : last - first;
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
  placeCounters(first);
  const std::vector<EventId> places = layOut(order);
  step(0.8);
  placeArguments(places);
  join(places);
  joinByFlows(rank, first);
  trace.names_.assign(std::make_move_iterator(texts_.begin()),
                      std::make_move_iterator(texts_.end()));
  events_ = {};
  trace.meetings_ = meetingsOf(trace);
  step(1);
  return std::shared_ptr<const Trace>(std::move(trace_));
}

}  // namespace fusebench

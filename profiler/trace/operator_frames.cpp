// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/trace/operator_frames.h"

#include <algorithm>
#include <optional>
#include <queue>
#include <utility>

#include "profiler/trace/trace_steps.h"

namespace fusebench {
namespace {

constexpr std::string_view kModuleMark = "nn.Module: ";
constexpr std::size_t kMostModules = 100'000;  // paths; a hostile file may nest any number
constexpr std::size_t kLongestPath = 1000;     // characters of one

/// Walks the events of one thread in order of time, outer ones first.
class ThreadWalk {
 public:
  ThreadWalk(const Trace& trace, LaneId lane) : trace_(trace) {
    const auto rows = trace.rowsOf(lane);
    for (std::size_t row = 0; row < rows.size(); ++row)
      if (rows[row].first < rows[row].last)
        next_.push({trace.start(rows[row].first), row, rows[row].first, rows[row].last});
  }
  /// kNoEvent at the end.
  EventId next() {
    if (next_.empty()) return kNoEvent;
    Cursor cursor = next_.top();
    next_.pop();
    const EventId event = cursor.event++;
    if (cursor.event < cursor.last) {
      cursor.start = trace_.start(cursor.event);
      next_.push(cursor);
    }
    return event;
  }

 private:
  struct Cursor {
    Nanoseconds start;
    std::size_t row;
    EventId event, last;
    bool operator<(const Cursor& other) const {  // the earliest first
      return std::pair(other.start, other.row) < std::pair(start, row);
    }
  };
  const Trace& trace_;
  std::priority_queue<Cursor> next_;
};

class FrameMaker {
 public:
  FrameMaker(const Trace& trace, TimeRange range) : trace_(trace), range_(range) {
    made_.device = workOf(trace) == Work::device;
  }

  OperatorFrames make() {
    for (LaneId lane = 0; lane < trace_.lanes().size(); ++lane)
      if (trace_.lanes()[lane].kind == Lane::Kind::host) walk(lane);
    addUnlaunched();
    // Before calls out of the range go: a backward operator has the module of its forward one.
    nameModules();
    keepTouched();
    sumUp();
    std::ranges::sort(made_.executions, {}, [](const OperatorFrames::Execution& one) {
      return std::pair(one.frame, one.event);
    });
    return std::move(made_);
  }

 private:
  /// The part of a time that is in the range.
  Nanoseconds within(Nanoseconds from, Nanoseconds to) const {
    return std::max<Nanoseconds>(0, std::min(to, range_.to) - std::max(from, range_.from));
  }
  bool touches(EventId e) const {
    const Nanoseconds start = trace_.start(e);
    return start < range_.to && (start >= range_.from || trace_.end(e) > range_.from);
  }

  FrameId add(const OperatorFrame& frame, bool touched) {
    made_.frames.push_back(frame);
    touched_.push_back(touched);
    return static_cast<FrameId>(made_.frames.size() - 1);
  }

  void walk(LaneId lane) {
    ThreadWalk events(trace_, lane);
    std::vector<std::pair<FrameId, Nanoseconds>> open;  // and when each ends
    for (EventId e = events.next(); e != kNoEvent; e = events.next()) {
      const Nanoseconds start = trace_.start(e), end = trace_.end(e);
      while (!open.empty() && open.back().second <= start) open.pop_back();
      const FrameId parent = open.empty() ? kNoFrame : open.back().first;
      const SpanKind kind = trace_.kind(e);
      if (isDeviceWork(kind)) {
        // A thread that runs kernels itself; one whose call is known is found there.
        if (trace_.link(e) == kNoEvent) addExecution(e, parent, lane);
        continue;
      }
      if (trace_.link(e) != kNoEvent) addLaunched(e, parent, lane);
      const auto frameKind = frameKindOf(trace_, e);
      if (!frameKind) continue;
      const FrameId frame = add({.event = e,
                                 .parent = parent,
                                 .name = trace_.nameId(e),
                                 .kind = *frameKind,
                                 .lane = lane,
                                 .start = start,
                                 .hostTotal = within(start, end),
                                 .hostSelf = within(start, end),
                                 .hostSelfWhole = end - start},
                                touches(e));
      // One that outlasts its parent took only a part of the parent's time.
      if (parent != kNoFrame) {
        const Nanoseconds last = std::min(end, open.back().second);
        made_.frames[parent].hostSelf -= within(start, last);
        made_.frames[parent].hostSelfWhole -= last - start;
      }
      open.emplace_back(frame, end);
    }
  }

  void addLaunched(EventId call, FrameId parent, LaneId lane) {
    for (EventId e = trace_.link(call); e != kNoEvent;) {
      addExecution(e, parent, lane, call);
      const LaunchDetails* details = trace_.details(e);
      e = details ? details->sibling : kNoEvent;
    }
  }

  void addExecution(EventId execution, FrameId parent, LaneId lane, EventId call = kNoEvent) {
    const LaunchDetails* details = trace_.details(execution);
    const NameId op = details ? details->op : 0;
    FrameId frame = parent;
    // Where no operator is around, what the launch says of itself stands for one.
    if (frame == kNoFrame || made_.frames[frame].kind != OperatorFrame::Kind::op || op != 0)
      frame = add({.parent = parent,
                   .name = op,
                   .kind = OperatorFrame::Kind::op,
                   .lane = lane,
                   .start = trace_.start(call == kNoEvent ? execution : call)},
                  false);
    OperatorFrame& of = made_.frames[frame];
    of.deviceSelfWhole += trace_.duration(execution);
    if (!touches(execution)) return;
    touched_[frame] = true;
    const Nanoseconds time = within(trace_.start(execution), trace_.end(execution));
    of.deviceSelf += time;
    ++of.kernels;
    made_.executions.push_back({execution, frame, time});
  }

  /// Work of devices whose call is not in the trace.
  void addUnlaunched() {
    for (const TraceRow& row : trace_.rows()) {
      if (trace_.lanes()[row.lane].kind != Lane::Kind::device) continue;
      for (EventId e = row.first; e < row.last && trace_.start(e) < range_.to; ++e)
        if (touches(e) && isDeviceWork(trace_.kind(e)) && trace_.link(e) == kNoEvent)
          addExecution(e, kNoFrame, row.lane);
    }
  }

  /// Drops the calls that have nothing in the range, and closes the gaps.
  void keepTouched() {
    for (FrameId id = static_cast<FrameId>(made_.frames.size()); id-- > 0;)
      if (touched_[id] && made_.frames[id].parent != kNoFrame)
        touched_[made_.frames[id].parent] = true;
    std::vector<FrameId> places(made_.frames.size(), kNoFrame);
    FrameId kept = 0;
    for (FrameId id = 0; id < made_.frames.size(); ++id) {
      if (!touched_[id]) continue;
      OperatorFrame frame = made_.frames[id];
      if (frame.parent != kNoFrame) frame.parent = places[frame.parent];
      places[id] = kept;
      made_.frames[kept++] = frame;
    }
    made_.frames.resize(kept);
    for (OperatorFrames::Execution& one : made_.executions) one.frame = places[one.frame];
  }

  void sumUp() {
    for (FrameId id = static_cast<FrameId>(made_.frames.size()); id-- > 0;) {
      OperatorFrame& frame = made_.frames[id];
      frame.deviceTotal += frame.deviceSelf;
      frame.hostSelf = std::max<Nanoseconds>(0, frame.hostSelf);
      frame.hostSelfWhole = std::max<Nanoseconds>(0, frame.hostSelfWhole);
      if (frame.parent != kNoFrame) made_.frames[frame.parent].deviceTotal += frame.deviceTotal;
    }
  }

  /// The path of the modules around each frame. Operators of autograd have that of the forward
  /// operator with the same number, which the last one that started with it recorded.
  void nameModules() {
    std::unordered_map<std::string, std::uint32_t> places;
    struct Forward {
      FrameId frame;
      bool several = false;  ///< threads, whose numbers mean different operators
    };
    std::unordered_map<std::int64_t, Forward> forwards;
    std::vector<bool> backward(made_.frames.size(), false);
    for (FrameId id = 0; id < made_.frames.size(); ++id) {
      OperatorFrame& frame = made_.frames[id];
      backward[id] = frame.parent != kNoFrame && backward[frame.parent];
      frame.module = frame.parent == kNoFrame ? 0 : made_.frames[frame.parent].module;
      if (frame.kind == OperatorFrame::Kind::module) {
        std::string path = made_.modules[frame.module];
        if (!path.empty()) path += '/';
        path += moduleNamed(trace_.nameText(frame.name));
        made_.hasModules = true;
        if (path.size() <= kLongestPath && made_.modules.size() < kMostModules) {
          const auto [place, isNew] =
              places.try_emplace(path, static_cast<std::uint32_t>(made_.modules.size()));
          if (isNew) made_.modules.push_back(path);
          frame.module = place->second;
        }
      }
      const OperatorArguments* known =
          frame.event == kNoEvent ? nullptr : trace_.operatorArguments(frame.event);
      if (known && known->forwardThread != 0) backward[id] = true;
      if (!known || known->sequence < 0 || backward[id]) continue;
      const auto [found, isNew] = forwards.try_emplace(known->sequence, Forward{id});
      if (isNew) continue;
      Forward& forward = found->second;
      if (made_.frames[forward.frame].lane != frame.lane) forward.several = true;
      forward.frame = id;
    }
    if (!made_.hasModules) return;
    for (OperatorFrame& frame : made_.frames) {
      const std::uint32_t around = frame.parent == kNoFrame ? 0 : made_.frames[frame.parent].module;
      if (frame.module == 0 && around != 0) frame.module = around;
      const OperatorArguments* known =
          frame.event == kNoEvent ? nullptr : trace_.operatorArguments(frame.event);
      if (!known || known->forwardThread == 0 || frame.module != 0) continue;
      const auto found = forwards.find(known->sequence);
      if (found != forwards.end() && !found->second.several)
        frame.module = made_.frames[found->second.frame].module;
    }
  }

  const Trace& trace_;
  TimeRange range_;
  OperatorFrames made_;
  std::vector<bool> touched_;  ///< for each frame: it, or what it launched, is partly in the range
};

}  // namespace

std::string_view moduleNamed(std::string_view name) {
  return name.starts_with(kModuleMark) ? name.substr(kModuleMark.size()) : std::string_view();
}

std::optional<OperatorFrame::Kind> frameKindOf(const Trace& trace, EventId event) {
  const SpanKind kind = trace.kind(event);
  if (kind == SpanKind::op) return OperatorFrame::Kind::op;
  if (kind == SpanKind::other && !moduleNamed(trace.name(event)).empty())
    return OperatorFrame::Kind::module;
  if (kind == SpanKind::annotation && !trace.name(event).starts_with(kStepMark))
    return OperatorFrame::Kind::range;
  return std::nullopt;
}

OperatorFrames operatorFrames(const Trace& trace, TimeRange range) {
  return FrameMaker(trace, range).make();
}

}  // namespace fusebench

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <deque>
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "profiler/trace/trace.h"
#include "profiler/trace/trace_flows.h"

namespace fusebench {

/// Thrown when a long piece of work was canceled.
class Canceled : public std::runtime_error {
 public:
  Canceled() : std::runtime_error("canceled") {}
};

/// Called now and then during long work with the share done, 0 to 1; false: give up (`Canceled`).
using TraceProgress = std::function<bool(double)>;

/// Collects spans and launches in any order and makes a trace of them. Times are nanoseconds on any
/// one clock; the trace counts from the earliest.
///
///   TraceBuilder builder("eager");
///   const LaneId host = builder.lane({.name = "main thread", ...});
///   builder.addSpan({.lane = host, .kind = SpanKind::guard, .name = "guard", .start = a, .end =
///   b}); builder.addLaunch({.name = "sin", .firstStatement = 1, .hostBegin = ..., .hostLane =
///   host, ...}); std::shared_ptr<const Trace> trace = builder.finish();
class TraceBuilder {
 public:
  struct Span {
    LaneId lane = 0;
    SpanKind kind = SpanKind::other;
    std::string_view name = {};
    Nanoseconds start = kNoTime, end = kNoTime;
    /// For a call that starts device work (runtime, driver, launch): joins it with launches added
    /// with the same number and no host times, one or (a graph) many. 0: none.
    std::uint64_t correlation = 0;
    const RecordedArguments* arguments = nullptr;  ///< null: not recorded
  };

  explicit TraceBuilder(std::string title);

  /// The lane with this kind, process and thread; made, or renamed if names are given.
  LaneId lane(const Lane& lane);
  /// Interns a text.
  NameId name(std::string_view text);
  /// The text of an interned name; its address is valid until finish().
  std::string_view text(NameId name) const { return texts_[name]; }
  void addSpan(const Span& span);
  /// The execution and, if it has host times, the call, joined. Mangled names are made readable.
  void addLaunch(const Launch& launch);

  /// The counter of this process and name; made, or its other texts set where they are given.
  std::size_t counter(const CounterTrack& counter);
  /// A value of a counter, in any order. Invalid numbers and times are counted as malformed.
  void addCount(std::size_t counter, Nanoseconds time, double value);
  /// A change of a counter whose values are the sums of its changes up to each time. A counter has
  /// either values or changes.
  void addChange(std::size_t counter, Nanoseconds time, double change);

  void setDevice(std::string model) { trace_->device_ = std::move(model); }
  /// The models of all devices, in order. Equal ones are listed once.
  void setDevices(const std::vector<std::string>& models);
  /// If a number already has other limits, its limits are not known any more.
  void addLimits(const DeviceLimits& limits);
  void setPartial(std::string why) { trace_->partial_ = std::move(why); }
  void setRank(int rank) { trace_->rank_ = rank; }
  void setNote(std::string note) { trace_->note_ = std::move(note); }
  void addPart(TracePart part) { trace_->parts_.push_back(std::move(part)); }
  /// Arrows between spans, which join what nothing else does; lanes as lane() gave them.
  void setFlows(TraceFlows flows) { flows_ = std::move(flows); }
  /// What time 0 of the added times is on the clock of the source; see Trace::origin.
  void setOrigin(Nanoseconds origin) { origin_ = origin; }
  /// The trace is `length` long and begins at time 0, whatever is in it; see Trace::windows.
  void setWindows(std::vector<std::pair<Nanoseconds, Nanoseconds>> windows, Nanoseconds length);
  TraceLosses& losses() { return trace_->losses_; }
  TraceRemarks& remarks() { return trace_->remarks_; }
  std::size_t size() const { return events_.size(); }
  bool hasCounters() const { return !trace_->counters_.empty(); }

  /// Sorts, lays nested spans into rows, joins calls and executions. The builder is empty then.
  std::shared_ptr<const Trace> finish(const TraceProgress& progress = {});

 private:
  static constexpr LaneId kNoLane = std::numeric_limits<LaneId>::max();
  struct Event {
    Nanoseconds start, end;
    LaneId lane;
    NameId name;
    std::uint32_t detail;
    EventId call;  ///< for an execution with host times: the event of its call, as added
    SpanKind kind;
  };
  struct Correlated {
    std::uint64_t correlation;
    std::int64_t process;  ///< the call's process
    Nanoseconds start;
    EventId event;
  };
  /// Times beyond these are invalid; between any two valid times the difference fits.
  static constexpr Nanoseconds kFarthest = Nanoseconds{1} << 61;
  static bool plausible(Nanoseconds time) { return time > -kFarthest && time < kFarthest; }
  NameId kernelName(std::string_view text);
  bool refuse(bool onDevice, Nanoseconds start, Nanoseconds end);
  EventId add(const Event& event);
  void addArguments(EventId event, const RecordedArguments* arguments);
  void placeArguments(const std::vector<EventId>& placeOf);
  std::vector<LaneId> sortLanes();
  std::vector<EventId> layOut(std::vector<EventId>& order);
  void join(const std::vector<EventId>& placeOf);
  void joinGroup(std::span<const Correlated> calls, std::span<const Correlated> executions,
                 const std::vector<EventId>& placeOf, const std::vector<std::int64_t>& callers);
  void placeCounters(Nanoseconds first);
  void joinByFlows(const std::vector<LaneId>& rank, Nanoseconds first);
  void link(EventId call, EventId execution);

  std::unique_ptr<Trace> trace_;
  Nanoseconds origin_ = 0;
  Nanoseconds keptLength_ = -1;  ///< where times are not counted from the first event
  std::vector<Event> events_;
  std::vector<Correlated> calls_, executions_;
  TraceFlows flows_;
  std::vector<Lane> lanes_;
  std::unordered_map<std::string, LaneId> laneIds_;
  std::unordered_map<std::string, std::size_t> counterIds_;
  std::unordered_set<std::size_t> summed_;  ///< counters of changes
  std::deque<std::string> texts_;
  std::unordered_map<std::string_view, NameId> nameIds_;
  std::unordered_map<std::string, NameId> mangledIds_;  ///< by the names that compilers wrote
};

}  // namespace fusebench

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "profiler/files/mapped_column.h"
#include "profiler/machine/occupancy.h"

namespace fusebench {

/// All times of a trace are nanoseconds on one clock that begins with its first event.
using Nanoseconds = std::int64_t;
inline constexpr Nanoseconds kNoTime = std::numeric_limits<Nanoseconds>::min();

using NameId = std::uint32_t;  ///< an interned text of one trace; 0 is the empty text
/// From here on correlations are given by us, where a file or a backend has none; beyond what
/// drivers count up to.
inline constexpr std::uint64_t kFirstOwnCorrelation = 1'000'000'000'000;
using LaneId = std::uint32_t;   ///< a place in Trace::lanes()
using EventId = std::uint32_t;  ///< a place in the drawing order of one trace
inline constexpr EventId kNoEvent = std::numeric_limits<EventId>::max();
inline constexpr std::int64_t kAnyProcess = std::numeric_limits<std::int64_t>::min();

/// The activity in a span of time. The first six are the parts of a call that Fusebench records
/// itself; the others come from imported traces.
enum class SpanKind : std::uint8_t {
  guard,       ///< checks on the inputs
  dispatch,    ///< looking up, checking shapes
  allocate,    ///< memory for the results
  launch,      ///< handing a kernel to its device; on the CPU it contains the kernel
  wait,        ///< the host waits for the device
  kernel,      ///< a kernel executes
  op,          ///< a framework's operator (Kineto cpu_op)
  annotation,  ///< a range that the program named (user_annotation, NVTX)
  runtime,     ///< a call of the CUDA runtime
  driver,      ///< a call of the CUDA driver
  copy,        ///< the device copies memory
  set,         ///< the device fills memory
  sync,        ///< synchronization as the device's tools report it
  overhead,    ///< the profiler's own work
  other,       ///< anything else
  graph,       ///< the device executes a graph as a whole, without separate kernels
  profiler,    ///< a profiler's reports about itself, or its sums: never work
};
inline constexpr std::size_t kSpanKinds = 17;
/// "guard", "kernel", "cpu op", ...
std::string_view nameOf(SpanKind kind);
/// Whether it is work of the device: kernel, copy, set, graph.
bool isDeviceWork(SpanKind kind);

/// Who does the work: a thread of the host, or a queue of a device.
struct Lane {
  enum class Kind : std::uint8_t { host, device };
  Kind kind = Kind::host;
  std::int64_t process = 0;  ///< the system's id, or the number of the device
  std::int64_t thread = 0;   ///< the system's id, or the number of the stream
  std::string processName, name;
  bool operator==(const Lane&) const = default;
};

/// The arguments of an operator or of a collective, as PyTorch's profiler writes them. Texts are
/// JSON lists with an entry per argument, without spaces. Values not recorded keep their defaults.
struct RecordedArguments {
  std::string_view shapes = {};      ///< "[[8,16],[16,32],[]]"
  std::string_view types = {};       ///< "[\"float\",\"float\",\"Scalar\"]"
  std::string_view values = {};      ///< "[\"\",\"\",\"1\"]"
  std::string_view strides = {};     ///< "[[16,1],[1,16],[]]"
  std::int64_t sequence = -1;        ///< in autograd: an operator and its backward share it
  std::int64_t forwardThread = 0;    ///< for a backward operator: the thread of its forward one
  std::string_view collective = {};  ///< "all_reduce", "_allgather_base"
  std::string_view dtype = {};       ///< the collective's elements: "Float", "BFloat16"
  std::string_view group = {};       ///< its process group
  std::int64_t elementsIn = -1, elementsOut = -1;  ///< in a collective, per rank
  std::int32_t ranks = 0;                          ///< in its group
  bool isOperator() const { return !shapes.empty() || sequence >= 0; }
  bool isCollective() const { return !collective.empty(); }
};

/// The arguments of an operator that a trace keeps; texts as in RecordedArguments, 0: not recorded.
struct OperatorArguments {
  NameId shapes = 0, types = 0, values = 0, strides = 0;
  std::int64_t sequence = -1, forwardThread = 0;
};
/// The arguments of a collective that a trace keeps.
struct CollectiveArguments {
  NameId name = 0, dtype = 0, group = 0;
  std::int64_t elementsIn = -1, elementsOut = -1;
  std::int32_t ranks = 0;
};

/// One kernel execution (or copy, or fill), on both backends. Members that are not known keep their
/// defaults.
struct Launch {
  SpanKind kind = SpanKind::kernel;
  std::string_view name = {};  ///< the kernel's, or the kind of copy: "Memcpy HtoD"
  std::string_view op = {};    ///< "sin", or "sin + mul + exp" for a fused kernel
  /// The statements it computes, from 1; a return is 0; -1: not known. A fused kernel holds
  /// several.
  std::int32_t firstStatement = -1, lastStatement = -1;
  /// The host's call. Without these times the call is found by `correlation`; see addSpan.
  Nanoseconds hostBegin = kNoTime, hostEnd = kNoTime;
  Nanoseconds queued = kNoTime, submitted = kNoTime;  ///< on the device's queue
  Nanoseconds start = kNoTime, end = kNoTime;         ///< the execution
  LaneId hostLane = 0;                                ///< counts only with host times
  LaneId deviceLane = 0;          ///< of a synchronous backend: the host's lane again
  std::uint64_t correlation = 0;  ///< shared by a call and its work, also by all of a graph
  /// Process of the call: each process counts its correlations by itself.
  std::int64_t callingProcess = kAnyProcess;
  std::uint64_t externalId = 0;  ///< id of the framework's operator
  std::uint32_t graph = 0;
  std::uint64_t graphNode = 0;
  std::array<std::uint32_t, 3> grid{}, block{};
  std::uint32_t registers = 0;                        ///< per thread
  std::uint32_t staticShared = 0, dynamicShared = 0;  ///< bytes
  std::int64_t bytesRead = -1, bytesWritten = -1;     ///< -1: not known
  std::int32_t device = -1, context = -1;
  float occupancy = -1, blocksPerSm = -1, warpsPerSm = -1;  ///< estimates; occupancy in percent
  const RecordedArguments* arguments = nullptr;  ///< for a collective; null: not recorded
};

/// A trace's data for a launch in addition to its events. Plain bytes: it may be in a mapped file.
struct LaunchDetails {
  Nanoseconds queued = kNoTime, submitted = kNoTime;
  std::uint64_t correlation = 0, externalId = 0, graphNode = 0;
  std::int64_t bytesRead = -1, bytesWritten = -1;
  NameId op = 0;
  std::int32_t firstStatement = -1, lastStatement = -1;
  std::uint32_t graph = 0;
  std::array<std::uint32_t, 3> grid{}, block{};
  std::uint32_t registers = 0, staticShared = 0, dynamicShared = 0;
  std::int32_t device = -1, context = -1;
  float occupancy = -1, blocksPerSm = -1, warpsPerSm = -1;
  EventId sibling = kNoEvent;  ///< the next execution that the same call started
  bool operator==(const LaunchDetails&) const = default;
};
static_assert(sizeof(LaunchDetails) <= 160);

/// Data that a trace could not show. They are counted and reported, never drawn.
struct TraceLosses {
  std::uint64_t dropped = 0;     ///< lost before they came here: a collector's full buffers
  std::uint64_t zero = 0;        ///< executions without a start, an end or a duration
  std::uint64_t inverted = 0;    ///< end before start
  std::uint64_t malformed = 0;   ///< records of a file that make no sense
  std::uint64_t unpaired = 0;    ///< a begin without an end, or the other way round
  std::uint64_t otherKinds = 0;  ///< asynchronous ranges and objects, which are not drawn
  TraceLosses& operator+=(const TraceLosses& other);
  std::uint64_t total() const {
    return dropped + zero + inverted + malformed + unpaired + otherKinds;
  }
  bool operator==(const TraceLosses&) const = default;
};
/// "12 dropped, 3 with end before start"; empty if nothing was lost.
std::string sentenceOf(const TraceLosses& losses);

/// Data that were changed or left out on import without losing information. They are counted and
/// reported.
struct TraceRemarks {
  std::uint64_t marks = 0;       ///< points in time, which are not spans
  std::uint64_t replaced = 0;    ///< texts with bytes that are not valid UTF-8, which were replaced
  std::uint64_t outOfOrder = 0;  ///< begins and ends that came after later ones of their thread
  std::uint64_t repeats = 0;     ///< spans that repeat those of another row of the file
  std::uint64_t foreignRows = 0;  ///< rows of a database about other things than time of work
  TraceRemarks& operator+=(const TraceRemarks& other);
  bool operator==(const TraceRemarks&) const = default;
};
/// "2 marks without a duration, 1 text with bytes that are not UTF-8"; empty if there is none.
std::string sentenceOf(const TraceRemarks& remarks);

/// A counter's values over time: memory in use, how busy a GPU is. Each holds until the next one.
struct CounterTrack {
  std::int64_t process = 0;
  std::string processName = {};         ///< may be empty
  std::string name;                     ///< "Memory allocated, GPU 0"
  std::string unit = {};                ///< "bytes", "%", "W"; empty: not in the file
  std::vector<Nanoseconds> times = {};  ///< rising
  std::vector<double> values = {};      ///< one per time
  bool operator==(const CounterTrack&) const = default;
};

/// Processes of a trace that belong together and ran by themselves: other parts' times are
/// unrelated to theirs.
struct TracePart {
  std::string name;
  std::vector<std::int64_t> processes;
};

/// Events of one lane that do not overlap, in order of time: [first, last) of the drawing order.
struct TraceRow {
  EventId first = 0, last = 0;
  LaneId lane = 0;
};

/// Recorded launches and host spans, in drawing order: lane by lane (host first), row by row (a
/// nested span is one row deeper, at any depth; in a device's lane work is above everything else),
/// by start. Made by a TraceBuilder; never changes. An event takes 29 bytes, a launch 128 more.
class Trace {
 public:
  std::size_t size() const { return start_.size(); }
  Nanoseconds start(EventId event) const { return start_[event]; }
  Nanoseconds duration(EventId event) const { return busyBetween(event, event + 1); }
  Nanoseconds end(EventId event) const { return start(event) + duration(event); }
  SpanKind kind(EventId event) const { return kind_[event]; }
  NameId nameId(EventId event) const { return name_[event]; }
  std::string_view name(EventId event) const { return names_[name_[event]]; }
  /// For an execution: the host's call that started it. For a call: its first execution.
  EventId link(EventId event) const { return link_[event]; }
  /// For a collective of several ranks: the same one of the rank before; kNoEvent: there is none.
  EventId meets(EventId event) const {
    const auto found = meetings_.find(event);
    return found == meetings_.end() ? kNoEvent : found->second;
  }
  /// Details of an execution, or of the call that started it; null for other spans.
  const LaunchDetails* details(EventId event) const {
    return detail_[event] == kNoEvent ? nullptr : &details_[detail_[event]];
  }
  /// For an operator of the host; null: nothing was recorded.
  const OperatorArguments* operatorArguments(EventId event) const;
  /// For a collective's kernel, or the host's range around its call; null: not recorded.
  const CollectiveArguments* collectiveArguments(EventId event) const;
  /// Both as the file has them, for a builder or a reader of operators.
  RecordedArguments recordedArguments(EventId event) const;
  bool hasOperatorArguments() const { return !operatorArguments_.empty(); }
  bool hasCollectiveArguments() const { return !collectiveArguments_.empty(); }
  std::size_t rowOf(EventId event) const;
  const Lane& laneOf(EventId event) const { return lanes_[rows_[rowOf(event)].lane]; }
  /// Total duration of the events [from, to) of one row.
  Nanoseconds busyBetween(EventId from, EventId to) const {
    return static_cast<Nanoseconds>(busy_[to] - busy_[from]);
  }
  /// The first event of the row that ends after `time`; row.last if none does.
  EventId firstEndingAfter(const TraceRow& row, Nanoseconds time) const;
  /// The first event of the row that starts at `time` or later.
  EventId firstStartingAt(const TraceRow& row, Nanoseconds time) const;
  std::span<const Nanoseconds> starts() const { return start_; }

  std::span<const Lane> lanes() const { return lanes_; }
  std::span<const TraceRow> rows() const { return rows_; }
  std::span<const TraceRow> rowsOf(LaneId lane) const;
  std::size_t names() const { return names_.size(); }
  std::string_view nameText(NameId name) const { return names_[name]; }

  /// Counters by process and name. Their times count from the begin of the trace, as all do.
  std::span<const CounterTrack> counters() const { return counters_; }

  Nanoseconds length() const { return length_; }  ///< from the first start to the last end
  Nanoseconds origin() const { return origin_; }  ///< of time 0, on the clock of the source
  /// From the first start to the last end of anything but a profiler's spans: what was recorded.
  Nanoseconds recordedFrom() const { return recordedFrom_; }
  Nanoseconds recordedTo() const { return recordedTo_; }
  /// The only times that count, in order and apart from each other, where the trace was limited to
  /// some; empty: all of it counts.
  std::span<const std::pair<Nanoseconds, Nanoseconds>> windows() const { return windows_; }
  const TraceLosses& losses() const { return losses_; }
  const TraceRemarks& remarks() const { return remarks_; }
  const std::string& title() const { return title_; }
  /// Its model, or those of unlike devices: "A card, 2 × B card"; empty if not known.
  const std::string& device() const { return device_; }
  /// Limits of the devices for which they are known.
  const std::vector<DeviceLimits>& limits() const { return limits_; }
  /// Why the trace does not hold all that its file does; empty: it does.
  const std::string& partial() const { return partial_; }
  /// Rank in a group of processes, from the file; -1: not given.
  int rank() const { return rank_; }
  /// How it came about, in a few words; may be empty.
  const std::string& note() const { return note_; }
  /// Empty: all of it ran together.
  const std::vector<TracePart>& parts() const { return parts_; }

 private:
  friend class TraceBuilder;
  std::vector<Nanoseconds> start_;
  std::vector<std::uint64_t> busy_{0};  ///< sum of the durations before; wraps, differences do not
  std::vector<NameId> name_;
  std::vector<std::uint32_t> detail_;
  std::vector<EventId> link_;
  std::unordered_map<EventId, EventId> meetings_;
  /// Only events that have some; sorted.
  std::vector<std::pair<EventId, OperatorArguments>> operatorArguments_;
  std::vector<std::pair<EventId, CollectiveArguments>> collectiveArguments_;
  std::vector<SpanKind> kind_;
  MappedColumn<LaunchDetails> details_;
  std::vector<std::string> names_{std::string()};
  std::vector<Lane> lanes_;
  std::vector<std::uint32_t> laneRows_;  ///< rows before the lane; one more than lanes
  std::vector<TraceRow> rows_;
  std::vector<CounterTrack> counters_;
  std::vector<std::pair<Nanoseconds, Nanoseconds>> windows_;
  Nanoseconds length_ = 0, origin_ = 0, recordedFrom_ = 0, recordedTo_ = 0;
  TraceLosses losses_;
  TraceRemarks remarks_;
  std::string title_, device_, partial_, note_;
  std::vector<TracePart> parts_;
  std::vector<DeviceLimits> limits_;
  int rank_ = -1;
};

/// Whether two traces hold the same events, lanes, links and details (names compared as texts).
bool sameTrace(const Trace& one, const Trace& other);
/// The first difference for people; empty if they are the same.
std::string differenceOf(const Trace& one, const Trace& other);

/// How full an execution can make its device; nothing if too little is known of either.
std::optional<Occupancy> occupancyOf(const Trace& trace, EventId event);

/// "sin, statement 3", "chain, statements 1–30"; without statements the kernel's name alone.
std::string labelOf(const Trace& trace, EventId event);

}  // namespace fusebench

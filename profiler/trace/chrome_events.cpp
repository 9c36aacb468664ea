// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/trace/chrome_events.h"

#include <fmt/format.h>
#include <algorithm>
#include <charconv>
#include <functional>
#include <optional>

#include "profiler/trace/trace_categories.h"
#include "profiler/trace/trace_counters.h"

namespace fusebench {
namespace {

/// The key for an event's process and thread; a place adds its kind.
std::string trackKey(std::string_view process, std::string_view thread) {
  std::string key(process);
  key += '\n';
  key += thread;
  return key;
}
/// Kineto's names of streams end in a space.
std::string_view withoutEnds(std::string_view name) {
  const std::size_t first = name.find_first_not_of(' ');
  if (first == std::string_view::npos) return {};
  return name.substr(first, name.find_last_not_of(' ') - first + 1);
}

constexpr const char *kDevicePlace = "\nd", *kHostPlace = "\nh";

}  // namespace

ChromeEvents::Place& ChromeEvents::place(const ChromeFields& fields, std::string_view thread,
                                         bool device) {
  std::string key = trackKey(fields.process, thread);
  key += device ? kDevicePlace : kHostPlace;
  if (last_ && key == lastKey_) {
    noteTrack(*last_, fields, thread);
    return *last_;
  }
  const auto [at, isNew] = places_.try_emplace(key);
  Place& found = at->second;
  if (isNew) {
    found.process = fields.process;
    found.thread = thread;
    found.track = fields.track;
    found.numbers.kind = device ? Lane::Kind::device : Lane::Kind::host;
    found.numbers.process = numberOf(fields.process);
    found.numbers.thread = numberOf(thread);
    found.lane = builder_.lane(found.numbers);
  }
  noteTrack(found, fields, thread);
  lastKey_ = std::move(key);
  last_ = &found;
  return found;
}

/// If an event is not placed where the file names it, flows that refer to it must find it.
void ChromeEvents::noteTrack(Place& at, const ChromeFields& fields, std::string_view thread) {
  constexpr std::size_t kMostLanes = 16;  // per track; more would make lookups too slow
  if (fields.track == thread || at.otherTrack == fields.track) return;
  at.otherTrack = fields.track;
  std::vector<LaneId>& lanes = flows_.tracks[track(fields)];
  if (lanes.size() < kMostLanes && std::ranges::find(lanes, at.lane) == lanes.end())
    lanes.push_back(at.lane);
}

std::uint32_t ChromeEvents::track(const ChromeFields& fields) {
  const auto [at, isNew] = tracks_.try_emplace(trackKey(fields.process, fields.track),
                                               static_cast<std::uint32_t>(flows_.tracks.size()));
  if (isNew) flows_.tracks.emplace_back();
  return at->second;
}

void ChromeEvents::addFlow(const ChromeFields& fields) {
  if (fields.id.empty()) return;
  const auto time = fromMicroseconds(fields.time);
  if (!time) {
    ++builder_.losses().malformed;
    return;
  }
  using enum FlowPoint::Kind;
  const std::hash<std::string_view> hash;
  flows_.points.push_back({.flow = hash(fields.category) * 31 + hash(fields.id),
                           .time = *time,
                           .track = track(fields),
                           .row = fields.row,
                           .kind = fields.phase == 's'          ? begin
                                   : fields.phase == 't'        ? step
                                   : fields.bindingPoint == "e" ? FlowPoint::Kind::end
                                                                : endAtNext});
}

void ChromeEvents::add(std::string_view text) {
  // Some writers end their list with an empty object, or begin it so.
  if (text.size() < 8 && text.find_first_not_of("{} \t\r\n") == std::string_view::npos) return;
  ChromeFields fields;
  if (!parser_.parse(text, fields)) {
    ++builder_.losses().malformed;
    return;
  }
  builder_.remarks().replaced += parser_.replaced();
  if (fields.phase == 'M') return addMetadata(fields);
  if (fields.phase == 's' || fields.phase == 't' || fields.phase == 'f') return addFlow(fields);
  if (fields.phase == 'C') return addCounts(fields);
  if (fields.phase == 'i' && fields.name == "[memory]" &&
      (fields.allocated >= 0 || (fields.allocation != 0 && fields.deviceType >= 0)))
    return addMemory(fields);
  // Asynchronous ranges, objects.
  constexpr std::string_view kOtherKinds = "benSTpFNOD", kMarks = "iIR";
  if (kOtherKinds.find(fields.phase) != std::string_view::npos) ++builder_.losses().otherKinds;
  if (kMarks.find(fields.phase) != std::string_view::npos) ++builder_.remarks().marks;
  if (fields.phase != 'X' && fields.phase != 'B' && fields.phase != 'E') return;
  const auto time = fromMicroseconds(fields.time);
  const auto duration =
      fields.phase == 'X' ? fromMicroseconds(fields.duration.empty() ? "0" : fields.duration) : 0;
  if (!time || !duration) {
    ++builder_.losses().malformed;
    return;
  }
  if (fields.phase != 'X')
    addEdge(fields, *time);
  else
    addComplete(fields, *time, *time + *duration);
}

/// Names that are not numbers get negative numbers, in the order in which they come.
std::int64_t ChromeEvents::numberOf(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc() && end == text.data() + text.size()) return value;
  return numbers_.emplace(text, -1 - static_cast<std::int64_t>(numbers_.size())).first->second;
}

void ChromeEvents::addComplete(const ChromeFields& fields, Nanoseconds start, Nanoseconds end) {
  SpanKind kind = kindOfCategory(fields.category);
  bool device = onDevice(fields.category);
  // A trace with stacks has many functions of Python, of which only this is known.
  if (kind == SpanKind::other && fields.category != "python_function") {
    using Kind = RowMeaning::Kind;
    const Kind meaning = meaningOf(fields).kind;
    if (fields.sums) kind = SpanKind::profiler;
    if (meaning == Kind::work)
      kind = kindOfWork(nameOfProcess(std::string(fields.process), std::string(fields.track)),
                        fields.name);
    if (meaning == Kind::repeats) ++builder_.remarks().repeats;
    if (meaning == Kind::repeats || meaning == Kind::annotation) kind = SpanKind::annotation;
    // JAX shows a call among the other slices of its thread; its work has the same number.
    const bool calls = meaning == Kind::unknown && fields.launch.correlation != 0;
    if (meaning == Kind::runtime || calls) kind = SpanKind::runtime;
    if (meaning == Kind::op) kind = SpanKind::op;
    device = meaning == Kind::work || meaning == Kind::repeats;
  }
  if (isDeviceWork(kind)) return addDeviceWork(fields, kind, start, end);
  // Kineto writes all waits of a process as those of its device 0.
  if (device && kind == SpanKind::sync && fields.launch.context >= 0) {
    waits_.push_back({start, end, builder_.name(fields.name), builder_.name(fields.process),
                      builder_.name(fields.thread), builder_.name(fields.stream),
                      fields.launch.context});
    return;
  }
  const Place& at =
      place(fields, device && !fields.stream.empty() ? fields.stream : fields.thread, device);
  const bool calls =
      kind == SpanKind::runtime || kind == SpanKind::driver || kind == SpanKind::launch;
  builder_.addSpan({at.lane, kind, fields.name, start, end, calls ? fields.launch.correlation : 0,
                    &fields.arguments});
}

void ChromeEvents::addDeviceWork(const ChromeFields& fields, SpanKind kind, Nanoseconds start,
                                 Nanoseconds end) {
  // A kernel of a process that is the CPU's: the thread itself ran it.
  const std::string* const label =
      saidOf(processLabels_, std::string(fields.process), std::string(fields.track));
  const bool byHost = label && *label == "CPU";
  const bool hasStream = !byHost && !fields.stream.empty();
  Launch launch = fields.launch;
  launch.kind = kind;
  launch.name = fields.name;
  launch.start = start;
  launch.end = end;
  launch.staticShared = static_cast<std::uint32_t>(
      fields.shared > launch.dynamicShared ? fields.shared - launch.dynamicShared : 0);
  const Place& at = place(fields, hasStream ? fields.stream : fields.thread, !byHost);
  if (launch.context >= 0 && !byHost) {
    const auto [known, isNew] = contexts_.try_emplace(launch.context, fields.process);
    if (!isNew && known->second != fields.process) known->second.reset();
  }
  launch.deviceLane = at.lane;
  launch.arguments = &fields.arguments;
  // Where a file gives work the process of its calls, numbers of other processes mean nothing.
  if (launch.callingProcess == kAnyProcess) launch.callingProcess = at.numbers.process;
  builder_.addLaunch(launch);
}

void ChromeEvents::addMetadata(const ChromeFields& fields) {
  const std::string process(fields.process);
  const std::string ofTrack = trackKey(fields.process, fields.track);
  if (fields.name == "process_name")
    for (const std::string& key : {process, ofTrack}) nameProcess(key, fields.argsName);
  if (fields.name == "process_labels")
    for (const std::string& key : {process, ofTrack}) processLabels_[key] = fields.argsLabels;
  if (fields.name == "thread_name")
    nameThread(fields.process, fields.thread, withoutEnds(fields.argsName));
}

void ChromeEvents::nameProcess(std::string_view key, std::string_view name) {
  const auto count = [this](const std::string& of) -> std::uint64_t* {
    const std::size_t stream = of.find("/stream");
    if (stream == std::string::npos) return nullptr;
    return of.compare(stream, 11, "/stream:all") == 0 ? &allStreams_ : &eachStream_;
  };
  std::string& known = processNames_[std::string(key)];
  if (std::uint64_t* const before = count(known)) --*before;
  known = name;
  if (std::uint64_t* const now = count(known)) ++*now;
}

void ChromeEvents::nameThread(std::string_view process, std::string_view thread,
                              std::string_view name) {
  std::string& known = threadNames_[trackKey(process, thread)];
  const bool was = !known.empty() && isStreamRow(known), is = isStreamRow(name);
  known = name;
  if (was != is) streamsOf_[std::string(process)] += is ? 1 : -1;
}

const std::string* ChromeEvents::saidOf(const std::map<std::string, std::string>& names,
                                        const std::string& process, const std::string& thread) {
  auto found = names.find(trackKey(process, thread));
  if (found == names.end()) found = names.find(process);
  return found == names.end() ? nullptr : &found->second;
}

std::string ChromeEvents::nameOfProcess(const std::string& process,
                                        const std::string& thread) const {
  const std::string* const said = saidOf(processNames_, process, thread);
  return said ? *said : process;
}

RowMeaning ChromeEvents::meaningNow(const std::string& process, const std::string& thread) const {
  const auto named = [](const std::map<std::string, std::string>& names, const std::string& of,
                        const std::string& otherwise) {
    const auto found = names.find(of);
    return found == names.end() ? otherwise : found->second;
  };
  RowsAround around;
  const auto streams = streamsOf_.find(process);
  around.streams = streams != streamsOf_.end() && streams->second > 0;
  around.allStreams = allStreams_ > 0;
  around.eachStream = eachStream_ > 0;
  return meaningOfRow(nameOfProcess(process, thread),
                      named(threadNames_, trackKey(process, thread), thread), around);
}

RowMeaning ChromeEvents::meaningOf(const ChromeFields& fields) {
  constexpr std::size_t kMostRowsKnown = 4096;  // a hostile file may name any number
  const std::string key = trackKey(fields.process, fields.thread);
  if (const auto found = rows_.find(key); found != rows_.end()) return found->second.meaning;
  if (rows_.size() >= kMostRowsKnown) return {};
  Row row{std::string(fields.process), std::string(fields.thread), {}};
  row.meaning = meaningNow(row.process, row.thread);
  return rows_.emplace(key, std::move(row)).first->second.meaning;
}

ChromeEvents::ChromeEvents(TraceBuilder& builder, const ChromeEvents& earlier)
    : builder_(builder),
      sorts_(earlier.outOfOrder_ > 0),
      outOfOrder_(earlier.outOfOrder_),
      processNames_(earlier.processNames_),
      processLabels_(earlier.processLabels_),
      threadNames_(earlier.threadNames_),
      allStreams_(earlier.allStreams_),
      eachStream_(earlier.eachStream_),
      streamsOf_(earlier.streamsOf_) {
  builder_.remarks().outOfOrder = outOfOrder_;
}

bool ChromeEvents::wantsAgain() const {
  return outOfOrder_ > 0 || std::ranges::any_of(rows_, [this](const auto& known) {
           const Row& row = known.second;
           return meaningNow(row.process, row.thread) != row.meaning;
         });
}

void ChromeEvents::addEdge(const ChromeFields& fields, Nanoseconds time) {
  Place& at = place(fields, fields.thread, false);
  if (sorts_) {
    at.edges.push_back({time, fields.launch.correlation, builder_.name(fields.name),
                        builder_.name(fields.category), builder_.name(fields.stream),
                        fields.phase == 'B'});
    return;
  }
  if (time < at.lastEdge) ++outOfOrder_;
  at.lastEdge = std::max(at.lastEdge, time);
  if (fields.phase == 'B')
    begin(fields, time);
  else
    finish(fields, time);
}

/// Those that had to be sorted, thread by thread.
void ChromeEvents::pairEdges() {
  std::vector<std::pair<ChromeFields, std::vector<Edge>>> sorted;
  std::vector<std::pair<std::string, std::string>> tracks;  // what the fields point to
  tracks.reserve(places_.size());
  for (auto& [key, at] : places_) {
    if (at.edges.empty()) continue;
    tracks.emplace_back(at.process, at.thread);
    ChromeFields fields;
    fields.process = tracks.back().first;
    fields.thread = fields.track = tracks.back().second;
    sorted.emplace_back(fields, std::move(at.edges));
    at.edges.clear();
  }
  for (auto& [fields, edges] : sorted) {
    std::ranges::stable_sort(edges, {}, &Edge::time);
    for (const Edge& edge : edges) {
      ChromeFields one = fields;
      one.name = builder_.text(edge.name);
      one.category = builder_.text(edge.category);
      one.stream = builder_.text(edge.stream);
      one.launch.correlation = edge.correlation;
      if (edge.begins)
        begin(one, edge.time);
      else
        finish(one, edge.time);
    }
  }
}

void ChromeEvents::placeWaits() {
  for (const Wait& wait : waits_) {
    ChromeFields fields;
    fields.process = builder_.text(wait.process);
    fields.thread = fields.track = builder_.text(wait.thread);
    if (const auto known = contexts_.find(wait.context); known != contexts_.end() && known->second)
      fields.process = *known->second;
    const std::string_view stream = builder_.text(wait.stream);
    if (!stream.empty()) fields.thread = fields.track = stream;
    const Place& at = place(fields, fields.thread, true);
    builder_.addSpan({at.lane, SpanKind::sync, builder_.text(wait.name), wait.start, wait.end, 0});
  }
  waits_.clear();
}

std::size_t ChromeEvents::counter(const ChromeFields& fields, std::string_view name,
                                  std::string_view unit) {
  const auto [at, isNew] = counters_.try_emplace(trackKey(fields.process, name));
  Counter& found = at->second;
  if (isNew) {
    found.process = fields.process;
    found.thread = fields.track;
    auto [bare, said] = nameAndUnit(name);
    found.track = {.process = numberOf(fields.process),
                   .name = std::move(bare),
                   .unit = unit.empty() ? std::move(said) : std::string(unit)};
    found.number = builder_.counter(found.track);
  }
  return found.number;
}

/// Each of its values is a counter of its own, named after it unless its name says nothing new.
void ChromeEvents::addCounts(const ChromeFields& fields) {
  const auto time = fromMicroseconds(fields.time);
  if (!time || fields.counts.empty()) {
    ++builder_.losses().malformed;
    return;
  }
  for (const auto& [series, value] : fields.counts) {
    std::string name(fields.name);
    if (!fields.id.empty()) name += fmt::format(" {}", fields.id);
    if (name.empty())
      name = series;
    else if (series != "value" && series != fields.name && !series.empty())
      name += fmt::format(": {}", series);
    builder_.addCount(counter(fields, name, {}), *time, value);
  }
}

/// The totals of PyTorch's allocators, at each allocation that its profiler records.
void ChromeEvents::addMemory(const ChromeFields& fields) {
  const auto time = fromMicroseconds(fields.time);
  if (!time) {
    ++builder_.losses().malformed;
    return;
  }
  // c10::DeviceType: 0 is the CPU.
  const std::string device =
      fields.deviceType == 0 ? "CPU" : fmt::format("GPU {}", std::max(0, fields.deviceId));
  // In traces of 2021 an event has its own bytes only. The memory in use before the first one is
  // not known, so the sum can become negative.
  if (fields.allocated < 0)
    return builder_.addChange(counter(fields, "Memory change since the start, " + device, "bytes"),
                              *time, static_cast<double>(fields.allocation));
  builder_.addCount(counter(fields, "Memory allocated, " + device, "bytes"), *time,
                    static_cast<double>(fields.allocated));
  // The CPU's allocator reserves nothing.
  if (fields.reserved > 0 || fields.deviceType > 0)
    builder_.addCount(counter(fields, "Memory reserved, " + device, "bytes"), *time,
                      static_cast<double>(std::max<std::int64_t>(0, fields.reserved)));
}

void ChromeEvents::begin(const ChromeFields& fields, Nanoseconds time) {
  place(fields, fields.thread, false)
      .open.push_back({time, std::string(fields.name), std::string(fields.category),
                       fields.launch.correlation});
}

void ChromeEvents::finish(const ChromeFields& fields, Nanoseconds time) {
  Place& at = place(fields, fields.thread, false);
  if (at.open.empty()) {
    ++builder_.losses().unpaired;
    return;
  }
  const Open open = std::move(at.open.back());
  at.open.pop_back();
  ChromeFields whole = fields;
  whole.name = open.name;
  whole.category = open.category;
  whole.launch.correlation = std::max(open.correlation, fields.launch.correlation);
  addComplete(whole, open.start, time);
}

void ChromeEvents::end(bool ours) {
  pairEdges();
  placeWaits();
  for (auto& [key, at] : places_) {
    builder_.losses().unpaired += at.open.size();
    Lane lane = at.numbers;
    const bool device = lane.kind == Lane::Kind::device;
    const auto text = [](const std::map<std::string, std::string>& names, const std::string& of) {
      const auto found = names.find(of);
      return found == names.end() ? std::string() : found->second;
    };
    lane.name = text(threadNames_, trackKey(at.process, at.track));
    if (lane.name.empty()) lane.name = text(threadNames_, trackKey(at.process, at.thread));
    const auto ofProcess = [&](const std::map<std::string, std::string>& names) {
      const std::string* const said = saidOf(names, at.process, at.track);
      return said ? *said : std::string();
    };
    lane.processName = ofProcess(processNames_);
    const std::string label = ofProcess(processLabels_);
    if (device && !label.empty() && label != "CPU" && !ours) lane.processName = label;
    const bool named = numbers_.contains(at.thread);
    if (lane.name.empty())
      lane.name = named ? at.thread : fmt::format("{} {}", device ? "stream" : "thread", at.thread);
    if (lane.processName.empty())
      lane.processName = numbers_.contains(at.process)
                             ? at.process
                             : fmt::format("{} {}", device ? "GPU" : "process", at.process);
    builder_.lane(lane);
  }
  for (auto& [key, known] : counters_) {
    const std::string* const label = saidOf(processLabels_, known.process, known.thread);
    const std::string* const name = saidOf(processNames_, known.process, known.thread);
    if (name) known.track.processName = *name;
    if (label && !label->empty() && *label != "CPU" && !ours) known.track.processName = *label;
    builder_.counter(known.track);
  }
  for (const auto& [key, number] : tracks_)
    for (const char* kind : {kHostPlace, kDevicePlace})
      if (const auto at = places_.find(key + kind); at != places_.end())
        flows_.tracks[number].push_back(at->second.lane);
  builder_.setFlows(std::move(flows_));
}

}  // namespace fusebench

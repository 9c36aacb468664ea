// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/trace/perfetto_packets.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <bit>

#include "profiler/trace/protobuf_fields.h"
#include "profiler/trace/row_meaning.h"
#include "profiler/trace/trace_categories.h"
#include "profiler/trace/trace_counters.h"

namespace fusebench {
namespace {

constexpr std::uint64_t kFirstOwnClock = 64;  ///< ids below are clocks of the system
constexpr int kMostDepth = 4;                 ///< packed packets in packed packets

template <typename Visit>
bool eachField(std::string_view message, Visit&& visit) {
  ProtobufReader reader(message);
  while (const auto field = reader.next()) visit(*field);
  return !reader.broken();
}

/// An entry of interned data: its number and its text.
std::pair<std::uint64_t, std::string> entryOf(std::string_view message) {
  std::pair<std::uint64_t, std::string> entry;
  eachField(message, [&](const ProtobufField& field) {
    if (field.number == 1) entry.first = field.value;
    if (field.number == 2 && field.isBytes) entry.second = field.bytes;
  });
  return entry;
}

}  // namespace

bool looksLikePerfetto(std::string_view begin) {
  // Trace is packets and nothing else, each field 1; the first few are looked into.
  constexpr int kLooked = 8;
  std::size_t at = 0;
  for (int packet = 0; packet < kLooked && at < begin.size(); ++packet) {
    if (begin[at] != '\x0A') return false;
    ProtobufReader head(begin.substr(at + 1));
    const auto length = head.varint();
    if (!length) return packet > 0;
    const std::size_t from = begin.size() - head.left();
    if (*length > begin.size() - from) return packet > 0;
    if (!eachField(begin.substr(from, static_cast<std::size_t>(*length)),
                   [](const ProtobufField&) {}))
      return false;
    at = from + static_cast<std::size_t>(*length);
  }
  return at > 2;
}

Nanoseconds PerfettoPackets::timeOf(Sequence& sequence, std::uint64_t clock,
                                    std::uint64_t stamp) const {
  const auto known = sequence.clocks.find(clock);
  if (known == sequence.clocks.end()) return static_cast<Nanoseconds>(stamp);
  Clock& of = known->second;
  if (of.counts) {
    of.own += stamp;
    of.base += static_cast<Nanoseconds>(stamp * of.unit);
    return of.base;
  }
  return of.base + static_cast<Nanoseconds>((stamp - of.own) * of.unit);
}

void PerfettoPackets::add(std::string_view packet, int depth) {
  std::uint64_t stamp = 0, clock = 0, sequenceId = 0, flags = 0;
  bool hasStamp = false, cleared = false;
  const bool whole = eachField(packet, [&](const ProtobufField& field) {
    if (field.number == 8) stamp = field.value, hasStamp = true;
    if (field.number == 58) clock = field.value;
    if (field.number == 10) sequenceId = field.value;
    if (field.number == 13) flags = field.value;
    if (field.number == 41) cleared = field.value != 0;
  });
  if (!whole) {
    ++builder_.losses().malformed;
    return;
  }
  Sequence& sequence = sequences_[sequenceId];
  if (cleared || (flags & 1) != 0) sequence = {};
  // State in the packet counts for its own event, too.
  eachField(packet, [&](const ProtobufField& field) {
    if (!field.isBytes) return;
    if (field.number == 6) addClocks(field.bytes, sequence);
    if (field.number == 12) addInterned(field.bytes, sequence);
    if (field.number == 59) addDefaults(field.bytes, sequence);
    if (field.number == 60) addTrack(field.bytes);
  });
  eachField(packet, [&](const ProtobufField& field) {
    if (!field.isBytes) return;
    const bool event = field.number == 11, stage = field.number == 53;
    if (field.number == 1) ++builder_.remarks().foreignRows;  // the system's kernel
    if (field.number == 50 && depth < kMostDepth) unpack(field.bytes, depth + 1);
    if (!event && !stage) return;
    const Nanoseconds time =
        hasStamp ? timeOf(sequence, clock ? clock : sequence.defaultClock, stamp) : kNoTime;
    event ? addEvent(field.bytes, sequence, time) : addStage(field.bytes, sequence, time);
  });
}

void PerfettoPackets::unpack(std::string_view packed, int depth) {
  z_stream stream{};
  if (inflateInit(&stream) != Z_OK) return;
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
  stream.avail_in = static_cast<uInt>(packed.size());
  std::string text;
  char piece[1 << 15];
  int code = Z_OK;
  while (code == Z_OK && unpackedLeft_ > 0) {
    stream.next_out = reinterpret_cast<Bytef*>(piece);
    stream.avail_out = static_cast<uInt>(std::min<std::uint64_t>(sizeof piece, unpackedLeft_));
    const uInt room = stream.avail_out;
    code = inflate(&stream, Z_NO_FLUSH);
    text.append(piece, room - stream.avail_out);
    unpackedLeft_ -= room - stream.avail_out;
  }
  inflateEnd(&stream);
  if (code != Z_STREAM_END) ++builder_.losses().malformed;
  ranOut_ = ranOut_ || (code == Z_OK && unpackedLeft_ == 0);
  eachField(text, [&](const ProtobufField& field) {
    if (field.number == 1 && field.isBytes) add(field.bytes, depth);
  });
}

void PerfettoPackets::addClocks(std::string_view message, Sequence& sequence) {
  // The values of the writer's own clocks at a value of one of the system's.
  std::map<std::uint64_t, Clock> own;
  std::uint64_t system = 0;
  eachField(message, [&](const ProtobufField& field) {
    if (field.number != 1 || !field.isBytes) return;
    std::uint64_t id = 0;
    Clock clock;
    eachField(field.bytes, [&](const ProtobufField& part) {
      if (part.number == 1) id = part.value;
      if (part.number == 2) clock.own = part.value;
      if (part.number == 3) clock.counts = part.value != 0;
      if (part.number == 4) clock.unit = std::max<std::uint64_t>(1, part.value);
    });
    if (id >= kFirstOwnClock)
      own[id] = clock;
    else if (system == 0 || id == 6)  // among several the one since the start
      system = clock.own;
  });
  for (auto& [id, clock] : own) {
    clock.base = static_cast<Nanoseconds>(system);
    sequence.clocks[id] = clock;
  }
}

void PerfettoPackets::addInterned(std::string_view message, Sequence& sequence) {
  eachField(message, [&](const ProtobufField& field) {
    if (!field.isBytes) return;
    if (field.number == 1) sequence.categories.insert(entryOf(field.bytes));
    if (field.number == 2) sequence.names.insert(entryOf(field.bytes));
    if (field.number == 24) sequence.stages.insert(entryOf(field.bytes));
  });
}

void PerfettoPackets::addDefaults(std::string_view message, Sequence& sequence) {
  eachField(message, [&](const ProtobufField& field) {
    if (field.number == 58) sequence.defaultClock = field.value;
    if (field.number == 11 && field.isBytes)
      eachField(field.bytes, [&](const ProtobufField& part) {
        if (part.number == 11) sequence.defaultTrack = part.value;
      });
  });
}

void PerfettoPackets::addTrack(std::string_view message) {
  std::uint64_t uuid = 0;
  Track track;
  eachField(message, [&](const ProtobufField& field) {
    if (field.number == 1) uuid = field.value;
    if (field.number == 5) track.parent = field.value;
    if ((field.number == 2 || field.number == 10) && field.isBytes) track.name = field.bytes;
    if (field.number == 8 && field.isBytes) addCounter(field.bytes, track);
    const bool process = field.number == 3, thread = field.number == 4;
    if (!field.isBytes || (!process && !thread)) return;
    eachField(field.bytes, [&](const ProtobufField& part) {
      if (part.number == 1) track.process = static_cast<std::int32_t>(part.value);
      if (thread && part.number == 2) track.thread = static_cast<std::int32_t>(part.value);
      if (thread && part.number == 5 && track.name.empty()) track.name = part.bytes;
      if (process && part.number == 6) track.processName = part.bytes;
    });
  });
  tracks_[uuid] = std::move(track);
}

/// Its unit, and how its values are written.
void PerfettoPackets::addCounter(std::string_view message, Track& track) {
  eachField(message, [&](const ProtobufField& field) {
    if (field.number == 3 && field.value == 1) track.unit = "ns";
    if (field.number == 3 && field.value == 3) track.unit = "bytes";
    if (field.number == 4 && field.value != 0) track.factor = static_cast<double>(field.value);
    if (field.number == 5) track.adds = field.value != 0;
    if (field.number == 6 && field.isBytes) track.unit = field.bytes;
  });
}

void PerfettoPackets::addEvent(std::string_view message, Sequence& sequence, Nanoseconds time) {
  std::uint64_t type = 0, track = sequence.defaultTrack;
  std::string_view name, category;
  std::vector<std::uint64_t> flows;
  double count = 0;
  const auto textOf = [](const auto& texts, std::uint64_t id) -> std::string_view {
    const auto found = texts.find(id);
    return found == texts.end() ? std::string_view() : std::string_view(found->second);
  };
  const bool whole = eachField(message, [&](const ProtobufField& field) {
    switch (field.number) {
      case 3:
        if (!field.isBytes && category.empty()) category = textOf(sequence.categories, field.value);
        break;
      case 22:
        if (category.empty()) category = field.bytes;
        break;
      case 10:
        name = textOf(sequence.names, field.value);
        break;
      case 23:
        name = field.bytes;
        break;
      case 9:
        type = field.value;
        break;
      case 11:
        track = field.value;
        break;
      case 30:
        count = static_cast<double>(static_cast<std::int64_t>(field.value));
        break;
      case 44:
        count = std::bit_cast<double>(field.value);
        break;
      case 47:
      case 48:
        if (!field.isBytes) flows.push_back(field.value);
        break;
      default:
        break;
    }
  });
  if (!whole || time == kNoTime) {
    ++builder_.losses().malformed;
    return;
  }
  if (type == 3) ++builder_.remarks().marks;
  if (type == 4) counts_[track].push_back({time, count});
  if (type != 1 && type != 2) return;
  edges_[track].push_back({time, builder_.name(name), builder_.name(category), type == 1});
  if (type == 1)
    for (const std::uint64_t flow : flows) flows_.push_back({flow, track, time});
}

/// Stages of a GPU's own queues, from its driver.
void PerfettoPackets::addStage(std::string_view message, Sequence& sequence, Nanoseconds time) {
  std::uint64_t duration = 0, queue = 0, stage = 0, gpu = 0;
  std::string_view name;
  eachField(message, [&](const ProtobufField& field) {
    if (field.number == 2) duration = field.value;
    if (field.number == 3 || field.number == 13) queue = field.value;
    if (field.number == 4 || field.number == 14) stage = field.value;
    if (field.number == 11) gpu = field.value;
  });
  if (const auto found = sequence.stages.find(stage); found != sequence.stages.end())
    name = found->second;
  const std::string numbered = fmt::format("stage {}", stage);
  builder_.addLaunch(
      {.name = name.empty() ? std::string_view(numbered) : name,
       .start = time,
       .end = time == kNoTime ? kNoTime : time + static_cast<Nanoseconds>(duration),
       .deviceLane = builder_.lane({Lane::Kind::device, static_cast<std::int64_t>(gpu),
                                    static_cast<std::int64_t>(queue), fmt::format("GPU {}", gpu),
                                    fmt::format("queue {}", queue)}),
       .device = static_cast<std::int32_t>(gpu)});
}

/// The track, with the process of the tracks that contain it.
PerfettoPackets::Track PerfettoPackets::placeOf(std::uint64_t uuid) const {
  Track place;
  const auto self = tracks_.find(uuid);
  if (self != tracks_.end()) place = self->second;
  std::uint64_t parent = place.parent;
  for (int up = 0; up < 16 && parent != 0; ++up) {
    const auto found = tracks_.find(parent);
    if (found == tracks_.end()) break;
    if (place.process < 0) place.process = found->second.process;
    if (place.processName.empty())
      place.processName =
          found->second.processName.empty() ? found->second.name : found->second.processName;
    parent = found->second.parent;
  }
  // A thread names its process by number only.
  if (place.processName.empty() && place.process >= 0)
    if (const auto named = processNames_.find(place.process); named != processNames_.end())
      place.processName = named->second;
  return place;
}

void PerfettoPackets::addSlice(const Track& track, LaneId lane, bool device, const Edge& begin,
                               Nanoseconds end) {
  const std::string_view name = builder_.text(begin.name);
  SpanKind kind = kindOfCategory(builder_.text(begin.category));
  if (device && kind == SpanKind::other) kind = kindOfWork(track.processName, name);
  if (isDeviceWork(kind))
    builder_.addLaunch(
        {.kind = kind, .name = name, .start = begin.time, .end = end, .deviceLane = lane});
  else
    builder_.addSpan({lane, kind, name, begin.time, end});
}

void PerfettoPackets::pair(std::uint64_t uuid, std::vector<Edge>& edges) {
  const Track track = placeOf(uuid);
  const bool work = meaningOfRow(track.processName, track.name, {}).kind == RowMeaning::Kind::work;
  const bool device = work || std::ranges::any_of(edges, [this](const Edge& edge) {
                        return isDeviceWork(kindOfCategory(builder_.text(edge.category)));
                      });
  const auto number = static_cast<std::int64_t>(uuid);
  const LaneId lane = builder_.lane(
      {device ? Lane::Kind::device : Lane::Kind::host, std::max<std::int64_t>(0, track.process),
       track.thread >= 0 ? track.thread : number,
       track.processName.empty()
           ? fmt::format("process {}", std::max<std::int64_t>(0, track.process))
           : track.processName,
       track.name.empty() ? fmt::format("track {}", uuid) : track.name});
  made_.tracks.push_back({lane});
  if (!std::ranges::is_sorted(edges, {}, &Edge::time)) {
    Nanoseconds latest = kNoTime;
    for (const Edge& edge : edges) {
      builder_.remarks().outOfOrder += edge.time < latest;
      latest = std::max(latest, edge.time);
    }
    std::ranges::stable_sort(edges, {}, &Edge::time);
  }
  std::vector<Edge> open;
  for (const Edge& edge : edges) {
    if (edge.begins) {
      open.push_back(edge);
    } else if (open.empty()) {
      ++builder_.losses().unpaired;
    } else {
      addSlice(track, lane, device, open.back(), edge.time);
      open.pop_back();
    }
  }
  builder_.losses().unpaired += open.size();
  edges = {};
}

void PerfettoPackets::end() {
  for (const auto& [uuid, track] : tracks_)
    if (track.process >= 0 && !track.processName.empty())
      processNames_.try_emplace(track.process, track.processName);
  std::map<std::uint64_t, std::uint32_t> numbers;
  for (auto& [uuid, edges] : edges_) {
    numbers[uuid] = static_cast<std::uint32_t>(made_.tracks.size());
    pair(uuid, edges);
  }
  addCounts();
  addFlows(numbers);
}

void PerfettoPackets::addCounts() {
  for (const auto& [uuid, counts] : counts_) {
    const Track track = placeOf(uuid);
    auto [name, unit] =
        nameAndUnit(track.name.empty() ? fmt::format("counter {}", uuid) : track.name);
    const std::size_t counter =
        builder_.counter({.process = std::max<std::int64_t>(0, track.process),
                          .processName = track.processName,
                          .name = std::move(name),
                          .unit = track.unit.empty() ? std::move(unit) : track.unit});
    double sum = 0;
    for (const Count& one : counts) {
      sum = track.adds ? sum + one.value : one.value;
      builder_.addCount(counter, one.time, sum * track.factor);
    }
  }
}

/// The earliest event of a flow sets the others off.
void PerfettoPackets::addFlows(const std::map<std::uint64_t, std::uint32_t>& trackNumbers) {
  std::ranges::stable_sort(flows_, [](const FlowEnd& a, const FlowEnd& b) {
    return std::pair(a.flow, a.time) < std::pair(b.flow, b.time);
  });
  for (std::size_t i = 0; i < flows_.size(); ++i) {
    const bool first = i == 0 || flows_[i].flow != flows_[i - 1].flow;
    made_.points.push_back({.flow = flows_[i].flow,
                            .time = flows_[i].time,
                            .track = trackNumbers.at(flows_[i].track),
                            .kind = first ? FlowPoint::Kind::begin : FlowPoint::Kind::end});
  }
  builder_.setFlows(std::move(made_));
}

}  // namespace fusebench

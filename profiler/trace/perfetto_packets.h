// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "profiler/trace/trace_builder.h"

namespace fusebench {

/// Turns packets of a Perfetto trace into spans and launches: track events (slices with their
/// tracks, interned names, flows), and stages of GPUs. Numbers of fields and their meanings: the
/// schema that Perfetto publishes, protos/perfetto/trace.
class PerfettoPackets {
 public:
  /// `mostUnpacked`: maximum number of bytes to which all compressed packets of the file together
  /// may expand. They can be nested, and each level would otherwise multiply the size of the one
  /// around it.
  PerfettoPackets(TraceBuilder& builder, std::uint64_t mostUnpacked)
      : builder_(builder), unpackedLeft_(mostUnpacked) {}

  /// One TracePacket. Invalid packets are counted.
  void add(std::string_view packet, int depth = 0);
  /// Call it after the last packet: pairs begins and ends, names lanes.
  void end();
  /// Whether compressed packets were left out because they would expand to more than that.
  bool ranOut() const { return ranOut_; }

 private:
  struct Clock {
    Nanoseconds base = 0;    ///< on the trace's clock, not on `own`
    std::uint64_t own = 0;   ///< the last time, if each is relative to the previous one
    std::uint64_t unit = 1;  ///< nanoseconds
    bool counts = false;     ///< relative to the previous event
  };
  /// The state shared by packets of one writer.
  struct Sequence {
    std::unordered_map<std::uint64_t, std::string> names, categories, stages;
    std::map<std::uint64_t, Clock> clocks;
    std::uint64_t defaultClock = 0, defaultTrack = 0;
  };
  struct Track {
    std::string name;
    std::uint64_t parent = 0;
    std::int64_t process = -1, thread = -1;
    std::string processName;
    std::string unit;   ///< for a counter
    double factor = 1;  ///< the factor of its values
    bool adds = false;  ///< each of its values is the difference from the previous one
  };
  struct Count {
    Nanoseconds time;
    double value;
  };
  struct Edge {
    Nanoseconds time;
    NameId name, category;
    bool begins;
  };
  struct Packet;

  Nanoseconds timeOf(Sequence& sequence, std::uint64_t clock, std::uint64_t stamp) const;
  void addInterned(std::string_view message, Sequence& sequence);
  void addClocks(std::string_view message, Sequence& sequence);
  void addDefaults(std::string_view message, Sequence& sequence);
  void addTrack(std::string_view message);
  static void addCounter(std::string_view message, Track& track);
  void addCounts();
  void addEvent(std::string_view message, Sequence& sequence, Nanoseconds time);
  void addStage(std::string_view message, Sequence& sequence, Nanoseconds time);
  void unpack(std::string_view packed, int depth);
  Track placeOf(std::uint64_t uuid) const;
  void pair(std::uint64_t uuid, std::vector<Edge>& edges);
  void addSlice(const Track& track, LaneId lane, bool device, const Edge& begin, Nanoseconds end);
  void addFlows(const std::map<std::uint64_t, std::uint32_t>& trackNumbers);

  TraceBuilder& builder_;
  std::unordered_map<std::uint64_t, Sequence> sequences_;
  std::map<std::uint64_t, Track> tracks_;
  std::unordered_map<std::int64_t, std::string> processNames_;  ///< by number, once all are known
  std::map<std::uint64_t, std::vector<Edge>> edges_;
  std::map<std::uint64_t, std::vector<Count>> counts_;  ///< by track
  struct FlowEnd {
    std::uint64_t flow, track;
    Nanoseconds time;
  };
  std::vector<FlowEnd> flows_;
  TraceFlows made_;
  std::uint64_t unpackedLeft_;
  bool ranOut_ = false;
};

/// Whether the beginning of a file consists of such packets.
bool looksLikePerfetto(std::string_view begin);

}  // namespace fusebench

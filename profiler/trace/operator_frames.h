// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "profiler/trace/trace_statistics.h"

namespace fusebench {

using FrameId = std::uint32_t;
inline constexpr FrameId kNoFrame = std::numeric_limits<FrameId>::max();

/// One call of a module, of a range that the program named, or of an operator.
struct OperatorFrame {
  enum class Kind : std::uint8_t { module, range, op };
  EventId event = kNoEvent;   ///< kNoEvent: work whose operator was not recorded
  FrameId parent = kNoFrame;  ///< always a smaller number
  NameId name = 0;            ///< 0: not recorded
  std::uint32_t module = 0;   ///< in OperatorFrames::modules
  Kind kind = Kind::op;
  LaneId lane = 0;        ///< for the host
  Nanoseconds start = 0;  ///< for the call; work without a call has a separate number
  Nanoseconds hostTotal = 0, hostSelf = 0;
  Nanoseconds deviceTotal = 0, deviceSelf = 0;  ///< work that it launched: total, and by itself
  /// The times without nested calls, regardless of which part of the call is in the range.
  Nanoseconds hostSelfWhole = 0, deviceSelfWhole = 0;
  std::uint64_t kernels = 0;  ///< executions that it launched by itself
};

/// All calls of a trace, with the device work that each of them launched. A parent comes before its
/// children; calls of one thread are in order of time.
struct OperatorFrames {
  struct Execution {
    EventId event;
    FrameId frame;
    Nanoseconds time;  ///< in the range
  };
  std::vector<OperatorFrame> frames;
  std::vector<Execution> executions;  ///< for a device's work, in order of frames
  /// "Net_0/Linear_1"; the first is empty: outside of all modules. A backward operator belongs to
  /// the module of its forward operator.
  std::vector<std::string> modules{std::string()};
  bool device = false;  ///< there is device work
  bool hasModules = false;
};

/// Calls that are partly in the range, or whose launched work is partly in it. Times are the parts
/// in the range, except the times of whole calls. The tree follows the nesting of spans in a
/// thread: modules and operators, if they are recorded, joined with kernels by the calls that
/// launched these. Takes time and memory in proportion to the trace.
OperatorFrames operatorFrames(const Trace& trace, TimeRange range);

/// Whether a span is a call in the tree, and which kind; nothing: it is not.
std::optional<OperatorFrame::Kind> frameKindOf(const Trace& trace, EventId event);

/// "Linear_0" of "nn.Module: Linear_0"; empty: the name is not that of a module's call.
std::string_view moduleNamed(std::string_view name);

}  // namespace fusebench

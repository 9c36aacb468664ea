// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <limits>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "profiler/trace/operator_frames.h"

namespace fusebench {

/// The key by which the calls of operators are grouped.
enum class OperatorKey : std::uint8_t {
  op,      ///< the operator's name
  module,  ///< the modules around it: "Net_0/Linear_1"
  shape,   ///< its name, with the shapes and dtypes of its tensors
  step,    ///< the profiler's step, otherwise the program's range
  stream,  ///< the stream of its first kernel
};
inline constexpr std::size_t kOperatorKeys = 5;
/// "operator", "module", "shape", "step", "stream".
std::string_view nameOf(OperatorKey key);
/// The keys of "module,operator". Throws InputError, naming the existing keys.
std::vector<OperatorKey> operatorKeysNamed(std::string_view list);

struct OperatorGroup {
  std::string op, module, shapes, dtypes, step, stream;  ///< empty if they are not grouped by it
  std::uint64_t calls = 0;    ///< for operators; for modules if they are not grouped by operators
  std::uint64_t kernels = 0;  ///< that the calls launched by themselves
  /// Times of whole calls count a call once, even if it calls others of the same group.
  Nanoseconds hostTotal = 0, hostSelf = 0, deviceTotal = 0, deviceSelf = 0;
  double share = 0;  ///< of the device's time without nested calls; without a device, of the host's
  EventId longest = kNoEvent;  ///< the longest call, or work without a call
  bool operator==(const OperatorGroup&) const = default;
};
inline constexpr std::uint32_t kNoGroup = std::numeric_limits<std::uint32_t>::max();
/// The group with the longest time by itself first. `groupOfFrame`, if it is not null, receives the
/// position of each frame's group in the result, or kNoGroup.
std::vector<OperatorGroup> operatorGroups(const Trace& trace, const OperatorFrames& frames,
                                          std::span<const OperatorKey> keys,
                                          std::vector<std::uint32_t>* groupOfFrame = nullptr);

/// "Net_0/Linear_1 · aten::addmm", from the texts that are not empty.
std::string titleOf(const OperatorGroup& group);

/// A trace's groups by its title, for tables.
struct OperatorReport {
  std::string title;
  bool device = false;
  std::vector<OperatorGroup> groups;
};
std::string operatorsCsv(std::span<const OperatorReport> reports);
nlohmann::ordered_json operatorsJson(std::span<const OperatorReport> reports,
                                     std::span<const OperatorKey> keys);

}  // namespace fusebench

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "profiler/trace/operator_frames.h"

namespace fusebench {

/// Calls with the same callers, as one.
struct OperatorNode {
  enum class Kind : std::uint8_t { root, module, range, op, kernel };
  Kind kind = Kind::root;
  NameId name = 0;  ///< 0: the root, or an operator that was not recorded
  std::uint32_t parent = 0;
  std::vector<std::uint32_t> children;  ///< the longest first
  std::uint64_t calls = 0;
  Nanoseconds hostTotal = 0, hostSelf = 0;
  /// A device's time is that of kernels: operators and modules have none by themselves.
  Nanoseconds deviceTotal = 0, deviceSelf = 0;
  EventId longest = kNoEvent;
};

/// The first node is the root; a parent comes before its children.
struct OperatorTree {
  std::vector<OperatorNode> nodes;
  bool device = false;   ///< times of the device are known: they order the children
  bool complete = true;  ///< false: calls beyond the limit of nodes are counted for their callers

  Nanoseconds timeOf(std::uint32_t node) const {
    return device ? nodes[node].deviceTotal : nodes[node].hostTotal;
  }
};

/// From modules through operators down to kernels.
OperatorTree operatorTree(const Trace& trace, const OperatorFrames& frames);
/// From the calls that took the time up to their callers: the totals of a node are the time that
/// the top of its branch took by itself when it was called this way.
OperatorTree callersTree(const OperatorTree& tree);

/// The node of a call or of a device's work; 0: it has none. Enclosing calls are found as in
/// operatorFrames().
std::uint32_t nodeOf(const Trace& trace, const OperatorTree& tree, EventId event);

/// The display name of a node: without "nn.Module: ".
std::string_view nodeName(const Trace& trace, const OperatorNode& node);

}  // namespace fusebench

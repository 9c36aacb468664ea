// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ui/models/canvas/canvas_graph.h"

namespace fusebench {

/// Ops that one launch computes, as nodes of the canvas.
struct CanvasKernel {
  std::vector<int> nodes;
  QString name;
  bool reduces = false;
  std::vector<int> phaseOf;  ///< per node, starting at 0; empty: a single phase
  /// Whether another phase begins with the node at this place.
  bool beginsPhase(std::size_t i) const {
    return i > 0 && i < phaseOf.size() && phaseOf[i] > phaseOf[i - 1];
  }
  friend bool operator==(const CanvasKernel&, const CanvasKernel&) = default;
};

/// The launches of an executor for the displayed program, in order.
struct CanvasKernels {
  std::vector<CanvasKernel> kernels;
  QString unknown;  ///< why there is nothing to show, in words
  bool known() const { return unknown.isEmpty(); }
  int launches() const { return static_cast<int>(kernels.size()); }
  /// Index of the kernel that computes `node`; -1: none.
  int kernelOf(int node) const;
  /// "34 launches", "1 launch", "" if not known.
  QString count() const;
};

/// The launches of `executor` on a device for the active statements. `types` are those of the
/// sketch's values.
CanvasKernels canvasKernels(const CanvasGraph& graph, const Sketch& sketch,
                            std::span<const std::optional<ValueType>> types,
                            std::string_view executor, int active, std::string_view device = "cpu");

/// Everything that the kernels of all variants are planned from, in any thread.
struct KernelsRequest {
  /// An executor and an input set: what the kernels of a variant depend on.
  using Key = std::pair<std::string, std::string>;
  CanvasGraph graph;
  std::shared_ptr<const Sketch> sketch;
  std::map<Key, std::vector<std::optional<ValueType>>> types;  ///< one for each value of the sketch
  int active = 0;
  std::string device = "cpu";
};
using PlannedKernels = std::map<KernelsRequest::Key, CanvasKernels>;
/// The launches for each key.
PlannedKernels planKernels(const KernelsRequest& request);

/// Two nodes of one kernel that its outline joins, and the edge between them; -1: none.
struct KernelLink {
  int from = 0, to = 0;
  int edge = -1;
};

/// What must be joined so that each kernel is connected: its edges, and links from each unconnected
/// piece to the previous one.
std::vector<KernelLink> kernelLinks(const CanvasGraph& graph, const CanvasKernels& kernels);

}  // namespace fusebench

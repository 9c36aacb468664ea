// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/canvas/canvas_kernels.h"

#include <algorithm>
#include <numeric>

#include <QCoreApplication>

#include "engine/base/said_again.h"
#include "engine/plan/islands.h"
#include "engine/run/executor.h"
#include "profiler/experiment/variant_executors.h"
#include "profiler/machine/backend_table.h"
#include "ui/models/base/as_index.h"
#include "ui/models/base/ui_text.h"

namespace fusebench {
namespace {

/// The shown program's number of each op of the program that runs: the
/// statements' ops are the first ones of both, the return's the last.
std::vector<int> shownOps(const Program& runs, const Program& shown) {
  std::vector<int> result(runs.ops.size());
  const auto shift = static_cast<int>(shown.ops.size()) - static_cast<int>(runs.ops.size());
  for (std::size_t i = 0; i < runs.ops.size(); ++i)
    result[i] = static_cast<int>(i) + (runs.ops[i].statement < 0 ? shift : 0);
  return result;
}

class Pieces {
 public:
  explicit Pieces(std::size_t count) : parent_(count) {
    std::iota(parent_.begin(), parent_.end(), 0);
  }
  int find(int i) {
    while (parent_[at(i)] != i) i = parent_[at(i)] = parent_[at(parent_[at(i)])];
    return i;
  }
  bool join(int a, int b) {
    a = find(a);
    b = find(b);
    parent_[at(a)] = b;
    return a != b;
  }

 private:
  std::vector<int> parent_;
};

}  // namespace

int CanvasKernels::kernelOf(int node) const {
  for (std::size_t i = 0; i < kernels.size(); ++i)
    if (std::find(kernels[i].nodes.begin(), kernels[i].nodes.end(), node) != kernels[i].nodes.end())
      return static_cast<int>(i);
  return -1;
}

QString CanvasKernels::count() const {
  if (!known()) return {};
  return launches() == 1 ? uiText("1 launch") : uiText("%1 launches").arg(launches());
}

CanvasKernels canvasKernels(const CanvasGraph& graph, const Sketch& sketch,
                            std::span<const std::optional<ValueType>> types,
                            std::string_view executor, int active, std::string_view device) {
  CanvasKernels result;
  if (!sketch.valid()) {
    result.unknown = uiText("Kernels are shown once the problems are solved");
    return result;
  }
  if (runsInTorch(executor)) {
    result.unknown = uiText("PyTorch runs this variant: its kernels are not known here");
    return result;
  }
  std::vector<ValueType> inputs;
  for (std::size_t i = 0; i < sketch.program.inputs.size(); ++i) {
    if (i >= types.size() || !types[i]) {
      result.unknown = uiText("Kernels are shown once the inputs' shapes are known");
      return result;
    }
    inputs.push_back(*types[i]);
  }
  try {
    const bool part = active > 0 && active != static_cast<int>(graph.program.statements.size()) &&
                      !sketch.program.statements.empty() &&
                      (active <= graph.statements || sketch.program.isChain());
    const Program runs = part ? firstStatements(sketch.program, active) : graph.program;
    const std::vector<int> shown = shownOps(runs, graph.program);
    const PlanOptions options = planOptionsOn(device, executorNamed(executor).plan);
    for (const Island& island : islands(runs, inputs, options)) {
      CanvasKernel kernel;
      for (int op : island.ops) kernel.nodes.push_back(graph.nodeOfOp(shown[at(op)]));
      const QString name = QString::fromStdString(island.kernel);
      kernel.name = island.kind == StepKind::library      ? uiText("library: %1").arg(name)
                    : island.kind == StepKind::attention  ? uiText("attention: %1").arg(name)
                    : island.kind == StepKind::collective ? uiText("collective: %1").arg(name)
                    : island.kind == StepKind::copy       ? uiText("copy: %1").arg(name)
                                                          : name;
      if (island.phases > 1)
        kernel.name = uiText("%1, in %n phases", island.phases).arg(kernel.name);
      kernel.phaseOf = island.phaseOf;
      kernel.reduces = island.reduces;
      result.kernels.push_back(std::move(kernel));
    }
  } catch (const std::exception& error) {
    result.kernels.clear();
    result.unknown = QString::fromStdString(saidAgain(error.what()));
  }
  return result;
}

PlannedKernels planKernels(const KernelsRequest& request) {
  PlannedKernels planned;
  for (const auto& [key, types] : request.types)
    planned[key] = canvasKernels(request.graph, *request.sketch, types, key.first, request.active,
                                 request.device);
  return planned;
}

std::vector<KernelLink> kernelLinks(const CanvasGraph& graph, const CanvasKernels& kernels) {
  std::vector<int> kernelOf(graph.nodes.size(), -1);
  for (std::size_t k = 0; k < kernels.kernels.size(); ++k)
    for (int node : kernels.kernels[k].nodes)
      if (node >= 0 && at(node) < kernelOf.size()) kernelOf[at(node)] = static_cast<int>(k);
  Pieces pieces(graph.nodes.size());
  std::vector<KernelLink> links;
  for (std::size_t e = 0; e < graph.edges.size(); ++e) {
    const CanvasEdge& edge = graph.edges[e];
    if (kernelOf[at(edge.from)] < 0 || kernelOf[at(edge.from)] != kernelOf[at(edge.to)]) continue;
    pieces.join(edge.from, edge.to);
    links.push_back({edge.from, edge.to, static_cast<int>(e)});
  }
  for (const CanvasKernel& kernel : kernels.kernels)
    for (std::size_t i = 1; i < kernel.nodes.size(); ++i)
      if (pieces.join(kernel.nodes[i - 1], kernel.nodes[i]))
        links.push_back({kernel.nodes[i - 1], kernel.nodes[i], -1});
  return links;
}

}  // namespace fusebench

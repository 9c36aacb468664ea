// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/plan/kernel_phases.h"

#include <algorithm>

namespace fusebench {
namespace {

std::size_t at(ExprId id) {
  return static_cast<std::size_t>(id);
}

/// Calls use(operand) for each operand of a node.
template <class Use>
void eachOperand(const ExprNode& node, const Use& use) {
  for (int o = 0; o < info(node.primitive).arity; ++o) use(node.operands[o]);
}

/// Whether a tensor keeps its element while the loops run over a row.
bool standsStill(const LoopNest& kernel, const KernelTensor& tensor) {
  for (int dim = 0; dim < kernel.rank(); ++dim)
    if (kernel.reduced(dim) && tensor.strides[dim] != 0) return false;
  return true;
}

/// A buffer for the duration of a row, as a tensor.
KernelTensor rowBuffer(const LoopNest& kernel, DType dtype) {
  KernelTensor tensor{dtype, Strides::filled(kernel.rank(), 0), false};
  std::int64_t step = 1;
  for (int dim = kernel.rank(); dim-- > 0;) {
    if (!kernel.reduced(dim)) continue;
    tensor.strides[dim] = step;
    const std::int64_t extent = kernel.extents[dim];
    step = step == kAtLaunch || extent == kAtLaunch ? kAtLaunch : step * extent;
  }
  return tensor;
}

/// Splits a kernel into phases.
class Phases {
 public:
  Phases(const Kernel& kernel, double (*cost)(Primitive))
      : kernel_(kernel),
        cost_(cost),
        ofRow_(rowNodes(kernel)),
        phase_(nodePhases(kernel)),
        bufferOf_(kernel.body.size(), -1) {}

  KernelPhases split() {
    const int count = phaseCount(kernel_);
    for (int loop = 0; loop < count; ++loop) wanted_.push_back(neededBy(loop));
    for (int loop = 0; loop < count; ++loop) made_.loops.push_back(phase(loop));
    made_.last = empty();
    made_.end = empty();
    for (std::size_t o = 0; o < kernel_.outputs.size(); ++o)
      if (kernel_.outputs[o].ofRow) addOutput(kernel_.outputs[o].ofAll ? made_.end : made_.last, o);
    made_.added = empty();
    made_.added.kernel.outputs = kernel_.totals;
    for (KernelOutput& total : made_.added.kernel.outputs)
      total.tensor.strides = Strides::filled(kernel_.rank(), 0);
    made_.added.tensors.resize(kernel_.inputs.size() + kernel_.totals.size(),
                               KernelPhase::kNowhere);
    made_.added.carried.resize(kernel_.totals.size(), -1);
    return std::move(made_);
  }

 private:
  bool isDoneIn(const KernelOutput& output, int loop) const {
    return !output.ofRow && phase_[at(output.value)] == loop;
  }

  /// Nodes per element that a loop computes unless a buffer has them.
  std::vector<bool> neededBy(int loop) const {
    std::vector<bool> needed(kernel_.body.size(), false);
    const auto want = [&](const KernelOutput& output) {
      if (isDoneIn(output, loop)) needed[at(output.value)] = true;
    };
    for (const KernelOutput& output : kernel_.outputs) want(output);
    for (const KernelOutput& carried : kernel_.carried) want(carried);
    for (std::size_t i = kernel_.body.size(); i-- > 0;)
      if (needed[i]) eachOperand(node(i), [&](ExprId operand) { needed[at(operand)] = true; });
    return needed;
  }

  const ExprNode& node(std::size_t i) const { return kernel_.body[static_cast<ExprId>(i)]; }

  /// The cost of recomputing a node from available values.
  double costOf(std::size_t top) const {
    std::vector<bool> needed(top + 1, false);
    needed[top] = true;
    double cost = 0;
    for (std::size_t i = top + 1; i-- > 0;) {
      if (!needed[i] || ofRow_[i] || bufferOf_[i] >= 0) continue;
      cost += cost_(node(i).primitive);
      eachOperand(node(i), [&](ExprId operand) { needed[at(operand)] = true; });
    }
    return cost;
  }

  /// Whether a later loop needs the node itself, and not only values that this loop computes from
  /// it.
  bool isAskedFor(std::size_t wanted, int loop) const {
    for (std::size_t later = static_cast<std::size_t>(loop) + 1; later < wanted_.size(); ++later) {
      const auto isItself = [&](const KernelOutput& output) {
        return at(output.value) == wanted && isDoneIn(output, static_cast<int>(later));
      };
      if (std::ranges::any_of(kernel_.outputs, isItself) ||
          std::ranges::any_of(kernel_.carried, isItself))
        return true;
      for (std::size_t i = wanted + 1; i < kernel_.body.size(); ++i) {
        if (!wanted_[later][i] || wanted_[static_cast<std::size_t>(loop)][i]) continue;
        bool reads = false;
        eachOperand(node(i), [&](ExprId operand) { reads |= at(operand) == wanted; });
        if (reads) return true;
      }
    }
    return false;
  }

  KernelPhase empty() const {
    KernelPhase phase{kernel_, {}, {}};
    phase.kernel.outputs.clear();
    phase.kernel.carried.clear();
    phase.kernel.totals.clear();
    for (std::size_t t = 0; t < kernel_.inputs.size(); ++t)
      phase.tensors.push_back(static_cast<int>(t));
    return phase;
  }

  void addOutput(KernelPhase& phase, std::size_t output) const {
    phase.kernel.outputs.push_back(kernel_.outputs[output]);
    phase.tensors.push_back(static_cast<int>(kernel_.inputs.size() + output));
    phase.carried.push_back(-1);
  }

  /// Buffers of earlier loops are inputs after those of the kernel.
  void readBuffers(KernelPhase& phase) const {
    for (std::size_t i = 0; i < bufferOf_.size(); ++i) {
      if (bufferOf_[i] < 0) continue;
      const auto buffer = static_cast<std::size_t>(bufferOf_[i]);
      phase.kernel.body.readInstead(static_cast<ExprId>(i),
                                    static_cast<int>(phase.kernel.inputs.size()));
      phase.kernel.inputs.push_back(rowBuffer(kernel_, made_.buffers[buffer]));
      phase.tensors.push_back(-1 - bufferOf_[i]);
    }
  }

  /// The cost of storing a value and reading it again.
  static constexpr double kBufferCost = 8;

  void fillBuffers(KernelPhase& phase, int loop) {
    if (!cost_) return;
    const std::vector<bool>& needed = wanted_[static_cast<std::size_t>(loop)];
    for (std::size_t i = kernel_.body.size(); i-- > 0;) {
      if (!needed[i] || ofRow_[i] || bufferOf_[i] >= 0 || node(i).primitive == Primitive::input ||
          !isAskedFor(i, loop) || costOf(i) <= kBufferCost)
        continue;
      bufferOf_[i] = static_cast<int>(made_.buffers.size());
      made_.buffers.push_back(storageOf(node(i).type));
      KernelOutput output;
      output.tensor = rowBuffer(kernel_, made_.buffers.back());
      output.value = static_cast<ExprId>(i);
      output.op = i < kernel_.nodeOps.size() ? kernel_.nodeOps[i] : -1;
      phase.kernel.outputs.push_back(std::move(output));
      phase.tensors.push_back(-1 - bufferOf_[i]);
      phase.carried.push_back(-1);
    }
  }

  KernelPhase phase(int loop) {
    KernelPhase phase = empty();
    readBuffers(phase);
    for (std::size_t o = 0; o < kernel_.outputs.size(); ++o)
      if (isDoneIn(kernel_.outputs[o], loop)) addOutput(phase, o);
    fillBuffers(phase, loop);
    for (std::size_t c = 0; c < kernel_.carried.size(); ++c) {
      if (!isDoneIn(kernel_.carried[c], loop)) continue;
      KernelOutput& output = phase.kernel.outputs.emplace_back(kernel_.carried[c]);
      output.tensor.strides = Strides::filled(kernel_.rank(), 0);
      phase.tensors.push_back(KernelPhase::kNowhere);
      phase.carried.push_back(static_cast<int>(c));
    }
    return phase;
  }

  const Kernel& kernel_;
  double (*cost_)(Primitive);
  std::vector<bool> ofRow_;
  std::vector<int> phase_;
  std::vector<std::vector<bool>> wanted_;  ///< per loop and node
  std::vector<int> bufferOf_;              ///< per node: its buffer from an earlier loop; -1: none
  KernelPhases made_;
};

}  // namespace

std::vector<bool> rowNodes(const Kernel& kernel) {
  std::vector<bool> ofRow;
  for (const ExprNode& node : kernel.body.nodes()) {
    bool all = node.primitive != Primitive::input ||
               standsStill(kernel, kernel.inputs[static_cast<std::size_t>(node.index)]);
    eachOperand(node, [&](ExprId operand) { all &= ofRow[at(operand)]; });
    ofRow.push_back(all);
  }
  return ofRow;
}

std::vector<int> nodePhases(const Kernel& kernel) {
  std::vector<int> phases;
  for (const ExprNode& node : kernel.body.nodes()) {
    int phase = 0;
    if (node.primitive == Primitive::carried)
      phase = node.index >= LoopNest::kFirstTotal
                  ? kAfterRows
                  : 1 + phases[at(kernel.carried[static_cast<std::size_t>(node.index)].value)];
    eachOperand(node, [&](ExprId operand) { phase = std::max(phase, phases[at(operand)]); });
    phases.push_back(phase);
  }
  return phases;
}

int phaseCount(const Kernel& kernel) {
  if (!kernel.hasPhases()) return 1;
  const std::vector<int> phases = nodePhases(kernel);
  int count = 1;
  for (const KernelOutput& carried : kernel.carried)
    count = std::max(count, phases[at(carried.value)] + 1);
  for (const KernelOutput& output : kernel.outputs)
    if (!output.ofRow) count = std::max(count, phases[at(output.value)] + 1);
  return count;
}

bool goesOnce(const Kernel& kernel) {
  return kernel.hasPhases() && kernel.totals.empty() && phaseCount(kernel) == 1;
}

bool isTail(const Kernel& kernel) {
  return goesOnce(kernel) && std::ranges::all_of(kernel.outputs, &KernelOutput::ofRow);
}

KernelPhases phasesOf(const Kernel& kernel, double (*cost)(Primitive)) {
  return Phases(kernel, cost).split();
}

}  // namespace fusebench

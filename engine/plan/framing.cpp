// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/plan/framing.h"

#include <algorithm>

#include "engine/ops/accumulators.h"
#include "engine/plan/row_fusion.h"

namespace fusebench {

Framing::Framing(const Program& program, const PlanValues& values, const FusionGroup& group)
    : program_(program), planned_(values), group_(group), counts_{} {
  for (const int index : group.ops) {
    const IndexInputs places = opAt(program, index).row->places;
    if (areOfSource(places)) {
      asked_.push_back(index);
      continue;
    }
    for (int o = 0; o < count(places); ++o)
      counts_[static_cast<std::size_t>(countOf(places, o))] = true;
  }
  if (!group.made.empty()) made_ = madeOpsOf(program, values, group);
  if (group.totals) findOfAll();
}

bool Framing::isTotal(int index) const {
  return group_.totals && opAt(program_, index).row->kind == OpKind::reduce &&
         spaceOf(program_, planned_, index) != group_.space;
}

int Framing::countOf(IndexInputs places, int operand) {
  return places == IndexInputs::rowColumn ? 1 + operand : 0;
}

int Framing::inputOf(IndexInputs places, int operand) const {
  const int number = countOf(places, operand);
  return static_cast<int>(group_.inputs.size()) + static_cast<int>(number > 0 && counts_[0]) +
         static_cast<int>(number > 1 && counts_[1]);
}

void Framing::listOps(Kernel& kernel) const {
  kernel.name = kernelName(program_, group_.ops);
  kernel.ops.assign(group_.ops.begin(), group_.ops.end());
  kernel.inputValues.assign(group_.inputs.begin(), group_.inputs.end());
  for (const int index : group_.ops) {
    const int statement = opAt(program_, index).statement;
    if (kernel.statements.empty() || kernel.statements.back() != statement)
      kernel.statements.push_back(statement);
  }
}

void Framing::listTensors(LoopNest& kernel) const {
  kernel.inputs.reserve(group_.inputs.size());
  for (const ValueId value : group_.inputs) {
    KernelTensor& input = kernel.inputs.emplace_back();
    input.dtype = planned_.dtype(value);
    input.rewritten = group_.rewrites && isRewritten(value);
    input.indexed = std::ranges::any_of(asked_, [&](int op) {
      return opAt(program_, op).row->kind == OpKind::gather && isSource(op, value);
    });
  }
  const auto count = [&] { kernel.inputs.push_back({DType::int64, {}, true}); };
  for (const bool counts : counts_)
    if (counts) count();
  for (std::size_t made = 0; made < made_.counts.size(); ++made) count();
  for (const int op : asked_)
    for (int o = 0; o < fusebench::count(opAt(program_, op).row->places); ++o) count();
  kernel.outputs.reserve(group_.outputs.size());
  for (const ValueId value : group_.outputs) setOutput(kernel.outputs.emplace_back(), value);
}

KernelOutput Framing::accumulating(ValueId value) const {
  KernelOutput output;
  output.op = value - program_.result(0);
  output.tensor.dtype = planned_.dtype(value);
  const Op& op = opAt(program_, output.op);
  if (op.row->kind != OpKind::reduce) return output;
  output.reduces = true;
  output.accumulate = op.row->accumulate;
  output.finish = op.row->finish;
  if (output.finish)
    output.finishParameters = parameterValues(op, planned_.dtype(op.operands.front().value));
  return output;
}

LaunchSizes Framing::countedFrom() const {
  LaunchSizes from;
  for (const bool counts : counts_)
    if (counts) from.push_back(SymbolicSize(0));
  for (const MadeOps::Count& made : made_.counts) from.push_back(made.from);
  for (const int index : asked_) {
    const Op& op = opAt(program_, index);
    const ValueId source = op.operands[op.row->indexing.source].value;
    const SizeList<SymbolicSize>& extents = planned_.extents(planned_.space(source));
    const auto dim = static_cast<std::size_t>(indexedDim(op, static_cast<int>(extents.size())));
    const bool whole = dim < extents.size();  // otherwise it is one element
    from.push_back(whole ? extents[dim] : SymbolicSize(1));
    if (op.row->places == IndexInputs::step)
      from.push_back(whole ? planned_.strides(source)[dim] : SymbolicSize(1));
  }
  return from;
}

int Framing::askedInput(int op) const {
  int input = firstMadeInput() + static_cast<int>(made_.counts.size());
  for (const int other : asked_) {
    if (other == op) break;
    input += count(opAt(program_, other).row->places);
  }
  return input;
}

bool Framing::isSource(int index, ValueId value) const {
  const Op& op = opAt(program_, index);
  return planned_.named(op.operands[op.row->indexing.source].value) == planned_.named(value);
}

int Framing::sourceInput(int op) const {
  for (std::size_t i = 0; i < group_.inputs.size(); ++i)
    if (isSource(op, group_.inputs[i])) return static_cast<int>(i);
  return -1;
}

int Framing::firstMadeInput() const {
  return static_cast<int>(group_.inputs.size()) +
         static_cast<int>(std::count(counts_.begin(), counts_.end(), true));
}

void Framing::place(LoopNest& kernel, LaunchSizes& integers) const {
  if (placeAsRow(kernel, integers)) return;
  IndexSpace<SymbolicSize> loops = spread(kernel);
  if (const DimOrder order = loopOrder(kernel); !order.isRowMajor())
    loops = reordered(loops, order);
  collapse(loops, group_.reduces);
  kernel.reducedMask = loops.reducedMask;
  const auto known = [&integers](const SymbolicSize& size) {
    if (size.isConstant()) return size.constant();
    integers.push_back(size);
    return kAtLaunch;
  };
  for (const auto& extent : loops.extents) kernel.extents.push(known(extent));
  const std::size_t inputs = kernel.inputs.size();
  for (std::size_t t = 0; t < loops.strides.size(); ++t) {
    Strides& strides = (t < inputs ? kernel.inputs[t] : kernel.outputs[t - inputs].tensor).strides;
    for (const auto& stride : loops.strides[t]) strides.push(known(stride));
  }
}

void Framing::findOfAll() {
  for (const int index : group_.ops) {
    const Op& op = opAt(program_, index);
    if (isTotal(index) || std::ranges::any_of(op.operands, [&](const Operand& operand) {
          return reads(op, operand) && isOfAll(operand.value);
        }))
      ofAll_.push_back(program_.result(index));
  }
}

bool Framing::isOfAll(ValueId value) const {
  return std::ranges::find(ofAll_, planned_.root(value)) != ofAll_.end();
}

bool Framing::isRewritten(ValueId value) const {
  return std::ranges::any_of(group_.outputs, [&](ValueId output) {
    return planned_.root(output) == planned_.root(value);
  });
}

ValueId Framing::storedAs(ValueId output) const {
  for (const FusionGroup::Part& part : group_.parts)
    if (part.part == output) return part.piece;
  return output;
}

void Framing::setOutput(KernelOutput& output, ValueId value) const {
  const ValueId stored = storedAs(value);
  const Op& op = opAt(program_, stored - program_.result(0));
  const bool into = planned_.root(value) != value;
  if (group_.phased) {
    output.op = value - program_.result(0);
    output.tensor.dtype = planned_.dtype(value);
    output.tensor.into = into;
    output.ofRow =
        op.row->kind == OpKind::reduce || spaceOf(program_, planned_, output.op) != group_.space;
    output.ofAll = isOfAll(value);
    return;
  }
  output = accumulating(stored);
  output.tensor.into = into;
  if (op.row->kind == OpKind::scan) {
    output.scans = true;
    output.accumulate = op.row->accumulate;
  }
}

SizeList<SymbolicSize> Framing::stridesOf(ValueId value) const {
  if (group_.phased)
    for (const int index : group_.ops)
      for (const Operand& operand : opAt(program_, index).operands)
        if (reads(opAt(program_, index), operand) &&
            planned_.named(operand.value) == planned_.named(value))
          return stridesInRows(planned_, {group_.space, group_.reducedMask},
                               spaceOf(program_, planned_, index), value);
  for (const int index : asked_) {
    const Op& op = opAt(program_, index);
    for (std::size_t o = 0; o < op.operands.size() && op.row->kind == OpKind::gather; ++o)
      if (planned_.named(op.operands[o].value) == planned_.named(value))
        return indexedStrides(program_, planned_, index, o);
  }
  return broadcastStrides(planned_.extents(planned_.space(value)), planned_.strides(value),
                          planned_.extents(group_.space));
}

bool Framing::placeAsRow(LoopNest& kernel, LaunchSizes& integers) const {
  const SizeList<SymbolicSize>& space = planned_.extents(group_.space);
  if (group_.reduces && group_.reducedMask != (1u << space.size()) - 1) return false;
  if (!group_.reduces && group_.reducedMask != 0) return false;
  const auto fills = [&](ValueId value) {
    return planned_.space(value) == group_.space && !planned_.layout(value);
  };
  // A copy that changes the shape is row-major over its source.
  const auto fillsAsOutput = [&](const KernelOutput& output, ValueId value) {
    return changesSpace(program_, planned_, output.op) || fills(value);
  };
  for (const ValueId input : group_.inputs)
    if (!fills(input)) return false;
  if (counts_[1] || counts_[2] || asked_.size() > 0) return false;
  const SizeList<SymbolicSize> rowMajor = outputStrides(space, 0);
  for (const MadeOps::Count& made : made_.counts)
    for (std::size_t d = 0; d < space.size(); ++d)
      if (!isOne(space[d]) && !(made.strides[d] == rowMajor[d])) return false;
  for (std::size_t o = 0; o < kernel.outputs.size(); ++o)
    if (!standsStill(kernel.outputs[o]) && !fillsAsOutput(kernel.outputs[o], group_.outputs[o]))
      return false;
  SymbolicSize length(1);
  for (const SymbolicSize& extent : space) length = length * extent;
  if (isOne(length)) return false;
  kernel.reducedMask = group_.reduces ? 1 : 0;
  kernel.extents.push(length.isConstant() ? length.constant() : kAtLaunch);
  if (!length.isConstant()) integers.push_back(length);
  for (KernelTensor& input : kernel.inputs) input.strides.push(1);
  for (KernelOutput& output : kernel.outputs)
    output.tensor.strides.push(standsStill(output) ? 0 : 1);
  return true;
}

IndexSpace<SymbolicSize> Framing::spread(const LoopNest& kernel) const {
  const SizeList<SymbolicSize>& space = planned_.extents(group_.space);
  IndexSpace<SymbolicSize> loops{space, group_.reducedMask, {}};
  loops.strides.reserve(kernel.inputs.size() + kernel.outputs.size());
  const auto broadcast = [&](ValueId value) { loops.strides.push_back(stridesOf(value)); };
  for (const ValueId value : group_.inputs) broadcast(value);
  for (std::size_t p = 0; p < kCounts; ++p)
    if (counts_[p]) loops.strides.push_back(countStrides(static_cast<int>(p), space));
  for (const MadeOps::Count& made : made_.counts) loops.strides.push_back(made.strides);
  for (const int op : asked_)
    for (int o = 0; o < count(opAt(program_, op).row->places); ++o)
      loops.strides.emplace_back(space.size(), SymbolicSize(0));
  for (std::size_t o = 0; o < kernel.outputs.size(); ++o)
    if (kernel.outputs[o].ofAll)
      loops.strides.emplace_back(space.size(), SymbolicSize(0));
    else if (standsStill(kernel.outputs[o]))
      loops.strides.push_back(outputStrides(space, group_.reducedMask));
    else if (changesSpace(program_, planned_, kernel.outputs[o].op))
      loops.strides.push_back(outputStrides(space, 0));
    else
      broadcast(group_.outputs[o]);
  return loops;
}

DimOrder Framing::loopOrder(const LoopNest& kernel) const {
  const DimOrder rowMajor(static_cast<int>(planned_.extents(group_.space).size()));
  DimOrder order = rowMajor;
  for (std::size_t o = kernel.outputs.size(); o-- > 0;) {
    const KernelOutput& output = kernel.outputs[o];
    if (output.reduces && info(output.accumulate).positions) return rowMajor;
    if (output.reduces) continue;
    const PlanValues::ValueLayout* const stored = planned_.layout(group_.outputs[o]);
    order = stored ? stored->order : rowMajor;
  }
  return order;
}

}  // namespace fusebench

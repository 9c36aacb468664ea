// SPDX-License-Identifier: GPL-3.0-or-later
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "engine/plan/attention_lowering.h"
#include "engine/plan/library_call.h"
#include "engine/plan/tails.h"

namespace fusebench {
namespace {

RankCall rankCallOf(const Op& op) {
  RankCall call{op.row->collective};
  std::size_t p = 0;
  for (const Parameter& parameter : op.row->parameters) {
    const auto number = static_cast<int>(op.parameters[p++]);
    if (parameter.name == "op") call.combine = static_cast<Combine>(number);
    if (parameter.name == "src") call.root = number;
    if (parameter.name == "bucket") call.bucket = number;
    if (parameter.name == "first") call.first = number != 0;
    if (parameter.name == "last") call.last = number != 0;
    if (parameter.name == "overlaps") call.overlaps = number != 0;
  }
  return call;
}

/// A call depends only on dtypes and numbers of dimensions.
LibraryCall callFor(const Op& op, std::span<const DType> dtypes, std::span<const int> ranks) {
  LibraryCall call;
  call.name = op.row->name;
  call.statements = {op.statement};
  call.operands.assign(dtypes.begin(), dtypes.end());
  call.result = dtypes.empty() ? DType::float32 : dtypes[0];
  if (op.row->kind == OpKind::collective) {
    call.ranks = rankCallOf(op);
    for (const int rank : ranks)
      call.form.tensors.emplace_back(static_cast<std::size_t>(rank), ContractDim{});
    const bool waits = isFence(*op.row);  // it has nothing to read
    if (waits) call.result = DType::float32;
    call.form.tensors.emplace_back(waits ? 0 : static_cast<std::size_t>(ranks[0]), ContractDim{});
    return call;
  }
  if (op.row->kind == OpKind::scatter) {
    const IndexRule& rule = op.row->indexing;
    call.scatter = {true,
                    indexedDim(op, ranks[0]),
                    indexedOver(op),
                    rule.replaces,
                    rule.wraps,
                    rule.sets,
                    rule.spreads};
    call.accumulate = op.row->accumulate;
    for (const int rank : ranks)
      call.form.tensors.emplace_back(static_cast<std::size_t>(rank), ContractDim{});
    call.form.tensors.emplace_back(static_cast<std::size_t>(ranks[0]), ContractDim{});
    return call;
  }
  if (op.row->kind == OpKind::order) {
    const Ordering ordering = orderingOf(op, ranks[0]);
    call.order = {true, ordering.dim, ordering.descending};
    call.result = DType::int64;
    for (int t = 0; t < 2; ++t)
      call.form.tensors.emplace_back(static_cast<std::size_t>(ranks[0]), ContractDim{});
    return call;
  }
  call.form = contractFormOf(op, ranks);
  call.settings = contractSettingsOf(op);
  call.accumulate = op.row->accumulate;
  call.average = op.row->finish != nullptr;
  if (op.row->result == ResultType::cast) call.result = op.row->castTo;
  return call;
}

/// Gives a call the ops of its step that come after it.
void addPass(const Plan& plan, const FusionGroup& group, LoweredCall& lowered) {
  LoweredKernel pass = lower(*plan.program, plan.values, tailOf(*plan.program, plan.values, group),
                             Numbers::bakedIn, plan.options.contract);
  Kernel& kernel = pass.kernel;
  kernel.fastMath = plan.options.fastMath;
  kernel.inputs.front().rewritten = true;
  kernel.outputs.front().tensor.into = true;
  LibraryCall& call = lowered.call;
  for (const int statement : kernel.statements)
    if (statement != call.statements.back()) call.statements.push_back(statement);
  for (const SymbolicSize& size : pass.integers) lowered.integers.push_back(size);
  call.pass = std::make_shared<const Kernel>(std::move(kernel));
}

}  // namespace

LibraryCall callOf(const Op& op, Forms operands) {
  std::vector<DType> dtypes;
  std::vector<int> ranks;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    dtypes.push_back(operands[i].dtype);
    ranks.push_back(operands[i].shape.rank());
  }
  return callFor(op, dtypes, ranks);
}

LoweredCall lowerCall(const Plan& plan, const Step& step) {
  if (step.kind == StepKind::attention) return lowerAttention(plan, step);
  const int index = step.group.ops.front();
  const Op& op = plan.program->ops[static_cast<std::size_t>(index)];
  const PlanValues& values = plan.values;
  std::vector<DType> dtypes;
  std::vector<int> ranks;
  for (const Operand& operand : op.operands) {
    dtypes.push_back(values.dtype(operand.value));
    ranks.push_back(static_cast<int>(values.extents(values.space(operand.value)).size()));
  }
  LoweredCall lowered{callFor(op, dtypes, ranks), {}};
  lowered.call.op = index;
  const auto add = [&](ValueId value) {
    for (const SymbolicSize& extent : values.extents(values.space(value)))
      lowered.integers.push_back(extent);
    for (const SymbolicSize& stride : values.strides(value)) lowered.integers.push_back(stride);
  };
  for (const Operand& operand : op.operands) {
    lowered.call.values.push_back(operand.value);
    add(operand.value);
  }
  if (step.group.ops.size() == 1) {
    add(plan.program->result(index));
    return lowered;
  }
  add(step.group.outputs.front());
  if (plan.options.tails == Tails::epilogues)
    lowered.call.tail = plan.program->ops[static_cast<std::size_t>(step.group.ops[1])].row->tail;
  else
    addPass(plan, step.group, lowered);
  return lowered;
}

}  // namespace fusebench

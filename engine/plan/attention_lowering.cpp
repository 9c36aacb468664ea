// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/plan/attention_lowering.h"

#include <stdexcept>
#include <utility>

#include "engine/plan/attention.h"
#include "engine/plan/attention_layout.h"

namespace fusebench {
namespace {

using Tensor = std::vector<ContractDim>;

/// Letters of the scores' dimensions in order; those of the depth and of the values' columns.
constexpr char kFirst = 'a', kDepth = 'y', kValues = 'z';

/// A product's tensor in the attention's letters. `scores`: the product's tensor that is the
/// scores; `other`: the letter of the loop that these do not have.
Tensor renamed(const Tensor& tensor, const Tensor& scores, char other) {
  Tensor made = tensor;
  for (ContractDim& dim : made) {
    char letter = other;
    for (std::size_t d = 0; d < scores.size(); ++d)
      if (scores[d].outer == dim.outer) letter = static_cast<char>(kFirst + static_cast<int>(d));
    dim.outer = letter;
    dim.batch = true;  // an extent of 1 is broadcast, whichever op it comes from
  }
  return made;
}

/// The last dimensions of the scores, for a tensor that broadcasts to them.
Tensor broadcastTo(const Tensor& scores, std::size_t rank) {
  Tensor made;
  for (std::size_t d = 0; d < rank; ++d)
    made.push_back({.outer = static_cast<char>(kFirst + static_cast<int>(scores.size() - rank + d)),
                    .batch = true});
  return made;
}

}  // namespace

LoweredCall lowerAttention(const Plan& plan, const Step& step) {
  const PlanValues& values = plan.values;
  const int last = contextOpOf(*plan.program, step.group);
  auto found = attentionOf(*plan.program, values, last);
  if (!found) throw std::logic_error("the step is not an attention");
  const auto rankOf = [&](ValueId value) { return values.extents(values.space(value)).size(); };
  const auto formOf = [&](int op) {
    const Op& product = plan.program->ops[static_cast<std::size_t>(op)];
    return contractFormOf(product,
                          std::vector<int>{static_cast<int>(rankOf(product.operands[0].value)),
                                           static_cast<int>(rankOf(product.operands[1].value))});
  };
  const ContractForm scores = formOf(found->scores), context = formOf(last);
  LoweredCall lowered;
  LibraryCall& call = lowered.call;
  call.name = "attention";
  call.op = last;
  call.attention = std::move(found->call);
  call.attention.is = true;
  const auto rank = scores.result().size();
  call.attention.column = static_cast<char>(kFirst + static_cast<int>(rank) - 1);
  call.attention.row = static_cast<char>(call.attention.column - 1);
  call.attention.depth = kDepth;
  call.attention.values = kValues;
  const Tensor& weights = context.tensors[0];
  ContractForm& form = call.form;
  form.tensors = {renamed(scores.tensors[0], scores.result(), kDepth),
                  renamed(scores.tensors[1], scores.result(), kDepth),
                  renamed(context.tensors[1], weights, kValues)};
  for (std::size_t o = form.tensors.size(); o < found->operands.size(); ++o)
    form.tensors.push_back(broadcastTo(scores.result(), rankOf(found->operands[o])));
  form.tensors.push_back(renamed(context.result(), weights, kValues));
  for (const ContractDim& dim : form.result()) form.letters += dim.outer;
  form.kept = form.letters.size();
  form.letters += {call.attention.column, kDepth};
  for (const int op : step.group.ops) {
    const int statement = plan.program->ops[static_cast<std::size_t>(op)].statement;
    if (call.statements.empty() || call.statements.back() != statement)
      call.statements.push_back(statement);
  }
  const auto add = [&](ValueId value, const SizeList<SymbolicSize>& strides) {
    for (const SymbolicSize& extent : values.extents(values.space(value)))
      lowered.integers.push_back(extent);
    for (const SymbolicSize& stride : strides) lowered.integers.push_back(stride);
  };
  for (const ValueId operand : found->operands) {
    call.operands.push_back(values.dtype(operand));
    call.values.push_back(operand);
    add(operand, values.strides(operand));
  }
  call.result = DType::float32;
  add(plan.program->result(last), resultStridesOf(*plan.program, values, step.group));
  return lowered;
}

}  // namespace fusebench

// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/plan/tails.h"

#include <algorithm>

namespace fusebench {
namespace {

bool takesTails(const Op& op) {
  const OpRow& row = *op.row;
  return row.kind == OpKind::contract && row.accumulate == Accumulate::sum && !row.finish &&
         !op.writesInto();
}

/// No library has gelu behind a convolution.
bool hasLibrary(Tail tail, const Op& product) {
  return tail == Tail::relu || !product.row->contract.hasWindows();
}

/// A product of narrow floats is rounded before gelu sees it, which a library's epilogue leaves
/// out; relu gives the same either way.
bool keepsRounding(Tail tail, DType result) {
  return result == DType::float32 ||
         (tail == Tail::relu && (result == DType::float16 || result == DType::bfloat16));
}

/// The group's only op, if it is a pointwise one with a tail, and a kernel of its own of one
/// tensor.
const Op* aloneWithTail(const Program& program, const FusionGroup& group) {
  if (group.ops.size() != 1 || group.kind != StepKind::kernel || group.inputs.size() != 1 ||
      group.outputs.size() != 1 || group.reduces || group.rewrites || !group.made.empty())
    return nullptr;
  const Op& op = program.ops[static_cast<std::size_t>(group.ops.front())];
  return op.row->tail != Tail::none && !op.writesInto() ? &op : nullptr;
}

/// Whether a product is wanted as it is beside what reads it: returned, written into, checked, or
/// read by another part of the program.
bool isWanted(const Program& program, const PlanValues& values, ValueId made) {
  const auto is = [&](ValueId value) { return values.root(value) == made; };
  return std::ranges::any_of(program.outputs, is) ||
         std::ranges::any_of(program.ops,
                             [&](const Op& op) { return op.writesInto() && is(op.into); }) ||
         std::ranges::any_of(program.branches,
                             [&](const Branch& branch) {
                               return is(branch.condition) || std::ranges::any_of(branch.live, is);
                             }) ||
         std::ranges::any_of(program.checks, [&](const SizeCheck& check) {
           return check.ofValue() && is(check.value);
         });
}

bool lieAlike(const PlanValues& values, ValueId one, ValueId other) {
  if (values.dtype(one) != values.dtype(other) || values.space(one) != values.space(other) ||
      values.isView(other))
    return false;
  const auto a = values.strides(one), b = values.strides(other);
  return std::ranges::equal(a, b);
}

}  // namespace

void joinTails(const Program& program, const PlanValues& values, std::vector<FusionGroup>& groups) {
  const auto rootOf = [&](ValueId value) { return values.root(value); };
  for (std::size_t g = 0; g < groups.size(); ++g) {
    FusionGroup& product = groups[g];
    if (product.kind != StepKind::library || product.ops.size() != 1 || product.outputs.size() != 1)
      continue;
    const ValueId made = product.outputs.front();
    const Op& first = program.ops[static_cast<std::size_t>(product.ops.front())];
    if (values.isView(made) || !takesTails(first)) continue;
    std::size_t readers = 0, reader = 0;
    for (std::size_t other = 0; other < groups.size(); ++other)
      if (std::ranges::any_of(groups[other].inputs,
                              [&](ValueId value) { return rootOf(value) == made; })) {
        ++readers;
        reader = other;
      }
    if (readers != 1 || reader < g || isWanted(program, values, made)) continue;
    FusionGroup& tail = groups[reader];
    const Op* const last = aloneWithTail(program, tail);
    if (!last || !hasLibrary(last->row->tail, first) ||
        !keepsRounding(last->row->tail, values.dtype(made)) || tail.inputs.front() != made ||
        !lieAlike(values, made, tail.outputs.front()))
      continue;
    product.ops.push_back(tail.ops.front());
    product.outputs = tail.outputs;
    groups.erase(groups.begin() + static_cast<std::ptrdiff_t>(reader));
  }
}

}  // namespace fusebench

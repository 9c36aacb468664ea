// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/plan/tails.h"

#include <algorithm>

#include "engine/plan/wanted_values.h"

namespace fusebench {
namespace {

bool takesTails(const Op& op) {
  const OpRow& row = *op.row;
  return row.kind == OpKind::contract && row.accumulate == Accumulate::sum && !row.finish &&
         !op.writesInto();
}

/// No library supports gelu after a convolution.
bool hasLibrary(Tail tail, const Op& product) {
  return tail == Tail::relu || (tail == Tail::gelu && !product.row->contract.hasWindows());
}

/// A product of 16-bit floats is rounded before gelu reads it, which a library's epilogue omits;
/// relu returns the same either way.
bool keepsRounding(Tail tail, DType result) {
  return result == DType::float32 ||
         (tail == Tail::relu && (result == DType::float16 || result == DType::bfloat16));
}

/// A kernel that computes one tensor from what it reads, element by element, with ops that have
/// tails. If these write in place, they write all of `made`.
bool isMadeOfTails(const Program& program, const PlanValues& values, const FusionGroup& group,
                   ValueId made) {
  if (group.kind != StepKind::kernel || group.alone || group.outputs.size() != 1 || group.reduces ||
      group.indexes || !group.made.empty())
    return false;
  return std::ranges::all_of(group.ops, [&](int index) {
    const Op& op = program.ops[static_cast<std::size_t>(index)];
    return op.row->tail != Tail::none && op.after < 0 &&
           (!op.writesInto() || values.named(op.into) == values.named(made));
  });
}

/// The group that replaces the product: it is the only one to read it, or it reads it first and
/// overwrites all of it. Past the end: there is none.
std::size_t takerOf(const Program& program, const PlanValues& values,
                    const std::vector<FusionGroup>& groups, std::size_t product, ValueId made) {
  const auto isIt = [&](ValueId value) { return values.root(value) == made; };
  const auto reads = [&](const FusionGroup& group) {
    return std::ranges::any_of(group.inputs, isIt);
  };
  const auto first = std::ranges::find_if(groups, reads);
  const auto taker = static_cast<std::size_t>(first - groups.begin());
  if (first == groups.end() || taker < product) return groups.size();
  if (!first->outputs.empty() && isIt(first->outputs.front())) {
    const auto own = groups.begin() + static_cast<std::ptrdiff_t>(product);
    const bool written = std::any_of(own + 1, first, [&](const FusionGroup& group) {
      return std::ranges::any_of(group.outputs, isIt);
    });
    const bool whole = values.named(first->outputs.front()) == values.named(made);
    return written || !whole || isAwaited(program, values, made) ? groups.size() : taker;
  }
  const bool alone = std::count_if(first, groups.end(), reads) == 1;
  return alone && !isWanted(program, values, made) ? taker : groups.size();
}

bool lieAlike(const PlanValues& values, ValueId one, ValueId other) {
  if (values.dtype(one) != values.dtype(other) || values.space(one) != values.space(other) ||
      (values.isView(other) && values.root(other) != one))
    return false;
  const auto a = values.strides(one), b = values.strides(other);
  return std::ranges::equal(a, b);
}

/// Whether a library can apply it while it writes the product.
bool isEpilogue(const Program& program, const Op& product, DType made, const FusionGroup& tail) {
  if (tail.ops.size() != 1 || tail.inputs.size() != 1 || tail.rewrites) return false;
  const Tail kind = program.ops[static_cast<std::size_t>(tail.ops.front())].row->tail;
  return hasLibrary(kind, product) && keepsRounding(kind, made);
}

/// Whether the other values that it reads are complete before the product.
bool isReady(const Program& program, const PlanValues& values,
             const std::vector<FusionGroup>& groups, std::size_t product, const FusionGroup& tail) {
  FusionGroup joined = groups[product];
  for (const int op : tail.ops) joined.ops.push_back(op);
  const std::vector<ValueId> read = readByTail(program, joined);
  if (read.size() + 1 != tail.inputs.size()) return false;
  const auto later = groups.begin() + static_cast<std::ptrdiff_t>(product);
  return std::ranges::all_of(read, [&](ValueId value) {
    const auto isIt = [&](ValueId output) { return values.root(output) == values.root(value); };
    const auto sameName = [&](ValueId input) { return values.named(input) == values.named(value); };
    return std::ranges::any_of(tail.inputs, sameName) &&
           std::none_of(later, groups.end(), [&](const FusionGroup& group) {
             return &group != &tail && std::ranges::any_of(group.outputs, isIt);
           });
  });
}

}  // namespace

std::vector<ValueId> readByTail(const Program& program, const FusionGroup& group) {
  std::vector<ValueId> read;
  for (std::size_t o = 1; o < group.ops.size(); ++o)
    for (const Operand& operand : program.ops[static_cast<std::size_t>(group.ops[o])].operands) {
      const bool own =
          !operand.isNumber() &&
          std::ranges::find(group.ops, operand.value - program.result(0)) != group.ops.end();
      if (!operand.isNumber() && !own && std::ranges::find(read, operand.value) == read.end())
        read.push_back(operand.value);
    }
  return read;
}

FusionGroup tailOf(const Program& program, const PlanValues& values, const FusionGroup& group) {
  FusionGroup tail;
  tail.ops.assign(group.ops.begin() + 1, group.ops.end());
  tail.inputs.push_back(program.result(group.ops.front()));
  for (const ValueId value : readByTail(program, group)) tail.inputs.push_back(value);
  tail.outputs = group.outputs;
  tail.space = values.space(group.outputs.front());
  return tail;
}

void joinTails(const Program& program, const PlanValues& values, std::vector<FusionGroup>& groups,
               Tails how) {
  if (how == Tails::none) return;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    FusionGroup& product = groups[g];
    if (product.kind != StepKind::library || product.ops.size() != 1 || product.outputs.size() != 1)
      continue;
    const ValueId made = product.outputs.front();
    const Op& first = program.ops[static_cast<std::size_t>(product.ops.front())];
    if (values.isView(made) || !takesTails(first)) continue;
    const std::size_t taker = takerOf(program, values, groups, g, made);
    if (taker == groups.size()) continue;
    FusionGroup& tail = groups[taker];
    if (!isMadeOfTails(program, values, tail, made) ||
        std::ranges::find(tail.inputs, made) == tail.inputs.end() ||
        !lieAlike(values, made, tail.outputs.front()))
      continue;
    // Products of integers are executed in parts, to which no pass belongs.
    if (how == Tails::kernels && !isFloat(values.dtype(made))) continue;
    if (how == Tails::epilogues ? !isEpilogue(program, first, values.dtype(made), tail)
                                : !isReady(program, values, groups, g, tail))
      continue;
    for (const int op : tail.ops) product.ops.push_back(op);
    for (const ValueId value : readByTail(program, product))
      if (std::ranges::find(product.inputs, value) == product.inputs.end())
        product.inputs.push_back(value);
    product.outputs = tail.outputs;
    groups.erase(groups.begin() + static_cast<std::ptrdiff_t>(taker));
  }
}

}  // namespace fusebench

// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/language/indexed_inputs.h"

#include <algorithm>

#include "engine/language/program_sizes.h"
#include "engine/ops/ops.h"

namespace fusebench {
namespace {

/// The operand whose integers an op gives back, some of them replaced; -1: it computes others.
int keptOperand(const Op& op) {
  if (!op.row) return -1;
  if (op.row->kind == OpKind::view || op.row->kind == OpKind::copy) return 0;
  const bool casts = op.row->arity == 1 && op.row->result == ResultType::cast &&
                     isInteger(classOf(op.row->castTo));
  if (op.row->kind == OpKind::pointwise && casts) return 0;
  // torch.where(target != ignore_index, target, 0)
  const bool chooses = op.row->kind == OpKind::pointwise && op.row->truthOperands == 1 &&
                       op.row->arity == 3 && op.row->result == ResultType::number;
  return chooses ? 1 : -1;
}

/// The input whose integers an index has; -1: the index is computed.
ValueId indexingInput(const Program& program, ValueId value) {
  const auto inputs = static_cast<ValueId>(program.inputs.size());
  while (value >= inputs) {
    const Op& op = program.ops[static_cast<std::size_t>(value - inputs)];
    const int kept = keptOperand(op);
    if (kept < 0 || static_cast<std::size_t>(kept) >= op.operands.size()) return -1;
    const Operand& operand = op.operands[static_cast<std::size_t>(kept)];
    if (operand.isNumber()) return -1;
    value = operand.value;
  }
  return value;
}

}  // namespace

std::vector<IndexedInput> indexedInputs(const Program& program, std::span<const ValueType> types) {
  std::vector<IndexedInput> found;
  for (const Op& op : program.ops) {
    if (!op.row || !op.row->indexing.is || op.operands.size() < 2) continue;
    const Operand& index = op.operands[static_cast<std::size_t>(op.row->indexing.index)];
    const Operand& source = op.operands[static_cast<std::size_t>(op.row->indexing.source)];
    if (index.isNumber() || source.isNumber()) continue;
    const ValueId input = indexingInput(program, index.value);
    if (input < 0) continue;
    const DType dtype = types[static_cast<std::size_t>(input)].dtype;
    const Shape& extents = types[static_cast<std::size_t>(source.value)].shape;
    if (dtype == DType::boolean || isFloat(dtype) || extents.rank() == 0) continue;
    int dim = indexedDim(op);
    if (dim < 0) dim += extents.rank();
    if (dim < 0 || dim >= extents.rank()) continue;
    const auto known = std::ranges::find(found, input, &IndexedInput::input);
    if (known == found.end())
      found.push_back({input, extents[dim]});
    else
      known->extent = std::min(known->extent, extents[dim]);
  }
  return found;
}

}  // namespace fusebench

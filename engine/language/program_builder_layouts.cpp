// SPDX-License-Identifier: GPL-3.0-or-later
// Where the values of a program are in memory, as far as the inputs' sizes and strides are known:
// by the rules that eager and plans follow, which are PyTorch's.
#include <optional>
#include <vector>

#include "engine/base/dim_order.h"
#include "engine/language/program_builder.h"
#include "engine/language/program_errors.h"
#include "engine/language/program_sizes.h"

namespace fusebench {
namespace {

ValueLayout rowMajorLayout(const ValueType& type, ValueId value) {
  return {
      {SizeList<std::int64_t>(type.shape), SizeList<std::int64_t>(rowMajorStrides(type.shape)), 0},
      value,
      elementCount(type.shape),
      type.dtype};
}

void setStridesOf(ValueLayout& layout, const Strides& strides) {
  for (std::size_t d = 0; d < layout.view.strides.size(); ++d)
    layout.view.strides[d] = strides[static_cast<int>(d)];
}

Shape shapeOfLayout(const ValueLayout& layout) {
  Shape shape;
  for (const std::int64_t extent : layout.view.extents) shape.push(extent);
  return shape;
}

Strides stridesOfLayout(const ValueLayout& layout) {
  Strides strides = rowMajorStrides(shapeOfLayout(layout));
  for (std::size_t d = 0; d < layout.view.strides.size(); ++d)
    strides[static_cast<int>(d)] = layout.view.strides[d];
  return strides;
}

/// Lays a new tensor out with its dimensions in an order.
void orderLayout(ValueLayout& layout, const DimOrder& order) {
  layout.view.strides = denseStrides(layout.view.extents, order);
}

}  // namespace

bool ValueLayout::isContiguous() const {
  std::int64_t reach = 1;
  for (std::size_t d = view.extents.size(); d-- > 0;) {
    if (view.extents[d] == 0) return true;
    if (view.extents[d] == 1) continue;
    if (view.strides[d] != reach) return false;
    reach *= view.extents[d];
  }
  return true;
}

std::optional<ValueLayout> ProgramBuilder::layoutOf(ValueId value) {
  if (value < 0) return std::nullopt;
  if (value < kFirstResult) {
    const std::optional<ValueType>& type = typeOf(value);
    if (!type) return std::nullopt;
    ValueLayout layout = rowMajorLayout(*type, value);
    const auto given = hints_.strides.find(program_.inputs[static_cast<std::size_t>(value)]);
    if (given != hints_.strides.end() && given->second.rank() == type->shape.rank()) {
      setStridesOf(layout, given->second);
      std::int64_t last = layout.elements == 0 ? -1 : 0;
      for (int d = 0; d < type->shape.rank() && last >= 0; ++d)
        last += (type->shape[d] - 1) * given->second[d];
      layout.elements = last + 1;
    }
    return layout;
  }
  // In order, as their types are.
  const auto wanted = static_cast<std::size_t>(value - kFirstResult);
  if (resultLayouts_.size() > program_.ops.size()) resultLayouts_.resize(program_.ops.size());
  while (resultLayouts_.size() <= wanted && resultLayouts_.size() < program_.ops.size()) {
    const std::size_t at = resultLayouts_.size();
    const Op& op = program_.ops[at];
    checkWork(op.place, 2);
    std::optional<ValueLayout> found;
    try {
      found = madeLayout(op, kFirstResult + static_cast<ValueId>(at));
    } catch (const ProgramError&) {  // said when the program's types are inferred
    } catch (const SizeOverflow&) {
    }
    resultLayouts_.push_back(std::move(found));
  }
  return wanted < resultLayouts_.size() ? resultLayouts_[wanted] : std::nullopt;
}

/// The layout of an op's result, once those of earlier ops are there.
std::optional<ValueLayout> ProgramBuilder::madeLayout(const Op& op, ValueId value) {
  if (!op.row) return std::nullopt;
  if (op.writesInto()) return layoutOf(op.into);
  const std::optional<ValueType> type = typeOf(value);
  if (!type) return std::nullopt;
  ValueLayout layout = rowMajorLayout(*type, value);
  std::vector<ValueLayout> operands;
  for (const Operand& operand : op.operands) {
    if (operand.isNumber()) continue;
    std::optional<ValueLayout> of = layoutOf(operand.value);
    if (!of) return std::nullopt;
    operands.push_back(std::move(*of));
  }
  if (op.row->kind == OpKind::view) {
    ValueLayout seen = operands.front();
    if (!viewOf(op.dependsOnSizes() ? withNumbers(op, hintedSizes()) : op, seen.view))
      return layout;
    return seen;
  }
  const bool sized = op.row->kind == OpKind::make && !op.sizeNumbers.empty();
  const bool follows = op.row->kind == OpKind::pointwise || op.row->kind == OpKind::scan ||
                       op.row->kind == OpKind::copy || (op.row->kind == OpKind::make && !sized);
  std::vector<Shape> shapes;
  std::vector<Strides> strides;
  std::vector<int> ranks;
  for (const ValueLayout& of : operands) {
    shapes.push_back(shapeOfLayout(of));
    strides.push_back(stridesOfLayout(of));
    ranks.push_back(shapes.back().rank());
  }
  if (follows) {
    for (std::size_t i = 0; i < operands.size(); ++i)
      strides[i] = broadcastTo(type->shape, shapes[i], strides[i]);
    orderLayout(layout, resultOrder(type->shape, strides));
  }
  if (op.row->kind == OpKind::contract)
    orderLayout(layout, contractOrder(contractFormOf(op, ranks), shapes, strides));
  return layout;
}

}  // namespace fusebench

// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/plan/plan_values.h"

#include <utility>

namespace fusebench {
namespace {

/// Gives the results of element-wise ops the order of their operands' dimensions. An order is a
/// choice, not a condition: it holds for every call that the guards let through.
class OrderWalk {
 public:
  OrderWalk(const Program& program, std::span<const Shape> shapes, PlanValues& values)
      : program_(program), shapes_(shapes), values_(values) {}

  void run(Forms inputs) {
    for (std::size_t i = 0; i < inputs.size(); ++i)
      strides_.push_back(inputs[i].contiguous ? contiguousStrides(inputs[i].shape)
                                              : inputs[i].strides);
    for (std::size_t i = 0; i < program_.ops.size(); ++i) {
      const Op& op = program_.ops[i];
      const ValueId value = program_.result(static_cast<int>(i));
      const Shape& shape = shapeOf(value);
      strides_.push_back(contiguousStrides(shape));
      if (op.row->kind != OpKind::reduce) setOrder(op, value, shape);
    }
  }

 private:
  const Shape& shapeOf(ValueId value) const {
    return shapes_[static_cast<std::size_t>(values_.space(value))];
  }

  void setOrder(const Op& op, ValueId value, const Shape& shape) {
    std::vector<Strides> operands;
    for (const Operand& operand : op.operands)
      if (!operand.isNumber())
        operands.push_back(broadcastTo(shape, shapeOf(operand.value),
                                       strides_[static_cast<std::size_t>(operand.value)]));
    const DimOrder order = resultOrder(shape, operands);
    if (order.isRowMajor()) return;
    const SizeList<std::int64_t> dense = denseStrides(SizeList<std::int64_t>(shape), order);
    for (int d = 0; d < shape.rank(); ++d) strides_.back()[d] = dense[static_cast<std::size_t>(d)];
    int& own = values_.layoutOf[static_cast<std::size_t>(value)];
    for (const auto& [space, layout] : made_)
      if (space == values_.space(value) &&
          values_.layouts[static_cast<std::size_t>(layout)].order == order) {
        own = layout;
        return;
      }
    own = static_cast<int>(values_.layouts.size());
    values_.layouts.push_back({denseStrides(values_.extents(values_.space(value)), order), order});
    made_.emplace_back(values_.space(value), own);
  }

  const Program& program_;
  std::span<const Shape> shapes_;  ///< of the spaces, as seen
  PlanValues& values_;
  std::vector<Strides> strides_;           ///< per value, as seen
  std::vector<std::pair<int, int>> made_;  ///< spaces, and layouts of theirs that results have
};

}  // namespace

PlanValues planValues(const Program& program, Forms inputs, const Guards& guards) {
  SharedTypes types = inferSharedTypes(program, inputs);
  PlanValues result{std::move(types.values), types.leading, {}, {}, {}};
  result.spaces.reserve(types.shapes.size());
  for (const Shape& shape : types.shapes) {
    SizeList<SymbolicSize>& extents = result.spaces.emplace_back();
    for (const std::int64_t extent : shape) extents.push_back(guards.size(extent));
  }
  bool allContiguous = true;
  for (std::size_t i = 0; i < inputs.size(); ++i) allContiguous &= inputs[i].contiguous;
  if (allContiguous) return result;
  result.layoutOf.assign(result.count(), -1);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i].contiguous) continue;
    result.layoutOf[i] = static_cast<int>(result.layouts.size());
    result.layouts.push_back({guards.strides(i), DimOrder(inputs[i].shape.rank())});
  }
  OrderWalk(program, types.shapes, result).run(inputs);
  return result;
}

}  // namespace fusebench

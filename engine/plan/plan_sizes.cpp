// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/plan/plan_sizes.h"

#include <utility>

namespace fusebench {
namespace {

Shape shapeNow(const SizeList<HintedSize>& extents) {
  Shape shape;
  for (const HintedSize& extent : extents) shape.push(extent.hint);
  return shape;
}

/// The extent of a dimension, which is negative if it is counted from the last.
const HintedSize& along(const SizeList<HintedSize>& extents, int dim) {
  return extents[static_cast<std::size_t>(dim < 0 ? dim + static_cast<int>(extents.size()) : dim)];
}

}  // namespace

PlanSizes::PlanSizes(const SizeExpressions& sizes, SizeFacts& facts, ExtentsOf extentsOf)
    : sizes_(sizes),
      facts_(facts),
      math_(facts),
      extentsOf_(std::move(extentsOf)),
      now_(sizes, [this](ValueId value) { return shapeNow(extentsOf_(value)); }),
      known_(static_cast<std::size_t>(sizes.count())) {}

HintedSize PlanSizes::at(SizeId id, SourcePlace place) {
  std::optional<HintedSize>& known = known_[static_cast<std::size_t>(id)];
  if (known) return *known;
  const std::int64_t number = now_.integer(id, place);
  std::optional<HintedSize> size = computed(sizes_[id], place);
  if (!size) {
    holdLeaves(id);
    size.emplace(number);
  }
  return known_[static_cast<std::size_t>(id)].emplace(*size);
}

/// Nothing if no symbol can represent what the node computes.
std::optional<HintedSize> PlanSizes::computed(const SizeNode& node, SourcePlace place) {
  const auto isInteger = [&](SizeId id) { return id < 0 || now_.at(id, place).integer; };
  if (!isInteger(node.a) || !isInteger(node.b)) return std::nullopt;
  const auto a = [&] { return at(node.a, place); };
  const auto b = [&] { return at(node.b, place); };
  const auto quotient = [&] {
    const HintedSize by = b();
    math_.equal(by, 0);  // a division by zero is an error of the program
    return math_.floorDivide(a(), by);
  };
  const auto truth = [](bool is) { return HintedSize(is ? 1 : 0); };
  switch (node.kind) {
    case SizeKind::constant:
      return HintedSize(static_cast<std::int64_t>(node.constant.number));
    case SizeKind::extent:
    case SizeKind::rank:
    case SizeKind::elements:
      return leaf(node);
    case SizeKind::add:
      return math_.add(a(), b());
    case SizeKind::subtract:
      return math_.subtract(a(), b());
    case SizeKind::multiply:
      return math_.multiply(a(), b());
    case SizeKind::floorDivide:
      return quotient();
    case SizeKind::remainder:
      return math_.subtract(a(), math_.multiply(quotient(), b()));
    case SizeKind::negative:
      return math_.subtract(0, a());
    case SizeKind::absolute:
      return math_.less(a(), 0) ? math_.subtract(0, a()) : a();
    case SizeKind::minimum:
      return math_.less(b(), a()) ? b() : a();
    case SizeKind::maximum:
      return math_.less(a(), b()) ? b() : a();
    case SizeKind::toInteger:
    case SizeKind::round:
      return a();
    case SizeKind::less:
      return truth(math_.less(a(), b()));
    case SizeKind::lessEqual:
      return truth(!math_.less(b(), a()));
    case SizeKind::equal:
      return truth(math_.equal(a(), b()));
    case SizeKind::notEqual:
      return truth(!math_.equal(a(), b()));
    case SizeKind::trueDivide:
    case SizeKind::power:
    case SizeKind::toFloat:
    case SizeKind::function:
      break;
  }
  return std::nullopt;
}

HintedSize PlanSizes::leaf(const SizeNode& node) {
  const SizeList<HintedSize> extents = extentsOf_(node.value);
  if (node.kind == SizeKind::rank) return static_cast<std::int64_t>(extents.size());
  if (node.kind == SizeKind::extent) return along(extents, node.dim);
  HintedSize elements = 1;
  for (const HintedSize& extent : extents) elements = math_.multiply(elements, extent);
  return elements;
}

void PlanSizes::relyOn(const HintedSize& size) {
  math_.equal(size, size.hint);
}

void PlanSizes::hold(SizeId id, SourcePlace place) {
  if (now_.at(id, place).integer)
    relyOn(at(id, place));
  else
    holdLeaves(id);
}

/// Requires that the extents from which a size is computed have their current values in every call.
void PlanSizes::holdLeaves(SizeId id) {
  for (const SizeLeaf& each : sizes_.leaves(id)) {
    if (each.of == SizeLeaf::Of::rank) continue;  // the same in every call
    const SizeList<HintedSize> extents = extentsOf_(each.value);
    if (each.of == SizeLeaf::Of::extent)
      relyOn(along(extents, each.dim));
    else
      for (const HintedSize& extent : extents) relyOn(extent);
  }
}

void PlanSizes::holdNumbers(const Op& op, bool ofResult) {
  const auto each = [&](SizeId id) {
    if (id >= 0) hold(id, op.place);
  };
  for (const Operand& operand : op.operands) each(operand.size);
  for (std::size_t i = 0; i < op.parameterSizes.size(); ++i) {
    // The point at which the numbers of arange() end follows from how many there are.
    const bool follows = op.row->name == "arange" && op.row->parameters.begin()[i].name == "end";
    if (!follows) each(op.parameterSizes[i]);
  }
  if (ofResult)
    for (const SizeId id : op.sizes) each(id);
}

}  // namespace fusebench

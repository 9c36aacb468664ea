// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/language/program_sizes.h"

#include <algorithm>

namespace fusebench {
namespace {

/// Finds the inputs' extents behind extents of values, each looked at once.
class ExtentSearch {
 public:
  ExtentSearch(const Program& program, std::span<const ValueType> types)
      : program_(program), types_(types), seen_(types.size()) {}

  void size(SizeId id) {
    for (const SizeLeaf& leaf : program_.sizes.leaves(id)) {
      if (leaf.of == SizeLeaf::Of::rank) continue;  // plans hold ranks anyway
      if (leaf.of == SizeLeaf::Of::elements) {
        all(leaf.value);
      } else {
        const int dim = leaf.dim < 0 ? leaf.dim + rank(leaf.value) : leaf.dim;
        extent(leaf.value, dim);
      }
    }
  }

  std::vector<InputExtent> run() {
    while (!open_.empty()) {
      const auto [value, dim] = open_.back();
      open_.pop_back();
      behind(value, dim);
    }
    std::vector<InputExtent> found;
    for (std::size_t i = 0; i < program_.inputs.size(); ++i)
      for (int d = 0; d < types_[i].shape.rank(); ++d)
        if ((seen_[i] >> d) & 1u) found.push_back({static_cast<int>(i), d});
    return found;
  }

 private:
  int rank(ValueId value) const { return types_[static_cast<std::size_t>(value)].shape.rank(); }

  void extent(ValueId value, int dim) {
    if (dim < 0 || dim >= rank(value)) return;
    std::uint32_t& seen = seen_[static_cast<std::size_t>(value)];
    if ((seen >> dim) & 1u) return;
    seen |= 1u << dim;
    open_.emplace_back(value, dim);
  }

  void all(ValueId value) {
    for (int d = 0; d < rank(value); ++d) extent(value, d);
  }

  void behind(ValueId value, int dim) {
    const auto made = value - static_cast<ValueId>(program_.inputs.size());
    if (made < 0) return;
    const Op& op = program_.ops[static_cast<std::size_t>(made)];
    for (const Operand& operand : op.operands) {
      if (operand.isNumber() || (op.row->kind == OpKind::make && !op.sizeNumbers.empty())) continue;
      if (op.row->kind == OpKind::pointwise || op.row->kind == OpKind::make)
        extent(operand.value, dim - rank(value) + rank(operand.value));
      else if (op.row->kind == OpKind::reduce)
        extent(operand.value, before(op, rank(operand.value), dim));
      else
        all(operand.value);
    }
    for (const SizeId id : op.sizes)
      if (id >= 0) size(id);
  }

  /// The operand's dimension that dimension `dim` of a reduction's result is.
  static int before(const Op& op, int rank, int dim) {
    const std::uint32_t mask = reducedMask(op, rank);
    if (op.keepDims) return (mask >> dim) & 1u ? -1 : dim;
    for (int d = 0, kept = 0; d < rank; ++d)
      if (!((mask >> d) & 1u) && kept++ == dim) return d;
    return -1;
  }

  const Program& program_;
  std::span<const ValueType> types_;
  std::vector<std::uint32_t> seen_;  ///< by value: dimensions that were looked at
  std::vector<std::pair<ValueId, int>> open_;
};

template <class Each>
void eachSize(const Op& op, Each each) {
  for (const Operand& operand : op.operands)
    if (operand.size >= 0) each(operand.size);
  for (const SizeId id : op.parameterSizes)
    if (id >= 0) each(id);
  for (const SizeId id : op.sizes)
    if (id >= 0) each(id);
}

}  // namespace

bool Op::dependsOnSizes() const {
  bool any = false;
  eachSize(*this, [&](SizeId) { any = true; });
  return any;
}

Op withNumbers(const Op& op, SizeValues& values) {
  Op result = op;
  for (Operand& operand : result.operands) {
    if (operand.size < 0) continue;
    const SizeNumber number = values.at(operand.size, op.place);
    operand.number = number.number;
    operand.integer = number.integer;
  }
  for (std::size_t i = 0; i < op.parameterSizes.size(); ++i)
    if (op.parameterSizes[i] >= 0)
      result.parameters[i] = values.at(op.parameterSizes[i], op.place).number;
  result.sizeNumbers.resize(op.sizes.size());
  for (std::size_t i = 0; i < op.sizes.size(); ++i)
    if (op.sizes[i] >= 0) result.sizeNumbers[i] = values.integer(op.sizes[i], op.place);
  return result;
}

Program withNumbers(const Program& program, std::span<const ValueType> types) {
  Program result = program;
  SizeValues values(program.sizes,
                    [&](ValueId value) { return types[static_cast<std::size_t>(value)].shape; });
  for (Op& op : result.ops)
    if (op.dependsOnSizes()) op = withNumbers(op, values);
  return result;
}

std::vector<InputExtent> extentsBehind(const Program& program, SizeId size,
                                       std::span<const ValueType> types) {
  ExtentSearch search(program, types);
  search.size(size);
  return search.run();
}

std::vector<InputExtent> extentsBehindSizes(const Program& program,
                                            std::span<const ValueType> types) {
  ExtentSearch search(program, types);
  for (const Op& op : program.ops) eachSize(op, [&](SizeId id) { search.size(id); });
  for (const SizeCheck& check : program.checks)
    if (!check.ofValue()) search.size(check.condition);
  return search.run();
}

}  // namespace fusebench

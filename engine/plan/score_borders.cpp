// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/plan/score_borders.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <string_view>

#include "engine/base/elements.h"

namespace fusebench {
namespace {

/// The number of ops after which the search for a mask ends.
constexpr int kDeepest = 8;

/// Whether anything is written to a value's memory after it was computed: it then depends on more
/// than the op that computed it.
bool isWrittenTo(const Program& program, const PlanValues& values, ValueId value) {
  return program.writesInto && std::ranges::any_of(program.ops, [&](const Op& op) {
           return op.writesInto() && values.root(op.into) == values.root(value);
         });
}

std::optional<double> parameterOf(const Op& op, std::string_view name) {
  for (std::size_t p = 0; p < op.row->parameters.size() && p < op.parameters.size(); ++p)
    if (op.row->parameters.begin()[p].name == name) return op.parameters[p];
  return std::nullopt;
}

std::optional<std::int64_t> wholeOf(std::optional<double> number) {
  constexpr double kMost = 1e15;
  if (!number || std::trunc(*number) != *number || std::abs(*number) > kMost) return std::nullopt;
  return static_cast<std::int64_t>(*number);
}

ScoreBorder negated(const ScoreBorder& border) {
  return {!border.below, border.below ? border.at + 1 : border.at - 1};
}

/// The numbers of an arange along the rows or the columns: `begin` plus the place there.
struct Along {
  bool columns = false;
  std::int64_t begin = 0;
};

class BorderSearch {
 public:
  BorderSearch(const Program& program, const PlanValues& values)
      : program_(program), values_(values) {}

  std::optional<ScoreBorder> find(ValueId value, int depth = 0) const {
    const Op* const op = opOf(program_, value);
    if (!op || depth > kDeepest || isWrittenTo(program_, values_, value)) return std::nullopt;
    const std::string_view name = op->row->name;
    if (op->row->kind == OpKind::view) {
      const ValueId seen = op->operands.front().value;
      if (!keepsMatrix(value, seen)) return std::nullopt;
      return find(seen, depth + 1);
    }
    if (op->row->kind != OpKind::pointwise) return std::nullopt;
    if (name == "tril" || name == "triu") {
      const auto constant = constantOf(program_, values_, op->operands.front().value);
      const auto diagonal = wholeOf(parameterOf(*op, "diagonal"));
      if (!constant || !(*constant > 0) || !diagonal) return std::nullopt;
      return ScoreBorder{name == "tril", *diagonal};
    }
    if (name == "bool") return find(op->operands.front().value, depth + 1);
    if (name == "logical_not" || name == "bitwise_not") {
      // An integer that is not 0 may still be nonzero after a bitwise op.
      if (name == "bitwise_not" && values_.dtype(value) != DType::boolean) return std::nullopt;
      const auto border = find(op->operands.front().value, depth + 1);
      return border ? std::optional(negated(*border)) : std::nullopt;
    }
    return op->operands.size() == 2 ? compared(*op, depth) : std::nullopt;
  }

 private:
  /// Whether the last two dimensions are those of the value that it is a view of, in full.
  bool keepsMatrix(ValueId view, ValueId of) const {
    const auto &extents = values_.extents(values_.space(view)),
               &from = values_.extents(values_.space(of));
    const std::size_t rank = extents.size(), fromRank = from.size();
    if (rank < 2 || fromRank < 2 || values_.root(view) != values_.root(of) ||
        !(values_.offset(view) == values_.offset(of)))
      return false;
    const auto strides = values_.strides(view), fromStrides = values_.strides(of);
    for (std::size_t d = 1; d <= 2; ++d)
      if (!(extents[rank - d] == from[fromRank - d]) ||
          !(strides[rank - d] == fromStrides[fromRank - d]))
        return false;
    for (std::size_t d = 0; d + 2 < rank; ++d)
      if (!isOne(extents[d]) && !(strides[d] == SymbolicSize(0))) return false;
    for (std::size_t d = 0; d + 2 < fromRank; ++d)
      if (!isOne(from[d])) return false;
    return true;
  }

  std::optional<Along> alongOf(ValueId value, int depth) const {
    const Op* op = opOf(program_, value);
    const bool whole = values_.dtype(value) == DType::int64 || values_.dtype(value) == DType::int32;
    if (!op || depth > kDeepest || !whole || isWrittenTo(program_, values_, value))
      return std::nullopt;
    if (op->row->name == std::string_view("add") && op->operands.size() == 2 &&
        op->operands[1].isNumber()) {
      const auto more = wholeOf(op->operands[1].number);
      auto along = alongOf(op->operands[0].value, depth + 1);
      const auto alpha = parameterOf(*op, "alpha");
      if (!along || !more || (alpha && *alpha != 1)) return std::nullopt;
      along->begin += *more;
      return along;
    }
    const Op* const made = opOf(program_, values_.root(value));
    if (!made || made->row->name != std::string_view("arange") ||
        !(values_.offset(value) == SymbolicSize(0)))
      return std::nullopt;
    const auto begin = wholeOf(parameterOf(*made, "start"));
    const auto step = parameterOf(*made, "step");
    if (!begin || !step || *step != 1) return std::nullopt;
    const auto& extents = values_.extents(values_.space(value));
    const auto strides = values_.strides(value);
    std::optional<std::size_t> place;  // from the last dimension
    for (std::size_t d = 0; d < extents.size(); ++d) {
      if (isOne(extents[d]) || strides[d] == SymbolicSize(0)) continue;
      if (place || !(strides[d] == SymbolicSize(1))) return std::nullopt;
      place = extents.size() - 1 - d;
    }
    if (!place || *place > 1) return std::nullopt;
    return Along{*place == 0, *begin};
  }

  /// Compares a border with 0, or two aranges.
  std::optional<ScoreBorder> compared(const Op& op, int depth) const {
    const std::string_view name = op.row->name;
    const bool less = name == "lt" || name == "le", greater = name == "gt" || name == "ge";
    if (op.operands[0].isNumber()) return std::nullopt;
    if (op.operands[1].isNumber()) {
      if (op.operands[1].number != 0 || (name != "gt" && name != "ne" && name != "eq"))
        return std::nullopt;
      const auto border = find(op.operands[0].value, depth + 1);
      if (!border) return std::nullopt;
      return name == "eq" ? negated(*border) : *border;
    }
    if (!less && !greater) return std::nullopt;
    const auto a = alongOf(op.operands[0].value, depth + 1),
               b = alongOf(op.operands[1].value, depth + 1);
    if (!a || !b || a->columns == b->columns) return std::nullopt;
    // column + c (relation) row + r, or vice versa
    const Along &columns = a->columns ? *a : *b, &rows = a->columns ? *b : *a;
    const bool below = less == a->columns, equal = name == "le" || name == "ge";
    const std::int64_t apart = rows.begin - columns.begin;
    return ScoreBorder{below, equal ? apart : below ? apart - 1 : apart + 1};
  }

  const Program& program_;
  const PlanValues& values_;
};

}  // namespace

const Op* opOf(const Program& program, ValueId value) {
  const auto index = value - static_cast<ValueId>(program.inputs.size());
  return index < 0 ? nullptr : &program.ops[static_cast<std::size_t>(index)];
}

/// The number that an op fills a tensor with, before it is converted.
static std::optional<double> filledWith(const Op& op) {
  if (op.row->kind != OpKind::make) return std::nullopt;
  if (op.row->listsNumbers) {  // after the row's parameters
    const std::size_t first = op.row->parameters.size();
    if (op.parameters.size() <= first) return std::nullopt;
    for (std::size_t p = first; p < op.parameters.size(); ++p)
      if (op.parameters[p] != op.parameters[first]) return std::nullopt;
    return op.parameters[first];
  }
  if (op.row->places != IndexInputs::none) return std::nullopt;
  const auto value = parameterOf(op, "_value");
  return value ? value : parameterOf(op, "fill_value");
}

std::optional<double> constantOf(const Program& program, const PlanValues& values, ValueId value) {
  const Op* const op = opOf(program, values.root(value));
  const auto number = op ? filledWith(*op) : std::nullopt;
  if (!number || isWrittenTo(program, values, value)) return std::nullopt;
  std::array<std::byte, sizeof(double)> element{};
  storeElement(element.data(), values.dtype(value), *number);
  return loadElement(element.data(), values.dtype(value));
}

std::optional<ScoreBorder> scoreBorderOf(const Program& program, const PlanValues& values,
                                         ValueId value) {
  return BorderSearch(program, values).find(value);
}

}  // namespace fusebench

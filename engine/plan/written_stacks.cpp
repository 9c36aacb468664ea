// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/plan/written_stacks.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace fusebench {
namespace {

/// A stack of pieces, created by a group that does nothing else.
struct StackOfPieces {
  ValueId whole = -1;
  std::size_t dim = 0;
  std::vector<ValueId> pieces;  ///< results of kernels, by place along the dimension
};

class StackWriting {
 public:
  StackWriting(const Program& program, PlanValues& values, std::vector<FusionGroup>& groups)
      : program_(program),
        values_(values),
        groups_(groups),
        where_(namedOp("where")),
        lessOrEqual_(namedOp("le")),
        line_(namedOp("arange")) {}

  void run() {
    const auto isWhere = [this](const Op& each) { return each.row == &where_; };
    if (std::ranges::none_of(program_.ops, isWhere)) return;
    maker_.assign(values_.count(), -1);
    for (std::size_t g = 0; g < groups_.size(); ++g)
      for (const int index : groups_[g].ops)
        maker_[at(program_.result(index))] = static_cast<int>(g);
    for (std::size_t g = 0; g < groups_.size(); ++g)
      if (const std::optional<StackOfPieces> stack = stackOf(static_cast<int>(g))) write(*stack, g);
    std::erase_if(groups_, [](const FusionGroup& each) { return each.ops.empty(); });
  }

 private:
  static std::size_t at(ValueId value) { return static_cast<std::size_t>(value); }
  const Op& makerOf(ValueId value) const { return program_.ops[at(value - program_.result(0))]; }
  bool isMade(ValueId value) const { return value >= program_.result(0); }
  const SizeList<SymbolicSize>& extentsOf(ValueId value) const {
    return values_.extents(values_.space(value));
  }
  static bool isNumber(const SymbolicSize& size, std::size_t number) {
    return size == SymbolicSize(static_cast<std::int64_t>(number));
  }
  static bool isPlain(const FusionGroup& each) {
    return !each.alone && each.kind == StepKind::kernel && !each.reduces && !each.phased &&
           !each.rewrites && !each.indexes;
  }

  /// The dimension along which a mask holds for the first positions, up to this one; nothing if it
  /// is another mask.
  std::optional<std::size_t> maskedDim(ValueId mask, std::size_t last, std::size_t rank) const {
    if (!isMade(mask) || values_.root(mask) != mask || makerOf(mask).row != &lessOrEqual_)
      return std::nullopt;
    const Operand &places = makerOf(mask).operands[0], &number = makerOf(mask).operands[1];
    if (places.isNumber() || !number.isNumber() || number.number != static_cast<double>(last))
      return std::nullopt;
    const ValueId line = values_.root(places.value);
    if (!isMade(line) || makerOf(line).row != &line_ || makerOf(line).parameters[1] != 0 ||
        makerOf(line).parameters[3] != 1 || extentsOf(places.value).size() != rank ||
        !(values_.offset(places.value) == SymbolicSize(0)))
      return std::nullopt;
    std::optional<std::size_t> along;
    for (std::size_t d = 0; d < rank; ++d) {
      if (isOne(extentsOf(places.value)[d])) continue;
      if (along || !(values_.strides(places.value)[d] == SymbolicSize(1))) return std::nullopt;
      along = d;
    }
    return along;
  }

  std::optional<StackOfPieces> stackOf(int g) const {
    const FusionGroup& group = groups_[static_cast<std::size_t>(g)];
    if (!isPlain(group) || group.outputs.size() != 1) return std::nullopt;
    StackOfPieces stack;
    ValueId rest = stack.whole = group.outputs.front();
    if (values_.isView(rest) || values_.layout(rest)) return std::nullopt;
    const auto& extents = extentsOf(stack.whole);
    for (std::size_t i = 0; i < group.ops.size(); ++i) {
      if (maker_[at(rest)] != g || makerOf(rest).row != &where_ || makerOf(rest).writesInto())
        return std::nullopt;
      const std::vector<Operand>& operands = makerOf(rest).operands;
      const auto isTensor = [](const Operand& operand) { return !operand.isNumber(); };
      if (!std::ranges::all_of(operands, isTensor)) return std::nullopt;
      const auto dim = maskedDim(operands[0].value, i, extents.size());
      if (!dim || (i > 0 && *dim != stack.dim)) return std::nullopt;
      stack.dim = *dim;
      stack.pieces.push_back(operands[1].value);
      rest = operands[2].value;
    }
    stack.pieces.push_back(rest);
    if (!isNumber(extents[stack.dim], stack.pieces.size())) return std::nullopt;
    for (ValueId& piece : stack.pieces) {
      if (!isSlice(piece, stack)) return std::nullopt;
      piece = values_.root(piece);
    }
    return stack;
  }

  /// Whether an operand of a selection is all of what it is a view of, at one position of the
  /// dimension.
  bool isSlice(ValueId seen, const StackOfPieces& stack) const {
    const ValueId root = values_.root(seen);
    const auto &extents = extentsOf(seen), &whole = extentsOf(stack.whole), &own = extentsOf(root);
    if (!isMade(root) || values_.dtype(root) != values_.dtype(stack.whole) ||
        extents.size() != whole.size() || own.size() + 1 != whole.size() ||
        !(values_.offset(seen) == SymbolicSize(0)))
      return false;
    const auto strides = values_.strides(seen), steps = values_.strides(root);
    for (std::size_t d = 0; d < whole.size(); ++d) {
      const std::size_t k = d < stack.dim ? d : d - 1;
      if (d == stack.dim ? !isOne(extents[d])
                         : !(extents[d] == whole[d]) || !(own[k] == whole[d]) ||
                               (!isOne(whole[d]) && !(strides[d] == steps[k])))
        return false;
    }
    return true;
  }

  /// Whether something other than the joined groups needs a value in memory.
  bool isWanted(ValueId value, std::size_t maker, std::size_t reader) const {
    const auto is = [&](ValueId seen) { return values_.root(seen) == value; };
    if (std::ranges::any_of(program_.outputs, is)) return true;
    for (const SizeCheck& check : program_.checks)
      if (check.ofValue() && is(check.value)) return true;
    for (std::size_t g = 0; g < groups_.size(); ++g)
      if (g != maker && g != reader && std::ranges::any_of(groups_[g].inputs, is)) return true;
    return false;
  }
  bool isWrittenInPlace(ValueId value) const {
    return std::ranges::any_of(program_.ops, [&](const Op& each) {
      return each.writesInto() && values_.root(each.into) == value;
    });
  }

  /// The kernel that computes all pieces, and may write them; -1: there is none.
  int writerOf(const StackOfPieces& stack, std::size_t reader) const {
    const int writer = maker_[at(stack.pieces.front())];
    if (writer < 0 || writer >= static_cast<int>(reader) || stack.pieces.size() > kMostParts ||
        !program_.branches.empty())
      return -1;
    const FusionGroup& group = groups_[static_cast<std::size_t>(writer)];
    if (!isPlain(group)) return -1;
    for (const ValueId piece : stack.pieces)
      if (maker_[at(piece)] != writer || makerOf(piece).row->kind != OpKind::pointwise ||
          values_.space(piece) != group.space || isWrittenInPlace(piece))
        return -1;
    const auto parts = [](const FusionGroup& each) {
      return each.kind == StepKind::copy || each.kind == StepKind::collective;
    };
    return std::any_of(groups_.begin() + writer,
                       groups_.begin() + static_cast<std::ptrdiff_t>(reader), parts)
               ? -1
               : writer;
  }

  void write(const StackOfPieces& stack, std::size_t reader) {
    const int found = writerOf(stack, reader);
    if (found < 0) return;
    const auto writer = static_cast<std::size_t>(found);
    FusionGroup &to = groups_[writer], &from = groups_[reader];
    ShortList<ValueId, 4> outputs;
    for (const ValueId value : to.outputs)
      if (std::ranges::find(stack.pieces, value) == stack.pieces.end() ||
          isWanted(value, writer, reader))
        outputs.push_back(value);
    for (std::size_t place = 0; place < stack.pieces.size(); ++place) {
      const ValueId part = addPart(stack, place);
      to.parts.push_back({part, stack.pieces[place]});
      outputs.push_back(part);
    }
    to.outputs = outputs;
    const auto own = static_cast<std::ptrdiff_t>(to.ops.size());
    for (const int index : from.ops) {
      to.choices.push_back(index);
      to.ops.push_back(index);
      maker_[at(program_.result(index))] = found;
    }
    std::inplace_merge(to.ops.begin(), to.ops.begin() + own, to.ops.end());
    from = FusionGroup();
  }

  /// One position of the whole along the dimension, in the layout of a piece.
  ValueId addPart(const StackOfPieces& stack, std::size_t place) {
    const SizeList<SymbolicSize> whole = values_.strides(stack.whole);
    SizeList<SymbolicSize> strides;
    for (std::size_t d = 0; d < whole.size(); ++d)
      if (d != stack.dim) strides.push_back(whole[d]);
    return addPartTo(values_, stack.whole, stack.pieces[place], strides,
                     whole[stack.dim] * SymbolicSize(static_cast<std::int64_t>(place)));
  }

  const Program& program_;
  PlanValues& values_;
  std::vector<FusionGroup>& groups_;
  const OpRow &where_, &lessOrEqual_, &line_;
  std::vector<int> maker_;  ///< for each value of the program: the group that computes it; -1: none
};

}  // namespace

void writeStacks(const Program& program, PlanValues& values, std::vector<FusionGroup>& groups) {
  StackWriting(program, values, groups).run();
}

}  // namespace fusebench

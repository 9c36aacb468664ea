// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/plan/chosen_stacks.h"

#include <algorithm>
#include <vector>

#include "engine/plan/rewriting.h"

namespace fusebench {
namespace {

/// The ops of a stack, one after another: a view of the first piece with the extents of the whole
/// (unsqueeze, expand), the whole (empty), and for each piece its position (select) and the copy
/// (clone).
struct Stack {
  int first = 0, count = 0;  ///< ops
  int dim = 0;
  std::size_t rank = 0;
  std::vector<Operand> pieces;
};

class Stacks {
 public:
  explicit Stacks(const Program& program) : program_(program) {}

  /// The stack that begins with this op.
  std::optional<Stack> at(int first) const {
    const int ops = static_cast<int>(program_.ops.size());
    if (first + 2 >= ops || !isView(first, "unsqueeze") || !isView(first + 1, "expand") ||
        !isOperand(first + 1, first))
      return std::nullopt;
    const Op& whole = op(first + 2);
    if (whole.row->name != "empty" || !whole.sizeNumbers.empty() ||
        !isOperand(first + 2, first + 1))
      return std::nullopt;
    Stack stack{.first = first, .rank = op(first + 1).sizeNumbers.size(), .pieces = {}};
    std::int64_t count = 0;
    for (std::size_t d = 0; d < stack.rank; ++d) {
      if (op(first + 1).sizeNumbers[d] < 0) continue;
      if (count > 0) return std::nullopt;
      count = op(first + 1).sizeNumbers[d];
      stack.dim = static_cast<int>(d);
    }
    stack.count = 3 + 2 * static_cast<int>(count);
    if (count < 2 || count > kMostChosen || first + stack.count > ops) return std::nullopt;
    if (!isOneCall(first, stack.count)) return std::nullopt;
    for (int i = 0; i < count; ++i) {
      const int select = first + 3 + 2 * i, copy = select + 1;
      if (!isView(select, "select") || !isOperand(select, first + 2) ||
          op(select).sizeNumbers.front() != i || !op(select).dims ||
          op(select).dims->front() != stack.dim)
        return std::nullopt;
      if (op(copy).row->name != "clone" || op(copy).into != program_.result(select) ||
          op(copy).operands.size() != 1 || op(copy).operands[0].isNumber())
        return std::nullopt;
      stack.pieces.push_back(op(copy).operands[0]);
    }
    return stack;
  }

  /// Whether a kernel reads the stack, or views of it, and nothing writes into it.
  bool isReadByKernels(const Stack& stack) const {
    std::vector<ValueId> seen{program_.result(stack.first + 2)};
    const auto sees = [&](ValueId value) { return std::ranges::find(seen, value) != seen.end(); };
    bool read = false;
    for (int i = stack.first + stack.count; i < static_cast<int>(program_.ops.size()); ++i) {
      const Op& later = op(i);
      if (later.writesInto() && sees(later.into)) return false;
      for (const Operand& operand : later.operands) {
        if (operand.isNumber() || !sees(operand.value)) continue;
        if (later.row->kind == OpKind::view) {
          seen.push_back(program_.result(i));
          break;
        }
        read |= later.row->kind == OpKind::pointwise || later.row->kind == OpKind::reduce;
      }
    }
    return read;
  }

 private:
  /// More choices than this, evaluated one after another for each element, cost more than copies.
  static constexpr std::int64_t kMostChosen = 4;

  const Op& op(int index) const { return program_.ops[static_cast<std::size_t>(index)]; }
  bool isView(int index, const char* row) const {
    return op(index).row->name == row && op(index).row->kind == OpKind::view &&
           !op(index).dependsOnSizes();
  }
  /// Whether one call in the text created all these ops. Then it was torch.stack() or torch.cat(),
  /// whose pieces have one shape and dtype. Copies that are spelled out in a text may broadcast and
  /// cast.
  bool isOneCall(int first, int count) const {
    const SourcePlace place = op(first).place;
    for (int i = first; i < first + count; ++i)
      if (op(i).place.line != place.line || op(i).place.column != place.column) return false;
    return true;
  }
  bool isOperand(int index, int of) const {
    const auto& operands = op(index).operands;
    return operands.size() == 1 && !operands[0].isNumber() &&
           operands[0].value == program_.result(of);
  }

  const Program& program_;
};

/// The value that has piece i at position i.
Operand choose(Rewriting& to, const Stack& stack) {
  std::vector<std::int64_t> extents(stack.rank, 1);
  const auto last = stack.pieces.size() - 1;
  extents[static_cast<std::size_t>(stack.dim)] = static_cast<std::int64_t>(last) + 1;
  const Operand places = to.reshaped(to.counted(static_cast<std::int64_t>(last) + 1), extents);
  const auto piece = [&](std::size_t i) {
    return to.unsqueezed(to.now(stack.pieces[i]), stack.dim);
  };
  Operand chosen = piece(last);
  for (std::size_t i = last; i-- > 0;)
    chosen = to.apply("where", {to.apply("le", {places, Operand::ofNumber(static_cast<double>(i))}),
                                piece(i), chosen});
  return chosen;
}

}  // namespace

std::optional<Program> withChosenStacks(const Program& program) {
  const Stacks stacks(program);
  std::optional<Rewriting> to;
  for (int index = 0; index < static_cast<int>(program.ops.size());) {
    const Op& op = program.ops[static_cast<std::size_t>(index)];
    const std::optional<Stack> stack = stacks.at(index);
    if (stack && stacks.isReadByKernels(*stack)) {
      if (!to) {
        to.emplace(program);
        for (int before = 0; before < index; ++before)
          to->become(to->append(to->moved(program.ops[static_cast<std::size_t>(before)])));
      }
      to->follow(op);
      const Operand chosen = choose(*to, *stack);
      for (int i = 0; i < stack->count; ++i) to->become(chosen);
      index += stack->count;
      continue;
    }
    if (to) to->become(to->append(to->moved(op)));
    ++index;
  }
  if (!to) return std::nullopt;
  Program made = to->finish();
  made.writesInto = std::ranges::any_of(made.ops, [](const Op& each) { return each.writesInto(); });
  return made;
}

}  // namespace fusebench

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <span>

#include "engine/base/scalar.h"
#include "engine/base/short_list.h"
#include "engine/language/program.h"
#include "engine/plan/kernel.h"

namespace fusebench {

/// Where an op of an op list gets an operand from.
struct ListedOperand {
  enum class From : std::uint8_t { input, op, number };
  From from;     ///< not set from the beginning, for ops have room for more than they need
  int index;     ///< of the kernel's input, or of the list's op; -1: it is the number
  float number;  ///< or 0

  /// A number in a list that computes in another type than float32, in the room of both.
  static ListedOperand of(const Scalar& scalar) {
    ListedOperand operand{From::number, -1, 0};
    std::memcpy(&operand.index, scalar.bytes, sizeof(operand.index));
    std::memcpy(&operand.number, scalar.bytes + sizeof(operand.index), sizeof(operand.number));
    return operand;
  }
  Scalar scalar() const {
    Scalar made;
    std::memcpy(made.bytes, &index, sizeof(index));
    std::memcpy(made.bytes + sizeof(index), &number, sizeof(number));
    return made;
  }

  friend bool operator==(const ListedOperand&, const ListedOperand&) = default;
};

/// One pointwise op of an op list, or a reduction's mapped expression.
struct ListedOp {
  // The op's members are set by the code that makes it; there are many ops.
  ListedOp() {}  // NOLINT(modernize-use-equals-default,cppcoreguidelines-pro-type-member-init)

  const OpRow* row;  ///< it has a meaning
  int op;            ///< index in Program::ops
  DType dtype;
  int operandCount;
  int lastUse = -1;                       ///< the last of the list that reads it
  std::array<ListedOperand, 3> operands;  ///< the first operandCount are set
  std::span<const double> parameters;     ///< the program's: as written, the row's order

  /// The operands that it has.
  std::span<const ListedOperand> given() const {
    return {operands.data(), static_cast<std::size_t>(operandCount)};
  }
};

/// A kernel as separate ops instead of one expression: it runs without being compiled, from pieces
/// of one op each.
struct OpList {
  LoopNest kernel;
  KernelLabel label;  ///< the kernel's name
  ShortList<ListedOp, 40> ops;
  ShortList<ListedOperand, 4> results;  ///< per output: the value to store or to reduce
  bool truths = false;                  ///< an input or an op is bool
  /// The type that all of it computes in: float32, or float64 or an integer, in which no op
  /// reduces.
  TypeClass lanes = TypeClass::float32;
  SharedProgram program;  ///< that it was made from and reads; null: one that outlives it
};

}  // namespace fusebench

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

/// The source of an operand of an op in an op list.
struct ListedOperand {
  enum class From : std::uint8_t { input, op, number };
  From from;     ///< not initialized, because ops have room for more than they need
  int index;     ///< of the kernel's input, or of the list's op; -1: it is the number
  float number;  ///< or 0

  /// A number in a list that computes in another type than float32, in the storage of both.
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
  // The op's members are set by the code that creates it, because there are many ops.
  ListedOp() {}  // NOLINT(modernize-use-equals-default,cppcoreguidelines-pro-type-member-init)

  const OpRow* row;  ///< it has a meaning
  int op;            ///< index in Program::ops
  DType dtype;
  int operandCount;
  int lastUse = -1;                       ///< the last op of the list that reads it
  std::array<ListedOperand, 3> operands;  ///< only the first operandCount are set
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
  bool truths = false;                  ///< whether an input or an op is bool
  /// The type in which the whole list computes: float32, or float64 or an integer type, in which no
  /// op reduces.
  TypeClass lanes = TypeClass::float32;
  SharedProgram
      program;  ///< the program that it was made from and refers to; null: one that outlives it
};

}  // namespace fusebench

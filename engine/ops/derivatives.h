// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "engine/ops/expr.h"
#include "engine/ops/ops.h"

namespace fusebench {

/// An op's operand, and what the formula of its derivative needs to know about it.
struct DerivedOperand {
  std::optional<double> number;  ///< nothing: a tensor
  bool truth = false;            ///< a bool tensor
};

/// Formulas for the gradients of an op's operands, over these inputs: its operands, then its
/// result, then the gradient of the result. Numbers are constants. Formulas share common parts, and
/// constants are folded.
struct OpDerivative {
  ExprGraph graph;
  std::vector<ExprId> gradients;  ///< for each operand; -1: not needed, or 0 everywhere

  static int resultInput(int arity) { return arity; }
  static int gradientInput(int arity) { return arity + 1; }
};

/// The derivative of a pointwise op, by its row's own derivative or by the rules on primitives.
/// `wanted`: for each operand. `seed`: the gradient if it is a number.
OpDerivative derivativeOf(const OpRow& row, std::span<const DerivedOperand> operands,
                          std::span<const double> parameters, const std::vector<bool>& wanted,
                          std::optional<double> seed);

/// A sum over the reduced dimensions that a reduction's derivative needs, or a product.
enum class Auxiliary : std::uint8_t { sum, product };

/// The gradient of a reduction's operand: a formula over the operand's elements, with the values
/// that have to be reduced first. Input 0 is an element, 1 the result, 2 its gradient, and inputs 3
/// and up are the results of the auxiliaries; all but the first repeat along the reduced
/// dimensions.
struct ReductionDerivative {
  struct Reduced {
    Auxiliary by;
    ExprId mapped;  ///< the expression to reduce, over the inputs that exist at that point
  };
  ExprGraph graph;
  std::vector<Reduced> auxiliaries;
  ExprId gradient = -1;

  static constexpr int kElement = 0, kResult = 1, kGradient = 2, kAuxiliary = 3;
};

/// `count`: the number of elements that are reduced to one result.
ReductionDerivative derivativeOf(const OpRow& row, std::span<const double> parameters, double count,
                                 std::optional<double> seed);
/// Whether the derivative depends on the count.
bool derivativeCounts(const OpRow& row);

/// An op that computes part of a formula: which row, and which nodes are its operands.
struct Tile {
  const OpRow* row = nullptr;
  std::vector<ExprId> operands;    ///< operands that are constants are numbers
  std::vector<double> parameters;  ///< one per row parameter
};
/// The pointwise op that computes the largest part of a formula's node at once, according to the
/// formulas of the rows. Throws std::logic_error if there is none.
Tile tileOf(const ExprGraph& graph, ExprId node);

}  // namespace fusebench

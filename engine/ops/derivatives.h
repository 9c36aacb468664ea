// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "engine/ops/expr.h"
#include "engine/ops/ops.h"

namespace fusebench {

/// An op's operand, as far as the formula of its derivative depends on it.
struct DerivedOperand {
  std::optional<double> number;  ///< nothing: a tensor
  bool truth = false;            ///< a bool tensor
};

/// Formulas for the gradients of an op's operands, over these inputs: its operands, then its
/// result, then the gradient of the result. Numbers are constants. Formulas share common parts, and
/// constants are folded.
struct OpDerivative {
  ExprGraph graph;
  std::vector<ExprId> gradients;  ///< per operand; -1: not needed, or 0 everywhere

  static int resultInput(int arity) { return arity; }
  static int gradientInput(int arity) { return arity + 1; }
};

/// The derivative of a pointwise op, by its row's own derivative or by the rules on primitives.
/// `wanted`: per operand. `seed`: the gradient where it is a number.
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
    ExprId mapped;  ///< the reduced expression, over the inputs that exist by then
  };
  ExprGraph graph;
  std::vector<Reduced> auxiliaries;
  ExprId gradient = -1;

  static constexpr int kElement = 0, kResult = 1, kGradient = 2, kAuxiliary = 3;
};

/// `count`: the number of elements that are reduced to one result.
ReductionDerivative derivativeOf(const OpRow& row, std::span<const double> parameters, double count,
                                 std::optional<double> seed);
/// Whether that depends on the count.
bool derivativeCounts(const OpRow& row);

/// An op that computes a piece of a formula: which row, and which nodes are its operands.
struct Tile {
  const OpRow* row = nullptr;
  std::vector<ExprId> operands;    ///< constants among them are numbers
  std::vector<double> parameters;  ///< one per row parameter
};
/// The pointwise op that computes the most of a formula's node at once, by the formulas that the
/// rows have. Throws std::logic_error if there is none.
Tile tileOf(const ExprGraph& graph, ExprId node);

}  // namespace fusebench

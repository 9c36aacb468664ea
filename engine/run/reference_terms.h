// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <vector>

#include "engine/ops/expr.h"
#include "engine/ops/op_rows.h"

namespace fusebench {

/// The magnitude that the error of a pointwise op's result is measured against: that of the largest
/// term in it. Each value that an op has rounded has an error of one rounding of its magnitude, and
/// the derivatives of the primitives propagate it (forward error analysis of the first order, with
/// the largest part in place of the sum). So x * 1.5 + y is measured against |x * 1.5| where the
/// two cancel, and sin of a large computed value against that value; inputs and numbers are exact.
class TermsOfRow {
 public:
  /// As RowFunction. The row is pointwise, or it is a reduction's mapped expression.
  TermsOfRow(const OpRow& row, std::span<const double> parameters,
             const std::vector<bool>& truthOperands);

  /// `values`: the operands; `terms`: the term that each one's error is measured against, 0 for an
  /// exact one. At least |result|.
  double operator()(std::span<const double> values, std::span<const double> terms);

 private:
  double carried(const ExprNode& node, double result) const;
  /// The term of a node's operand; for a computed one it includes its own rounding.
  double counted(ExprId operand) const;
  double value(ExprId operand) const { return values_[static_cast<std::size_t>(operand)]; }
  double term(ExprId operand) const { return terms_[static_cast<std::size_t>(operand)]; }

  ExprGraph graph_;
  ExprId result_ = -1;
  std::vector<double> values_, terms_;  ///< per node
};

}  // namespace fusebench

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <span>
#include <tuple>
#include <vector>

#include "engine/cpu/ranges.h"
#include "engine/ops.h"

namespace fusebench::cpu {

/// An op row's formula by itself. Its inputs are the row's operands, and then those of its
/// parameters that are numbers.
struct RowFormula {
  std::vector<ExprNode> nodes;
  ExprId result = -1;
  bool mindsRanges = false;  ///< its code depends on what is known of its operands
  double instructions = 0;   ///< per element, estimated
};

/// Formulas of op rows, each worked out when it is first asked for. Not for several threads.
class RowFormulas {
 public:
  RowFormulas();
  /// `truths`: bit i: operand i is a truth value. `structural`: the values of the parameters that
  /// are no numbers. Stays where it is.
  const RowFormula& of(const OpRow& row, unsigned truths, std::span<const double> structural);

  /// What is known of a formula's result; `inputs`: of each of its inputs.
  Range range(const RowFormula& formula, std::span<const Range> inputs);

 private:
  std::vector<RowFormula> plain_;  ///< of rows with no structural parameter, by row and truths
  std::map<std::tuple<const OpRow*, unsigned, std::vector<double>>, RowFormula> others_;
  std::vector<Range> scratch_;
};

}  // namespace fusebench::cpu

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <optional>
#include <span>
#include <tuple>
#include <vector>

#include "engine/cpu/math/ranges.h"
#include "engine/ops/ops.h"

namespace fusebench::cpu {

/// An op row's meaning by itself. Its inputs are the row's operands, followed by those of its
/// parameters that are numbers.
struct RowFormula {
  std::vector<RangeNode> nodes;  ///< without the inputs, which are numbered before them
  int inputs = 0;
  ExprId result = -1;               ///< an input, or one of the nodes
  bool mindsRanges = false;         ///< its code depends on what is known about its operands
  std::optional<Range> fixedRange;  ///< the result's, if it is the same for all operands
  double instructions = 0;          ///< per element, estimated
  std::uint64_t key = 0;            ///< Stencil::keyOfOp; 0: with structural parameters
};

/// Formulas of op rows, each computed when it is first requested. Not thread-safe.
class RowFormulas {
 public:
  RowFormulas();
  /// `truths`: bit i: operand i is a bool. `structural`: the values of the parameters that are not
  /// numbers. The formula's address stays valid.
  const RowFormula& of(const OpRow& row, unsigned truths, std::span<const double> structural);
  /// The same for a row that has no structural parameters.
  const RowFormula& of(const OpRow& row, unsigned truths) {
    RowFormula& formula = plain_[static_cast<std::size_t>(&row - rows_) * kTruthForms + truths];
    if (formula.result < 0) [[unlikely]]
      workOut(formula, row, truths, {});
    return formula;
  }

  /// Where to store what is known about a formula's inputs; bools are between 0 and 1.
  Range* inputs() { return scratch_.data(); }
  /// The range of its result, given these inputs; valid until the next call.
  const Range& range(const RowFormula& formula) {
    findRanges(formula.nodes, scratch_.data(), static_cast<std::size_t>(formula.inputs));
    return scratch_[static_cast<std::size_t>(formula.result)];
  }

 private:
  static constexpr std::size_t kTruthForms = std::size_t{1} << kMostOperands;

  void workOut(RowFormula& place, const OpRow& row, unsigned truths,
               std::span<const double> structural);

  const OpRow* rows_;              ///< the first of all
  std::vector<RowFormula> plain_;  ///< of rows without structural parameters, by row and bools
  std::map<std::tuple<const OpRow*, unsigned, std::vector<double>>, RowFormula> others_;
  std::vector<Range> scratch_;  ///< memory for any formula's inputs and nodes
};

}  // namespace fusebench::cpu

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

/// An op row's meaning by itself. Its inputs are the row's operands, and then those of its
/// parameters that are numbers.
struct RowFormula {
  std::vector<RangeNode> nodes;  ///< but the inputs, which count as those before them
  int inputs = 0;
  ExprId result = -1;               ///< an input, or of the nodes
  bool mindsRanges = false;         ///< its code depends on what is known of its operands
  std::optional<Range> fixedRange;  ///< the result's, if it is the same for all operands
  double instructions = 0;          ///< per element, estimated
  std::uint64_t key = 0;            ///< Stencil::keyOfOp; 0: with structural parameters
};

/// Formulas of op rows, each worked out when it is first asked for. Not for several threads.
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

  /// Where what is known of a formula's inputs is put, truth values being between 0 and 1.
  Range* inputs() { return scratch_.data(); }
  /// The range of its result, given these inputs; valid until the next formula's.
  const Range& range(const RowFormula& formula) {
    findRanges(formula.nodes, scratch_.data(), static_cast<std::size_t>(formula.inputs));
    return scratch_[static_cast<std::size_t>(formula.result)];
  }

 private:
  static constexpr std::size_t kTruthForms = std::size_t{1} << kMostOperands;

  void workOut(RowFormula& place, const OpRow& row, unsigned truths,
               std::span<const double> structural);

  const OpRow* rows_;              ///< the first of all
  std::vector<RowFormula> plain_;  ///< of rows with no structural parameter, by row and truths
  std::map<std::tuple<const OpRow*, unsigned, std::vector<double>>, RowFormula> others_;
  std::vector<Range> scratch_;  ///< room for any formula's inputs and nodes
};

}  // namespace fusebench::cpu

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "engine/plan/kernel.h"

namespace fusebench::cpu {

/// The known range of a value: it is NaN, or between these bounds. Bools are 0 or 1.
struct Range {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();

  bool within(double least, double most) const { return low >= least && high <= most; }
  friend bool operator==(const Range&, const Range&) = default;
};

/// The range of every expression node of a kernel, from those of its operands: a sine is between -1
/// and 1 for any operand. Impossible cases need no code: the vector math leaves out its rare paths,
/// and reductions of arguments that are small already. Results do not change by a bit.
///
/// Ranges are those of the exact operations widened by 2^-18 of their size, which is more than any
/// primitive's error, so that they hold for the rounded ones.
std::vector<Range> valueRanges(const Kernel& kernel);
/// The same for other expressions; `inputs`: the known range of each input.
std::vector<Range> valueRanges(std::span<const ExprNode> nodes, std::span<const Range> inputs);
/// A node of a formula that is not an input, reduced to what its range depends on.
struct RangeNode {
  /// `places`: indices of its operands among the formula's inputs followed by its nodes; entries of
  /// operands that it does not have are arbitrary.
  RangeNode(const ExprNode& node, const std::array<std::uint8_t, 3>& places);
  Primitive primitive =
      Primitive::constant;  ///< the range of float32; constant: the range is `fixed`
  std::array<std::uint8_t, 3> operands;
  Range fixed{};
};
/// The same for a formula's nodes. `values` holds the known ranges of the `inputs` inputs, and
/// receives the range of each node, one after the other.
void findRanges(std::span<const RangeNode> nodes, Range* values, std::size_t inputs);
/// Whether a node has the same range whatever is known about its operands.
bool hasFixedRange(const ExprNode& node);
/// The range of a literal: the number itself, or every value for NaN. A lower bound is never +inf,
/// nor an upper one -inf.
inline Range rangeOfNumber(float number) {
  constexpr double kLargest = std::numeric_limits<float>::max();
  const auto exact = static_cast<double>(number);
  if (std::isnan(exact)) return {};
  return {std::min(exact, kLargest), std::max(exact, -kLargest)};
}

}  // namespace fusebench::cpu

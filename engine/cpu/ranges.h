// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <limits>
#include <span>
#include <vector>

#include "engine/kernel.h"

namespace fusebench::cpu {

/// What is known of a value: it is NaN, or lies between these. Truth values are 0 or 1.
struct Range {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();

  bool within(double least, double most) const { return low >= least && high <= most; }
  friend bool operator==(const Range&, const Range&) = default;
};

/// The range of every expression node of a kernel, from those of the nodes it is made of: a sine is
/// between -1 and 1 whatever it is the sine of. What cannot happen needs no code: the vector math
/// leaves out its rare paths, and reductions of arguments that are small already. Results do not
/// change by a bit.
///
/// Ranges are those of the exact operations widened by 2^-18 of their size, which is more than any
/// primitive's error, so that they hold for the rounded ones.
std::vector<Range> valueRanges(const Kernel& kernel);
/// The same for other expressions; `inputs`: what is known of each input.
std::vector<Range> valueRanges(std::span<const ExprNode> nodes, std::span<const Range> inputs);
/// Of one node that is no input, from what is known of its operands; those that it has not do not
/// matter. Written to its place instead of returned: bounds that come back in two registers reach
/// memory in halves, and reading them as one then waits for both.
void findRange(const ExprNode& node, const Range& a, const Range& b, const Range& c, Range& result);
/// Of a number that is written.
void findRangeOfNumber(double number, Range& result);

}  // namespace fusebench::cpu

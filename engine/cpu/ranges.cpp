// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cpu/ranges.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>

namespace fusebench::cpu {
namespace {

constexpr double kSlack = 0x1p-18;
/// Above this a float operation may overflow: the bound is infinite.
constexpr double kLargest = 0x1p126;

/// What computing may add to a bound: of its size, and of the smallest numbers. A bound of 0 stays,
/// for no primitive here rounds across it.
double slack(double bound) {
  return bound == 0 ? 0 : std::abs(bound) * kSlack + 0x1p-140;
}

/// From exact bounds to bounds of what is computed.
Range widened(double low, double high) {
  if (std::isnan(low) || std::isnan(high)) return {};
  low = low < -kLargest ? Range().low : std::min(low - slack(low), kLargest);
  high = high > kLargest ? Range().high : std::max(high + slack(high), -kLargest);
  return {low, high};
}

Range hull(std::initializer_list<double> corners) {
  for (double corner : corners)
    if (std::isnan(corner)) return {};
  return widened(std::min(corners), std::max(corners));
}

Range product(const Range& a, const Range& b) {
  return hull({a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high});
}

Range quotient(const Range& a, const Range& b) {
  if (b.low <= 0 && b.high >= 0) return {};
  return hull({a.low / b.low, a.low / b.high, a.high / b.low, a.high / b.high});
}

Range magnitude(const Range& a) {
  const double low = a.low > 0 ? a.low : a.high < 0 ? -a.high : 0;
  return {low, std::max(std::abs(a.low), std::abs(a.high))};
}

Range either(const Range& a, const Range& b) {
  return {std::min(a.low, b.low), std::max(a.high, b.high)};
}

Range rangeOf(const ExprNode& node, const Range& a, const Range& b, const Range& c) {
  if (node.truth) return {0, 1};
  switch (node.primitive) {
    case Primitive::constant:
      return widened(node.value, node.value);
    case Primitive::add:
      return widened(a.low + b.low, a.high + b.high);
    case Primitive::sub:
      return widened(a.low - b.high, a.high - b.low);
    case Primitive::mul:
      return product(a, b);
    case Primitive::div:
      return quotient(a, b);
    case Primitive::fma: {
      const Range both = product(a, b);
      return widened(both.low + c.low, both.high + c.high);
    }
    case Primitive::neg:
      return {-a.high, -a.low};
    case Primitive::abs:
      return magnitude(a);
    case Primitive::sqrt:
      return widened(std::sqrt(std::max(a.low, 0.0)), std::sqrt(std::max(a.high, 0.0)));
    case Primitive::exp:
      return widened(std::exp(a.low), std::exp(a.high));
    case Primitive::expm1:
      return widened(std::expm1(a.low), std::expm1(a.high));
    case Primitive::sin:
    case Primitive::cos:
    case Primitive::erf:
      return widened(-1, 1);
    case Primitive::tanh:
      return widened(std::tanh(a.low), std::tanh(a.high));
    case Primitive::atan:
      return widened(std::atan(a.low), std::atan(a.high));
    case Primitive::asin:
      return widened(-1.5708, 1.5708);
    case Primitive::acos:
      return widened(0, 3.1416);
    case Primitive::erfc:
      return widened(0, 2);
    case Primitive::min:
      return {std::min(a.low, b.low), std::min(a.high, b.high)};
    case Primitive::max:
      return {std::max(a.low, b.low), std::max(a.high, b.high)};
    case Primitive::select:
      return either(b, c);
    case Primitive::toNumber:
      return {0, 1};
    default:
      return {};
  }
}

}  // namespace

std::vector<Range> valueRanges(const Kernel& kernel) {
  return valueRanges(kernel.body.nodes(), {});
}

std::vector<Range> valueRanges(std::span<const ExprNode> nodes, std::span<const Range> inputs) {
  std::vector<Range> ranges;
  valueRanges(nodes, inputs, ranges);
  return ranges;
}

void valueRanges(std::span<const ExprNode> nodes, std::span<const Range> inputs,
                 std::vector<Range>& ranges) {
  ranges.clear();
  for (const ExprNode& node : nodes) {
    if (node.primitive == Primitive::input && !node.truth) {
      const auto input = static_cast<std::size_t>(node.index);
      ranges.push_back(input < inputs.size() ? inputs[input] : Range());
      continue;
    }
    Range operands[3];
    for (int o = 0; o < info(node.primitive).arity; ++o)
      operands[o] = ranges[static_cast<std::size_t>(node.operands[o])];
    ranges.push_back(rangeOf(node, operands[0], operands[1], operands[2]));
  }
}

Range rangeOfNumber(double number) {
  return widened(number, number);
}

}  // namespace fusebench::cpu

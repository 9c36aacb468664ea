// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cpu/ranges.h"

#include <algorithm>
#include <cmath>

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

/// From exact bounds to bounds of what is computed. A bound that does not exist (NaN) says nothing.
inline void widen(double low, double high, Range& result) {
  result.low = low >= -kLargest ? std::min(kLargest, low - slack(low)) : Range().low;
  result.high = high <= kLargest ? std::max(-kLargest, high + slack(high)) : Range().high;
}

/// The bounds of four numbers; none if one of them does not exist.
Range hull(double p, double q, double r, double s) {
  if (std::isunordered(p, q) || std::isunordered(r, s)) return {};
  return {std::min(std::min(p, q), std::min(r, s)), std::max(std::max(p, q), std::max(r, s))};
}

Range product(const Range& a, const Range& b) {
  return hull(a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high);
}

Range quotient(const Range& a, const Range& b) {
  if (b.low <= 0 && b.high >= 0) return {};
  return hull(a.low / b.low, a.low / b.high, a.high / b.low, a.high / b.high);
}

Range magnitude(const Range& a) {
  const double low = a.low > 0 ? a.low : a.high < 0 ? -a.high : 0;
  return {low, std::max(std::abs(a.low), std::abs(a.high))};
}

/// Bounds, and whether computing may add to them.
struct Bounds {
  double low, high;
  bool exact = false;
};

Bounds exactly(const Range& range) {
  return {range.low, range.high, true};
}
Bounds about(const Range& range) {
  return {range.low, range.high};
}

inline Bounds boundsOf(const ExprNode& node, const Range& a, const Range& b, const Range& c) {
  if (node.truth) return {0, 1, true};
  switch (node.primitive) {
    case Primitive::constant:
      return {node.value, node.value};
    case Primitive::add:
      return {a.low + b.low, a.high + b.high};
    case Primitive::sub:
      return {a.low - b.high, a.high - b.low};
    case Primitive::mul:
      return about(product(a, b));
    case Primitive::div:
      return about(quotient(a, b));
    case Primitive::fma: {
      Range both = product(a, b);
      widen(both.low, both.high, both);
      return {both.low + c.low, both.high + c.high};
    }
    case Primitive::neg:
      return {-a.high, -a.low, true};
    case Primitive::abs:
      return exactly(magnitude(a));
    case Primitive::sqrt:
      return {std::sqrt(std::max(a.low, 0.0)), std::sqrt(std::max(a.high, 0.0))};
    case Primitive::exp:
      return {std::exp(a.low), std::exp(a.high)};
    case Primitive::expm1:
      return {std::expm1(a.low), std::expm1(a.high)};
    case Primitive::sin:
    case Primitive::cos:
    case Primitive::erf:
      return {-1, 1};
    case Primitive::tanh:
      return {std::tanh(a.low), std::tanh(a.high)};
    case Primitive::atan:
      return {std::atan(a.low), std::atan(a.high)};
    case Primitive::asin:
      return {-1.5708, 1.5708};
    case Primitive::acos:
      return {0, 3.1416};
    case Primitive::erfc:
      return {0, 2};
    case Primitive::min:
      return {std::min(a.low, b.low), std::min(a.high, b.high), true};
    case Primitive::max:
      return {std::max(a.low, b.low), std::max(a.high, b.high), true};
    case Primitive::select:
      return {std::min(b.low, c.low), std::max(b.high, c.high), true};
    case Primitive::toNumber:
      return {0, 1, true};
    default:
      return exactly({});
  }
}

/// Of one node that is no input, from what is known of its operands; those that it has not do not
/// matter. Written to its place instead of returned: bounds that come back in two registers reach
/// memory in halves, and reading them as one then waits for both.
inline void findRange(const ExprNode& node, const Range& a, const Range& b, const Range& c,
                      Range& result) {
  const Bounds bounds = boundsOf(node, a, b, c);
  if (!bounds.exact) return widen(bounds.low, bounds.high, result);
  result.low = bounds.low;
  result.high = bounds.high;
}

}  // namespace

void findRanges(std::span<const ExprNode> nodes, Range* values, std::size_t inputs) {
  Range* next = values + inputs;
  for (const ExprNode& node : nodes) {
    findRange(node, values[node.operands[0]], values[node.operands[1]], values[node.operands[2]],
              *next);
    ++next;
  }
}

std::vector<Range> valueRanges(const Kernel& kernel) {
  return valueRanges(kernel.body.nodes(), {});
}

std::vector<Range> valueRanges(std::span<const ExprNode> nodes, std::span<const Range> inputs) {
  std::vector<Range> ranges;
  ranges.reserve(nodes.size());
  for (const ExprNode& node : nodes) {
    if (node.primitive == Primitive::input && !node.truth) {
      const auto input = static_cast<std::size_t>(node.index);
      ranges.push_back(input < inputs.size() ? inputs[input] : Range());
      continue;
    }
    Range operands[3];
    for (int o = 0; o < info(node.primitive).arity; ++o)
      operands[o] = ranges[static_cast<std::size_t>(node.operands[o])];
    findRange(node, operands[0], operands[1], operands[2], ranges.emplace_back());
  }
  return ranges;
}

}  // namespace fusebench::cpu

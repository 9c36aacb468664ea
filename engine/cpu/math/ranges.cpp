// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cpu/math/ranges.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#if defined(__x86_64__)
#include <emmintrin.h>
#endif

namespace fusebench::cpu {
namespace {

constexpr double kSlack = 0x1p-18;
/// Above this a float operation may overflow: the bound is infinite.
constexpr double kLargest = 0x1p126;

/// A lower and an upper bound side by side: most rules are the same for both.
using Pair = double __attribute__((vector_size(16)));
using Bits = std::int64_t __attribute__((vector_size(16)));

constexpr Bits kSign = {std::numeric_limits<std::int64_t>::min(),
                        std::numeric_limits<std::int64_t>::min()};
constexpr Bits kLowSign = {std::numeric_limits<std::int64_t>::min(), 0};

Pair of(const Range& range) {
  return std::bit_cast<Pair>(range);
}
Pair anything() {
  return of({});
}
Bits bits(Pair pair) {
  return reinterpret_cast<Bits>(pair);
}
Pair fromBits(Bits bits) {
  return reinterpret_cast<Pair>(bits);
}
Pair flipped(Pair pair, Bits signs) {
  return fromBits(bits(pair) ^ signs);
}
Pair swapped(Pair pair) {
  return __builtin_shufflevector(pair, pair, 1, 0);
}

/// The larger and the smaller of each lane; the second where neither is (NaN).
Pair larger(Pair p, Pair q) {
#if defined(__x86_64__)
  return _mm_max_pd(p, q);
#else
  return p > q ? p : q;
#endif
}
Pair smaller(Pair p, Pair q) {
#if defined(__x86_64__)
  return _mm_min_pd(p, q);
#else
  return p < q ? p : q;
#endif
}

/// From exact bounds to bounds of what is computed: computing may add to them a part of their size,
/// and of the smallest numbers. A bound of 0 stays, for no primitive here rounds across it; one
/// that does not exist (NaN) says nothing. With masks, for the compiler makes two jumps of each
/// choice.
inline Pair widened(Pair exact) {
  constexpr Pair kTiny = {0x1p-140, 0x1p-140}, kZero = {0, 0};
  constexpr Pair kLeast = {-kLargest, -kLargest};
  constexpr Pair kInfinity = {std::numeric_limits<double>::infinity(),
                              std::numeric_limits<double>::infinity()};
  const Pair up = flipped(exact, kLowSign);  // now both are upper bounds
  const Pair size = fromBits(bits(up) & ~kSign);
  const Pair wide = up + fromBits(bits(size * kSlack + kTiny) & (up != kZero));
  const Bits overflows = ~(up <= kLargest);
  return flipped(larger(wide, kLeast) + fromBits(bits(kInfinity) & overflows), kLowSign);
}

/// The bounds of four numbers; none if one of them does not exist.
Pair hull(Pair p, Pair q) {
  const Pair least = smaller(p, q), most = larger(p, q);
  if (std::isunordered(p[0], q[0]) || std::isunordered(p[1], q[1])) return anything();
  return Pair{std::min(least[0], least[1]), std::max(most[0], most[1])};
}

Pair product(Pair a, Pair b) {
  return hull(a * b, a * swapped(b));
}

Pair quotient(Pair a, Pair b) {
  if (b[0] <= 0 && b[1] >= 0) return anything();
  return hull(a / b, a / swapped(b));
}

Pair magnitude(Pair a) {
  const double low = a[0] > 0 ? a[0] : a[1] < 0 ? -a[1] : 0;
  return Pair{low, std::max(std::abs(a[0]), std::abs(a[1]))};
}

/// rangeOf() for the rarer primitives.
[[gnu::noinline]] Pair rangeOfOther(Primitive primitive, Pair a, const Range& ofB,
                                    const Range& ofC) {
  const auto each = [&a](double (*function)(double)) {
    return widened(Pair{function(a[0]), function(a[1])});
  };
  switch (primitive) {
    case Primitive::fma:
      return widened(widened(product(a, of(ofB))) + of(ofC));
    case Primitive::abs:
      return magnitude(a);
    case Primitive::sqrt:
      return widened(Pair{std::sqrt(std::max(a[0], 0.0)), std::sqrt(std::max(a[1], 0.0))});
    case Primitive::exp:
      return each(std::exp);
    case Primitive::expm1:
      return each(std::expm1);
    case Primitive::sin:
    case Primitive::cos:
    case Primitive::erf:
      return widened(Pair{-1, 1});
    case Primitive::tanh:
      return each(std::tanh);
    case Primitive::atan:
      return each(std::atan);
    case Primitive::asin:
      return widened(Pair{-1.5708, 1.5708});
    case Primitive::acos:
      return widened(Pair{0, 3.1416});
    case Primitive::erfc:
      return widened(Pair{0, 2});
    case Primitive::select:
      return Pair{std::min(ofB.low, ofC.low), std::max(ofB.high, ofC.high)};
    case Primitive::toNumber:
      return Pair{0, 1};
    default:
      return anything();
  }
}

/// The range of a primitive's result, given those of its float32 operands; operands that it does
/// not have do not matter.
inline Pair rangeOf(Primitive primitive, const Range& ofA, const Range& ofB, const Range& ofC) {
  const Pair a = of(ofA);
  switch (primitive) {
    case Primitive::add:
      return widened(a + of(ofB));
    case Primitive::sub:
      return widened(a - swapped(of(ofB)));
    case Primitive::mul:
      return widened(product(a, of(ofB)));
    case Primitive::div:
      return widened(quotient(a, of(ofB)));
    case Primitive::neg:
      return flipped(swapped(a), kSign);
    case Primitive::min:
      return smaller(of(ofB), a);
    case Primitive::max:
      return larger(of(ofB), a);
    default:
      return rangeOfOther(primitive, a, ofB, ofC);
  }
}

/// The range of a node that is not an input, from those of its operands.
Pair findRange(const ExprNode& node, const Range& ofA, const Range& ofB, const Range& ofC) {
  if (node.isTruth()) return Pair{0, 1};
  if (node.type != TypeClass::float32) return anything();
  if (node.primitive == Primitive::constant) return widened(Pair{node.value, node.value});
  return rangeOf(node.primitive, ofA, ofB, ofC);
}

}  // namespace

bool hasFixedRange(const ExprNode& node) {
  if (node.type != TypeClass::float32 && !node.isTruth()) return true;  // nothing is known
  switch (node.primitive) {
    case Primitive::constant:
    case Primitive::sin:
    case Primitive::cos:
    case Primitive::erf:
    case Primitive::asin:
    case Primitive::acos:
    case Primitive::erfc:
    case Primitive::toNumber:
      return true;
    default:
      return node.isTruth();
  }
}

RangeNode::RangeNode(const ExprNode& node, const std::array<std::uint8_t, 3>& places)
    : operands(places) {
  if (hasFixedRange(node))
    fixed = std::bit_cast<Range>(findRange(node, {}, {}, {}));
  else
    primitive = node.primitive;
}

void findRanges(std::span<const RangeNode> nodes, Range* values, std::size_t inputs) {
  Range* next = values + inputs;
  for (const RangeNode& node : nodes)
    *next++ =
        node.primitive == Primitive::constant
            ? node.fixed
            : std::bit_cast<Range>(rangeOf(node.primitive, values[node.operands[0]],
                                           values[node.operands[1]], values[node.operands[2]]));
}

std::vector<Range> valueRanges(const Kernel& kernel) {
  return valueRanges(kernel.body.nodes(), {});
}

std::vector<Range> valueRanges(std::span<const ExprNode> nodes, std::span<const Range> inputs) {
  std::vector<Range> ranges;
  ranges.reserve(nodes.size());
  for (const ExprNode& node : nodes) {
    if (node.primitive == Primitive::input && !node.isTruth()) {
      const auto input = static_cast<std::size_t>(node.index);
      ranges.push_back(input < inputs.size() ? inputs[input] : Range());
      continue;
    }
    Range operands[3];
    for (int o = 0; o < info(node.primitive).arity; ++o)
      operands[o] = ranges[static_cast<std::size_t>(node.operands[o])];
    ranges.push_back(std::bit_cast<Range>(findRange(node, operands[0], operands[1], operands[2])));
  }
  return ranges;
}

}  // namespace fusebench::cpu

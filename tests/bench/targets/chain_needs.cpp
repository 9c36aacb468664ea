// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/targets/chain_needs.h"

#include <map>
#include <utility>

#include <fmt/format.h>

namespace fusebench::targets {
namespace {

/// The best polynomial of degree n (Chebyshev) for exp or sin within r of 0 has an error of r^(n+1)
/// / ((n+1)! 2^n); a result may have one of 2^-23.
///   exp: one to find the power of two, two to take it off in two parts, degree 5 within ln(2)/2
///        (2^-23.7; degree 4: 2^-18.5).
///   sin, cos: one to find the multiple of pi, two to take it off, the square, x times it, and
///   degree
///        9 within pi/2, whose odd terms are four (2^-28; three: 2^-20.6).
///   division: a reciprocal's estimate made exact by two, and the quotient's product.
///   tanh, expm1 and what else has an exponential in it: that one's.
double multiplicationsOf(Primitive primitive) {
  switch (primitive) {
    case Primitive::mul:
    case Primitive::fma:
      return 1;
    case Primitive::exp:
    case Primitive::expm1:
    case Primitive::tanh:
      return 8;
    case Primitive::sin:
    case Primitive::cos:
      return 9;
    case Primitive::div:
      return 3;
    default:
      // Other functions: at least one. Additions, comparisons, choices and roundings: none.
      return primitive >= Primitive::sqrt && primitive <= Primitive::erfc ? 1 : 0;
  }
}

}  // namespace

ChainNeeds needsOf(const Kernel& kernel) {
  std::map<std::pair<double, std::string>, int> counts;
  ChainNeeds needs;
  for (const ExprNode& node : kernel.body.nodes()) {
    const double each = multiplicationsOf(node.primitive);
    if (each == 0) continue;
    needs.multiplications += each;
    ++counts[{-each, std::string(info(node.primitive).name)}];
  }
  for (const auto& [what, count] : counts)
    needs.stated += fmt::format("{}{} {:.0f} x {}", needs.stated.empty() ? "" : ", ", what.second,
                                -what.first, count);
  return needs;
}

}  // namespace fusebench::targets

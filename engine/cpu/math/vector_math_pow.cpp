// SPDX-License-Identifier: GPL-3.0-or-later
#include <array>
#include <span>

#include "engine/cpu/math/families.h"
#include "engine/cpu/math/slow_paths.h"

namespace fusebench::cpu {
Vec powOf(const Vec& x, const Vec& y) {
  const Vec a = abs(x);
  // e^(y log |x|) in double lanes: the product's error is below 2^-37 however large it is.
  Vec logarithm = doubleLog(widen(a));
  logarithm = select(lt(a, kInfinity), logarithm, widen(a));
  logarithm = select(eq(a, 0), -kInfinity, logarithm);
  const Vec product = widen(y) * logarithm;
  const Vec below = lesserElse(product.splat(200), product);
  const Vec magnitude = narrow(doubleExp(greaterElse(below.splat(-200), below)));

  const Vec isInteger = eq(trunc(y), y);
  const Vec half = y * 0.5;
  const Vec isOdd = isInteger & ne(trunc(half), half);
  Vec result = select(isOdd, copysign(magnitude, x), magnitude);
  result = select(lt(x, 0) & gt(x, -kInfinity) & ~isInteger, kNan, result);
  // C's pow: 1 for x = 1 or y = 0 whatever the other is, and for (-1)^(+-infinity).
  const Vec isOne = eq(y, 0) | eq(x, 1) | (eq(a, 1) & eq(abs(y), kInfinity));
  return select(isOne, 1, result);
}

namespace {

/// With a quotient below 2^27 the quotient's integer part, its product with y, and the difference
/// are all exact in double.
Vec nearRemainder(const Vec& x, const Vec& y) {
  const Vec wide = widen(x), divisor = widen(y);
  const Vec remainder = copysign(narrow(wide - trunc(wide / divisor) * divisor), x);
  return select(eq(abs(y), kInfinity) & lt(abs(x), kInfinity), x, remainder);
}

}  // namespace

Vec fmodOf(const Vec& x, const Vec& y) {
  const Vec size = abs(widen(x) / widen(y));
  const auto near = [](std::span<const Vec> v) { return nearRemainder(v[0], v[1]); };
  const std::array<Vec, 2> operands = {x, y};
  return rarely(any(ge(size, kRemainderLimit) & lt(size, kInfinity)),
                {"fusebench.fmod", near, "fusebenchFmod"}, operands, near);
}

Vec fmaOf(const Vec& a, const Vec& b, const Vec& c) {
  if (a.context().target.fma) return mad(a, b, c);
  // The product is exact in double; the sum is rounded twice, which differs from once in rare ties.
  return narrow(widen(a) * widen(b) + widen(c));
}

}  // namespace fusebench::cpu

// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cpu/math/families.h"

#include <span>
#include "engine/ops/polynomials.h"

namespace fusebench::cpu {
Vec sinhOf(const Vec& x) {
  const Vec a = abs(x);
  if (x.context().target.fma) return copysign(sinhOfPositiveFused(a), x);
  const Vec half = halfExpOf(a);
  const Vec far = half - 0.25 / half;
  const Vec z = a * a;
  const Vec near = mad(a * z, paired(z, poly::kSinhTail), a);
  return copysign(select(lt(a, 1), near, far), x);
}

Vec coshOf(const Vec& x) {
  const Vec half = halfExpOf(abs(x));
  return half + 0.25 / half;
}

Vec tanhOf(const Vec& x) {
  // With N = e^2x - 1 and D = e^2x + 1, each made from e^r - 1 with one rounding: from 1/2 on
  // tanh = 1 - 2/D, and below it h - h N/D with h = N/2. Both scale the quotient's error down,
  // which N/D itself would pass on whole. From 9.02 on the result is 1.
  const Vec a = abs(x);
  const Vec twice = lesserElse(a.splat(10), a) * 2.0;
  const ExpParts parts = expParts(twice, 127);
  const Vec power = powerOfTwo(parts.biased);
  const Vec above = mad(parts.minusOne, power, power - 1.0);
  const Vec below = mad(parts.minusOne, power, power + 1.0);
  const Vec far = gt(twice, 1.0986);
  const Vec quotient = select(far, 2, above) / below;
  const Vec base = select(far, 1, above * 0.5);
  return copysign(mad(-base, quotient, base), x);
}

namespace {

/// Beyond it a^2 comes near to overflow.
constexpr double kAsinhLimit = 0x1p60;

Vec asinhWithin(const Vec& x) {
  // log(a + sqrt(a^2 + 1)), as log(1 + t) so that nothing is lost for small a.
  const Vec a = abs(x);
  const Vec square = a * a;
  const Vec t = a + square / (sqrt(mad(a, a, 1.0)) + 1.0);
  return copysign(log1pOfPositive(t), x);
}

Vec asinhOfAny(const Vec& x) {
  const Vec a = abs(widen(x));
  const Vec far = narrow(select(lt(a, kInfinity), doubleLog(a * 2.0), a));
  return select(lt(abs(x), kAsinhLimit), asinhWithin(x), copysign(far, x));
}

}  // namespace

Vec asinhOf(const Vec& x) {
  const RarePath any{"fusebench.asinhOfAny",
                     [](std::span<const Vec> v) { return asinhOfAny(v[0]); }};
  return rarely(anyBeyondOrNan(x, kAsinhLimit), any, {{x}},
                [](std::span<const Vec> v) { return asinhWithin(v[0]); });
}

// The other inverses in double lanes, where neither x^2 overflows nor 1 + x loses much.

Vec acoshOf(const Vec& x) {
  const Vec a = widen(x);
  const Vec far = doubleLog(a + sqrt(mad(a, a, -1.0)));
  const Vec result = select(lt(a, kInfinity), far, a);
  return narrow(select(lt(a, 1), kNan, result));
}

Vec atanhOf(const Vec& x) {
  const Vec a = abs(widen(x));
  const Vec far = doubleLog((a + 1.0) / (1.0 - a)) * 0.5;
  const Vec near = mad(a * a * a, 1.0 / 3, a);
  const Vec inside = select(lt(a, 0x1p-10), near, far);
  const Vec outside = select(eq(a, 1), kInfinity, a.splat(kNan));
  return copysign(narrow(select(lt(a, 1), inside, outside)), x);
}

}  // namespace fusebench::cpu

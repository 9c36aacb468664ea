// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cpu/math/families.h"
#include "engine/ops/polynomials.h"

namespace fusebench::cpu {
namespace {

/// pi/2 and pi as a float and what that lacks.
constexpr double kHalfPi = 0x1.921fb6p0, kHalfPiRest = -0x1.777a5cf72cecep-25;
constexpr double kFullPi = 0x1.921fb6p1, kFullPiRest = -0x1.777a5cf72cecep-24;

Vec halfPiMinus(const Vec& a) {
  return kHalfPi - (a - kHalfPiRest);
}
Vec piMinus(const Vec& a) {
  return kFullPi - (a - kFullPiRest);
}

/// asin(s) = s + tail, for s = |x|, or for |x| > 1/2 s = sqrt((1 - |x|) / 2): then half of acos
/// |x|.
struct ArcParts {
  Vec beyond;  ///< |x| > 1/2
  Vec s, tail;
};
ArcParts arcParts(const Vec& x) {
  const Vec a = abs(x);
  const Vec beyond = gt(a, 0.5);
  const Vec z = select(beyond, mad(a, -0.5, 0.5), a * a);
  const Vec s = select(beyond, sqrt(z), a);
  return {beyond, s, s * z * paired(z, poly::kAsinTail)};
}

/// atan of 0 <= t <= 1
Vec atanUnit(const Vec& t) {
  const Vec z = t * t;
  return mad(t * z, paired(z, poly::kAtanTail), t);
}

}  // namespace

Vec asinOf(const Vec& x) {
  const ArcParts parts = arcParts(x);
  // pi/2 - 2s first: that is exact, or nearly, and leaves only small terms.
  const Vec far = mad(parts.s, -2.0, kHalfPi) - mad(parts.tail, 2.0, -kHalfPiRest);
  return copysign(select(parts.beyond, far, parts.s + parts.tail), x);
}

Vec acosOf(const Vec& x) {
  const ArcParts parts = arcParts(x);
  const Vec angle = parts.s + parts.tail;
  const Vec twice = angle * 2.0;
  const Vec outer = select(lt(x, 0), piMinus(twice), twice);
  return select(parts.beyond, outer, halfPiMinus(copysign(angle, x)));
}

Vec atanOf(const Vec& x) {
  const Vec a = abs(x);
  const Vec inverse = gt(a, 1);
  const Vec angle = atanUnit(select(inverse, 1.0 / a, a));
  return copysign(select(inverse, halfPiMinus(angle), angle), x);
}

Vec atan2Of(const Vec& y, const Vec& x) {
  const Vec ay = abs(y), ax = abs(x);
  const Vec steep = gt(ay, ax);
  const Vec lesser = select(steep, ax, ay), greater = select(steep, ay, ax);
  const Vec sum = ax + ay;
  Vec t = lesser / greater;
  t = select(eq(sum, 0), 0, t);
  t = select(eq(lesser, kInfinity), 1, t);
  Vec angle = atanUnit(t);
  angle = select(steep, halfPiMinus(angle), angle);
  // The sign bit of x, not x < 0: atan2(0, -0) is pi.
  angle = select(lt(copysign(x.splat(1), x), 0), piMinus(angle), angle);
  return copysign(select(isNan(sum), sum, angle), y);
}

}  // namespace fusebench::cpu

// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>
#include <optional>
#include <span>

#include "engine/cpu/math/families.h"
#include "engine/cpu/math/slow_paths.h"
#include "engine/ops/polynomials.h"

// sin and cos by one odd polynomial on [-pi/2, pi/2]: x = n pi + r with n an integer for sin and
// one half more for cos, so that zeros of the function are zeros of r; the parity of n is the sign.
// pi in three float parts with fused multiply-adds, in two double parts without.

namespace fusebench::cpu {
namespace {

/// All positive, so that the product with n = 0 keeps the sign of x = -0.
constexpr double kPiParts[] = {0x1.921fb4p1, 0x1.4442dp-23, 0x1.846988p-47};
/// 33 bits and the rest: times an integer below 2^20 the upper part is exact in double.
constexpr double kPiHigh = 0x1.921fb544p1, kPiLow = 0x1.0b4611a626331p-33;

/// r, with the sign that makes sin(r) the result. `offset` is 1/2 for cos.
Vec reducedFused(const Vec& x, double offset) {
  const Vec shifted = offset == 0 ? mad(x, 1 / kPi, kShifter) : mad(x, 1 / kPi, offset) + kShifter;
  Vec n = shifted - kShifter;
  if (offset != 0) n = n - offset;
  Vec r = x;
  for (double part : kPiParts) r = mad(n, -part, r);
  return fromBits(bits(r) ^ shiftLeft(bits(shifted), 31));
}

Vec reducedWide(const Vec& x, double offset) {
  const Vec wide = widen(x);
  const Vec shifted = (wide * (1 / kPi) + offset) + kDoubleShifter;
  const Vec n = (shifted - kDoubleShifter) - offset;
  const Vec r = narrow(mad(n, -kPiLow, mad(n, -kPiHigh, wide)));
  return fromBits(bits(r) ^ shiftLeft(toInt32(bits(shifted)), 31));
}

/// sin(r); `zero`: r may be a zero, whose sign is kept.
Vec sineOfReduced(const Vec& r, bool zero) {
  const Vec r2 = r * r;
  // Not the paired scheme: its error at 1.5, where r^3 P(r^2) is half of r, is half a ULP greater.
  // Nor a product with r, which rounds to more than 1.
  const Vec y = mad(r * r2, horner(r2, poly::kSinTail), r);
  if (!zero) return y;
  // The sum loses the sign of -0.
  return fromBits(bits(y) | (bits(r) & std::int64_t{-0x80000000ll}));
}

/// No float but 0 is a multiple of pi, and none is an odd one of pi / 2.
bool zeroIsReached(double offset) {
  return offset == 0;
}

Vec nearSine(const Vec& x, double offset) {
  return sineOfReduced(x.context().target.fma ? reducedFused(x, offset) : reducedWide(x, offset),
                       zeroIsReached(offset));
}

/// The n of every x in the range, if it is one.
std::optional<double> onlyMultiple(const Range& range, double offset) {
  if (!range.within(-8, 8)) return {};
  constexpr double kMargin = 1e-3;  // far more than the rounding of x / pi
  const double least = std::nearbyint((range.low - kMargin) / kPi + offset);
  const double most = std::nearbyint((range.high + kMargin) / kPi + offset);
  if (least != most) return {};
  return least - offset;
}

/// The same bits as nearSine where all arguments have the same n.
Vec sineAtMultiple(const Vec& x, double n, double offset) {
  Vec r = x;
  if (n != 0)
    for (double part : kPiParts) r = mad(x.splat(n), -part, r);
  return sineOfReduced(std::fmod(n + offset, 2) != 0 ? -r : r, n == 0 && zeroIsReached(offset));
}

Vec sineLike(const Vec& x, const Range& range, double offset, const char* name,
             const char* onHost) {
  const auto near = [offset](std::span<const Vec> v) { return nearSine(v[0], offset); };
  if (const auto n = onlyMultiple(range, offset); n && (*n == 0 || x.context().target.fma))
    return sineAtMultiple(x, *n, offset);
  if (range.within(-kTrigonometricLimit, kTrigonometricLimit)) return nearSine(x, offset);
  return rarely(anyBeyondOrNan(x, kTrigonometricLimit), {name, near, onHost}, {{x}}, near);
}

}  // namespace

Vec sinOf(const Vec& x, const Range& range) {
  return sineLike(x, range, 0, "fusebench.sin", "fusebenchSin");
}
Vec cosOf(const Vec& x, const Range& range) {
  return sineLike(x, range, 0.5, "fusebench.cos", "fusebenchCos");
}

namespace {

/// tan(r) or, for odd n, -1 / tan(r), where x = n pi/2 + r.
Vec nearTangentFused(const Vec& x) {
  const Vec shifted = mad(x, 2 / kPi, kShifter);
  const Vec n = shifted - kShifter;
  Vec r = x;
  for (double part : kPiParts) r = mad(n, -part / 2, r);
  const Vec z = r * r;
  const Vec y = mad(r * z, paired(z, poly::kTanTail), r);
  const Vec odd = neInt(bits(shifted) & std::int64_t{1}, 0);
  return select(odd, y.splat(-1) / y, y);
}

Vec nearTangentWide(const Vec& x) {
  // In double: x = n pi/2 + r, and the quotient of sin(r) and cos(r), or its negative inverse for
  // odd n.
  const Vec wide = widen(x);
  const Vec shifted = wide * (2 / kPi) + kDoubleShifter;
  const Vec n = shifted - kDoubleShifter;
  const Vec r = mad(n, -kPiLow / 2, mad(n, -kPiHigh / 2, wide));
  const Vec z = r * r;
  const Vec sine = r * mad(z, paired(z, poly::kDoubleSinTail), 1.0);
  const Vec cosine = mad(z * z, paired(z, poly::kDoubleCosTail), mad(z, -0.5, 1.0));
  const Vec odd = neInt(bits(shifted) & std::int64_t{1}, 0);
  return narrow(select(odd, -cosine, sine) / select(odd, sine, cosine));
}

}  // namespace

Vec tanOf(const Vec& x) {
  const auto near = [](std::span<const Vec> v) {
    return v[0].context().target.fma ? nearTangentFused(v[0]) : nearTangentWide(v[0]);
  };
  return rarely(anyBeyondOrNan(x, kTangentLimit), {"fusebench.tan", near, "fusebenchTan"}, {{x}},
                near);
}

}  // namespace fusebench::cpu

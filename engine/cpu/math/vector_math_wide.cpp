// SPDX-License-Identifier: GPL-3.0-or-later
#include <array>
#include <span>

#include "engine/cpu/math/families.h"
#include "engine/cpu/math/slow_paths.h"

// sin and cos of doubles, as in FreeBSD's msun: x = n pi/2 + r with |r| <= pi/4, and one polynomial
// for sin(r) and one for cos(r). Both are computed, and n says which is the result and whether it
// is negated. n is below 2^20, so that its products with the 33 bits of a part of pi/2 are exact.

namespace fusebench::cpu {
namespace {

constexpr std::array<double, 3> kHalfPiParts = {0x1.921fb544p0, 0x1.0b4611a6p-34, 0x1.3198a2ep-69};
constexpr double kHalfPiRemainder = 0x1.b839a252049c1p-104;

/// Coefficients of the third and higher powers (sine), and of the fourth and higher (cosine).
constexpr std::array<double, 6> kSineTail = {
    -1.66666666666666324348e-01, 8.33333333332248946124e-03,  -1.98412698298579493134e-04,
    2.75573137070700676789e-06,  -2.50507602534068634195e-08, 1.58969099521155010221e-10};
constexpr std::array<double, 6> kCosineTail = {
    4.16666666666666019037e-02,  -1.38888888888741095749e-03, 2.48015872894767294178e-05,
    -2.75573143513906633035e-07, 2.08757232129817482790e-09,  -1.13596475577881948265e-11};

/// A sum and what its rounding left out.
struct WideSum {
  Vec sum, rest;
};
WideSum exactSum(const Vec& a, const Vec& b) {
  const Vec sum = a + b, second = sum - a;
  return {sum, (a - (sum - second)) + (b - second)};
}

/// cos(x) where `quarters` is 1, sin(x) where it is 0.
Vec nearWideSine(const Vec& x, std::int64_t quarters) {
  const Vec shifted = x * (2 / kPi) + kDoubleShifter;
  const Vec n = shifted - kDoubleShifter;
  const WideSum second = exactSum(x - n * kHalfPiParts[0], -(n * kHalfPiParts[1]));
  const WideSum third = exactSum(second.sum, -(n * kHalfPiParts[2]));
  const Vec rest = (second.rest + third.rest) - n * kHalfPiRemainder;
  const Vec r = third.sum + rest;
  const Vec low = (third.sum - r) + rest;

  const Vec z = r * r, cube = z * r;
  const Vec tail = horner(z, std::span(kSineTail).subspan(1));
  const Vec sine = r - ((z * (low * 0.5 - cube * tail) - low) - cube * kSineTail[0]);
  const Vec half = z * 0.5, near = 1 - half;
  const Vec cosine = near + (((1 - near) - half) + (z * (z * horner(z, kCosineTail)) - r * low));

  const Vec quadrant = addInt(bits(shifted), quarters);
  const Vec either = select(neInt(quadrant & std::int64_t{1}, 0), cosine, sine);
  return fromBits(bits(either) ^ shiftLeft(quadrant & std::int64_t{2}, 62));
}

Vec wideSineLike(const Vec& x, std::int64_t quarters, const char* name, const char* onHost) {
  const auto near = [quarters](std::span<const Vec> v) { return nearWideSine(v[0], quarters); };
  const Vec beyond = ~le(abs(x), x.splat(kWideTrigonometricLimit));  // or NaN
  return rarely(any(beyond), {name, near, onHost}, {{x}}, near);
}

}  // namespace

Vec wideSinOf(const Vec& x) {
  const Vec sine = wideSineLike(x, 0, "fusebench.wide.sin", "fusebenchWideSin");
  return select(eq(x, 0), x, sine);  // the sums lose the sign of -0
}
Vec wideCosOf(const Vec& x) {
  return wideSineLike(x, 1, "fusebench.wide.cos", "fusebenchWideCos");
}

}  // namespace fusebench::cpu

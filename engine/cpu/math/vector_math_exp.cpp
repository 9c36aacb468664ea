// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cpu/math/families.h"

#include <span>
#include "engine/ops/polynomials.h"

// e^x = 2^n e^r with n = round(x / ln 2), and r = x - n ln 2 by Cody and Waite's two-part
// subtraction (Software Manual for the Elementary Functions, 1980); e^r by a polynomial.

namespace fusebench::cpu {
namespace {

/// (1 + e) 2^n, rounded once for denormal results, infinite where it is too large; |n| <= 250. The
/// low bits of `biased` are n + 2 * 127: they are split into the exponents of two factors, because
/// 2^n itself need not be a float. Addition to the exponent of 1 + e would be cheaper but make
/// numbers of NaN.
constexpr int kTwoBiases = 254;
Vec scaled(const Vec& e, const Vec& biased) {
  const Vec half = shiftRight(biased, 1);
  const Vec first = powerOfTwo(half);
  return mad(e, first, first) * powerOfTwo(subInt(biased, half));
}

/// Clamps that let NaN through: as the second operand of x86's minps and maxps.
Vec atMost(double limit, const Vec& x) {
  return lesserElse(x.splat(limit), x);
}
Vec atLeast(double limit, const Vec& x) {
  return greaterElse(x.splat(limit), x);
}

/// x = n ln 2 + r; `biased` as in ExpParts.
struct Reduced {
  Vec r, biased;
};
Reduced reduced(const Vec& x, int bias) {
  const double shifter = kShifter + bias;
  const Vec shifted = mad(x, kLog2E, shifter);
  const Vec n = shifted - shifter;
  return {mad(n, -kLn2Low, mad(n, -kLn2High, x)), bits(shifted)};
}

}  // namespace

ExpParts expParts(const Vec& x, int bias) {
  const auto [r, biased] = reduced(x, bias);
  return {mad(r * r, paired(r, poly::kExpTail), r), biased};
}

Vec powerOfTwo(const Vec& biased) {
  return fromBits(shiftLeft(biased, 23));
}

namespace {

/// e^r. Fewer operations than 1 + (e^r - 1), and no longer to wait for.
Vec expOfReduced(const Vec& r) {
  return mad(r, mad(r, horner(r, poly::kExpTail), 1.0), 1.0);
}

/// The whole range: results that are denormal, 0 or infinite, and NaN.
Vec expOfAny(const Vec& x) {
  const auto [r, biased] = reduced(atLeast(-104, atMost(89, x)), kTwoBiases);
  const Vec half = shiftRight(biased, 1);
  return expOfReduced(r) * powerOfTwo(half) * powerOfTwo(subInt(biased, half));
}

/// e^x as a product: NaN stays NaN. For -87 <= x <= 87.
Vec expOfModerate(const Vec& x) {
  const auto [r, biased] = reduced(x, 127);
  return expOfReduced(r) * powerOfTwo(biased);
}

}  // namespace

Vec expOf(const Vec& x, const Range& range) {
  // All of these give the same bits where they are used: 2^n scales exactly.
  if (range.within(-kReducedExpLimit, kReducedExpLimit)) return expOfReduced(x);
  if (range.within(-kPlainExpLimit, kPlainExpLimit)) return expOfModerate(x);
  const RarePath any{"fusebench.expOfAny", [](std::span<const Vec> v) { return expOfAny(v[0]); }};
  return rarely(anyBeyondOrNan(x, kPlainExpLimit), any, {{x}}, [](std::span<const Vec> v) {
    const auto [r, biased] = reduced(v[0], 0);
    return fromBits(addInt(bits(expOfReduced(r)), shiftLeft(biased, 23)));
  });
}

Vec halfExpOf(const Vec& x) {
  const ExpParts parts = expParts(atMost(91, x), kTwoBiases - 1);
  return scaled(parts.minusOne, parts.biased);
}

Vec sinhOfPositiveFused(const Vec& a) {
  // a = n ln 2 + r: 2 sinh a = (2^n - 2^-n) cosh r + (2^n + 2^-n) sinh r. Powers of 2^(n-3) and
  // four times the functions: neither overflows before the result does, nor is a denormal a halved.
  const auto [r, biased] = reduced(atMost(90, a), 124);
  constexpr std::int64_t kOfShifter = 0x4b400000;
  const Vec up = powerOfTwo(biased);
  const Vec least = lesserInt(biased, kOfShifter + 247);
  const Vec down = powerOfTwo(subInt(least.splatInt(kOfShifter + 248), least));
  const Vec z = r * r, r4 = r * 4.0;
  const Vec cosine = mad(z * 4.0, paired(z, poly::kCoshOfReduced), 4.0);
  const Vec sine = mad(r4 * z, paired(z, poly::kSinhOfReduced), r4);
  return mad(up - down, cosine, (up + down) * sine);
}

Vec expOfModerateNegative(const Vec& x) {
  const ExpParts parts = expParts(x, 127);
  const Vec power = powerOfTwo(parts.biased);
  return mad(parts.minusOne, power, power);
}

Vec exp2Of(const Vec& x) {
  const Vec within = atLeast(-151, atMost(129, x));
  const double shifter = kShifter + kTwoBiases;
  const Vec shifted = within + shifter;
  const Vec r = within - (shifted - shifter);
  return scaled(r * paired(r, poly::kExp2), bits(shifted));
}

Vec expm1Of(const Vec& x) {
  // Half the result, because 2^n is not a float for the largest ones.
  const ExpParts parts = expParts(atLeast(-18, atMost(88.8, x)), 127 - 1);
  const Vec half = powerOfTwo(parts.biased);
  const Vec result = mad(parts.minusOne, half, half - 0.5) * 2.0;
  return select(lt(abs(x), 0x1p-25), x,
                result);  // -0, and no bit of a denormal lost to the halving
}

Vec doubleExp(const Vec& x) {
  constexpr double kHigh = 0x1.62e42fefp-1, kLow = 0x1.473de6af278edp-34;  // ln 2
  const Vec shifted = x * kLog2E + kDoubleShifter;
  const Vec n = shifted - kDoubleShifter;
  const Vec r = mad(n, -kLow, mad(n, -kHigh, x));
  const Vec p = mad(r * r, paired(r, poly::kDoubleExpTail), r) + 1.0;
  // The low 12 bits of a NaN that was a float are 0: it stays one.
  return fromBits(addInt(bits(p), shiftLeft(bits(shifted), 52)));
}

}  // namespace fusebench::cpu

// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cpu/math/families.h"

#include <span>
#include "engine/ops/polynomials.h"

// log x = k ln 2 + log m with m from sqrt(1/2) to sqrt(2), so that k = 0 around 1, where log m must
// keep its relative accuracy: f = m - 1 is exact, log m = f - f^2/2 + f^3 P(f).

namespace fusebench::cpu {
namespace {

constexpr std::int64_t kRootHalf = 0x3f3504f3;
constexpr std::int64_t kMantissa = 0x007fffff;
constexpr std::int64_t kRootHalfDouble = 0x3fe6a09e667f3bcd;
constexpr std::int64_t kMantissaDouble = 0x000fffffffffffff;

struct Split {
  Vec exponent;  ///< k as int32
  Vec mantissa;  ///< m
};
Split split(const Vec& x) {
  const Vec shifted = subInt(bits(x), kRootHalf);
  return {shiftRight(shifted, 23), fromBits(addInt(shifted & kMantissa, kRootHalf))};
}

struct LogParts {
  Vec k;  ///< as float
  Vec f;  ///< m - 1
};
LogParts logParts(const Vec& x) {
  const Vec denormal = lt(x, 0x1p-126);
  const Split parts = split(select(denormal, x * 0x1p23, x));
  return {intToFloat(parts.exponent) - select(denormal, x.splat(23), 0), parts.mantissa - 1.0};
}

/// log(1 + f) - f
Vec tailOf(const Vec& f) {
  const Vec f2 = f * f;
  return f2 * mad(f, paired(f, poly::kLogTail), -0.5);
}

/// Infinity and NaN go through; zeros give -infinity, less than 0 NaN.
Vec withSpecials(const Vec& x, const Vec& result) {
  // The sign bit, and -0 put right afterward: on x86 the choice needs no comparison.
  const Vec negative = lessInt(bits(x), 0);
  const Vec real = select(eq(x, 0), -kInfinity, select(negative, kNan, result));
  return select(lt(x, kInfinity), real, x);
}

/// A logarithm's base: 1 / ln(base) as a float and what that lacks; log(2) with 12 bits and what is
/// left.
struct Base {
  double high, low, twoHigh, twoLow;
};
Vec logTo(const Base& base, const LogParts& parts) {
  Vec low = mad(parts.f, base.low, tailOf(parts.f) * base.high);
  if (base.twoLow != 0) low = mad(parts.k, base.twoLow, low);
  return mad(parts.k, base.twoHigh, mad(parts.f, base.high, low));
}

Vec naturalLog(const LogParts& parts) {
  const Vec low = mad(parts.k, kLn2Low, tailOf(parts.f));
  return mad(parts.k, kLn2High, parts.f + low);
}

/// A logarithm. Positive normal numbers take the fast path without further cases. `name` is the
/// rare path's.
template <typename OfParts>
Vec logBy(const Vec& x, const char* name, const OfParts& ofParts) {
  const RarePath any{
      name, [&](std::span<const Vec> v) { return withSpecials(v[0], ofParts(logParts(v[0]))); }};
  return rarely(anyNotPositiveNormal(x), any, {{x}}, [&](std::span<const Vec> v) {
    const Split parts = split(v[0]);
    return ofParts(LogParts{intToFloat(parts.exponent), parts.mantissa - 1.0});
  });
}

}  // namespace

Vec logOf(const Vec& x) {
  return logBy(x, "fusebench.logOfAny", naturalLog);
}

Vec log2Of(const Vec& x) {
  constexpr Base kTwo = {0x1.715476p0, 0x1.4ae0bf85ddf44p-26, 1, 0};
  return logBy(x, "fusebench.log2OfAny", [&](const LogParts& parts) { return logTo(kTwo, parts); });
}

Vec log10Of(const Vec& x) {
  constexpr Base kTen = {0x1.bcb7b2p-2, -0x1.5b235e39ab2a9p-27, 0x1.344p-2, 0x1.3509f79fef312p-18};
  return logBy(x, "fusebench.log10OfAny",
               [&](const LogParts& parts) { return logTo(kTen, parts); });
}

namespace {

/// log(1 + x) by its sum, rounded, and what that lost; both finite, the sum positive and normal.
Vec logOfSum(const Vec& sum, const Vec& lost) {
  const Split parts = split(sum);
  const Vec k = intToFloat(parts.exponent);
  // 2^-k; for the largest k what was lost does not count.
  const Vec exponent = lesserInt(parts.exponent, 126);
  const Vec scale = fromBits(subInt(exponent.splatInt(0x3f800000), shiftLeft(exponent, 23)));
  const Vec f = mad(scale, lost, parts.mantissa - 1.0);
  return mad(k, kLn2High, f + mad(k, kLn2Low, tailOf(f)));
}

/// What 1 + x loses: the lesser operand minus what of it is in the sum (Dekker 1971).
Vec lostOf(const Vec& x, const Vec& sum) {
  const Vec isGreater = gt(x, 1.0);
  return select(isGreater, 1.0, x) - (sum - select(isGreater, x, 1.0));
}

}  // namespace

Vec log1pOf(const Vec& x) {
  const RarePath any{"fusebench.log1pOfAny", [&](std::span<const Vec> v) {
                       const Vec sum = v[0] + 1.0;
                       return copysign(withSpecials(sum, logOfSum(sum, lostOf(v[0], sum))), v[0]);
                     }};
  return rarely(anyNotPositiveNormal(x + 1.0), any, {{x}},
                [&](std::span<const Vec> v) { return copysign(log1pOfPositive(v[0]), v[0]); });
}

Vec log1pOfPositive(const Vec& x) {
  const Vec sum = x + 1.0;
  return logOfSum(sum, lostOf(x, sum));
}

Vec doubleLog(const Vec& x) {
  // log m = 2 artanh(s), s = (m - 1) / (m + 1).
  const Vec pattern = bits(x);
  const Vec shifted = subInt(pattern, kRootHalfDouble);
  const Vec m = fromBits(addInt(shifted & kMantissaDouble, kRootHalfDouble));
  // The biased exponent as the low bits of a double: x86 before AVX-512 converts no int64.
  const Vec biased = shiftRightLogical(addInt(shifted, std::int64_t{1023} << 52), 52);
  const Vec k = fromBits(biased | biased.splatInt(0x4330000000000000)) - (0x1p52 + 1023);
  const Vec s = (m - 1.0) / (m + 1.0);
  const Vec z = s * s;
  return mad(k, kLn2, mad(s * z, paired(z, poly::kDoubleLogTail), s * 2.0));
}

}  // namespace fusebench::cpu

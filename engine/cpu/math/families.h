// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/cpu/math/vec.h"

/// The primitives that take more than one instruction, by family; each in vector_math_<family>.cpp.
/// Float lanes in and out. Bounds hold for all float32 numbers; "ULP" is the unit in the last place
/// of the correctly rounded value. Measured values: tests/engine/accuracy/table.md.
namespace fusebench::cpu {

/// 1.5 * 2^23 (2^52): adding it rounds to an integer, which the low bits of the sum then hold.
inline constexpr double kShifter = 0x1.8p23;
inline constexpr double kDoubleShifter = 0x1.8p52;
inline constexpr double kLog2E = 1.4426950408889634074;
inline constexpr double kLn2 = 0.69314718055994530942;
/// ln 2 in two parts; the upper has 15 bits, so that its product with an exponent is exact.
inline constexpr double kLn2High = 0x1.62e4p-1;
inline constexpr double kLn2Low = 0x1.7f7d1cf79abcap-20;
inline constexpr double kPi = 3.14159265358979323846;
/// Up to here e^x is a normal number whose exponent n can simply be added to that of e^r.
inline constexpr double kPlainExpLimit = 87;
/// Up to here n is 0.
inline constexpr double kReducedExpLimit = 0.3465;
/// Up to here sin needs no reduction.
inline constexpr double kReducedSineLimit = 1.5;

Vec expOf(const Vec& x, const Range& range = {});
Vec exp2Of(const Vec& x);
Vec expm1Of(const Vec& x);
Vec halfExpOf(const Vec& x);              ///< e^x / 2 for x >= 0, finite as long as that is
Vec expOfModerateNegative(const Vec& x);  ///< e^x for -80 <= x <= 0
/// x = n ln 2 + r, |r| <= ln(2) / 2.
struct ExpParts {
  Vec minusOne;  ///< e^r - 1
  Vec biased;    ///< bit patterns whose low 9 bits are n + bias: shifted left by 23 a power of two
};
ExpParts expParts(const Vec& x, int bias);
Vec powerOfTwo(const Vec& biased);  ///< 2^(low bits - 127) as a float, these from 1 to 254

Vec logOf(const Vec& x);
Vec log2Of(const Vec& x);
Vec log10Of(const Vec& x);
Vec log1pOf(const Vec& x);
Vec log1pOfPositive(const Vec& x);  ///< the same where 1 + x is finite, normal and above 0

Vec sinOf(const Vec& x, const Range& range = {});
Vec cosOf(const Vec& x, const Range& range = {});
Vec tanOf(const Vec& x);
Vec asinOf(const Vec& x);
Vec acosOf(const Vec& x);
Vec atanOf(const Vec& x);
Vec atan2Of(const Vec& y, const Vec& x);

Vec sinhOf(const Vec& x);
/// sinh of a >= 0 as a sum of two products, without a division; needs fused multiply-adds. NaN and
/// infinity are passed through.
Vec sinhOfPositiveFused(const Vec& a);
Vec coshOf(const Vec& x);
Vec tanhOf(const Vec& x);
Vec asinhOf(const Vec& x);
Vec acoshOf(const Vec& x);
Vec atanhOf(const Vec& x);

Vec erfOf(const Vec& x);
Vec erfcOf(const Vec& x);

Vec powOf(const Vec& x, const Vec& y);
Vec fmodOf(const Vec& x, const Vec& y);
Vec fmaOf(const Vec& a, const Vec& b, const Vec& c);

/// For double lanes, to less than a ULP over all doubles.
Vec wideSinOf(const Vec& x);
Vec wideCosOf(const Vec& x);

/// For double lanes, to about 2^-37 relative: enough for a float result after some cancellation.
Vec doubleExp(const Vec& x);  ///< -700 <= x <= 700, or NaN
Vec doubleLog(const Vec& x);  ///< positive, finite, normal

}  // namespace fusebench::cpu

// SPDX-License-Identifier: GPL-3.0-or-later
// Made by tests/engine/accuracy/minimax.py, which says how; change that, not this.
#pragma once

namespace fusebench::cpu::poly {

/// (e^r - 1 - r) / r^2 in r, |r| <= ln(2)/2; error relative to e^r - 1: at most 2^-26.0. Lowest
/// power first.
inline constexpr double kExpTail[] = {
    0.49999997, 0.166665405, 0.0416674651, 0.00836701225, 0.00138684188,
};

/// (2^r - 1) / r in r, |r| <= 1/2; error relative to 2^r: at most 2^-28.2. Lowest power first.
inline constexpr double kExp2[] = {
    0.693147182, 0.240226477, 0.0555035807, 0.00961850211, 0.00133918901, 0.000153299334,
};

/// (log(1+f) - f + f^2/2) / f^3 in f, 1+f from sqrt(1/2) to sqrt(2); error relative to log(1+f): at
/// most 2^-27.3. Lowest power first.
inline constexpr double kLogTail[] = {
    0.333333313, -0.250008196, 0.200012431, -0.16623418,
    0.142015412, -0.131594285, 0.127624288, -0.0763728768,
};

/// (sin(r) - r) / r^3 in r^2, |r| <= 1.65; error relative to sin(r): at most 2^-26.5. Lowest power
/// first.
inline constexpr double kSinTail[] = {
    -0.166666567,
    0.00833298545,
    -0.000198033464,
    2.59153376e-06,
};

/// (tan(r) - r) / r^3 in r^2, |r| <= pi/4 + 0.01; error relative to tan(r): at most 2^-25.5. Lowest
/// power first.
inline constexpr double kTanTail[] = {
    0.333331227, 0.133396953, 0.0533362664, 0.0247003809, 0.00268300809, 0.00964571908,
};

/// (sinh(x) - x) / x^3 in x^2, |x| <= 1; error relative to sinh(x): at most 2^-31.6. Lowest power
/// first.
inline constexpr double kSinhTail[] = {
    0.166666672,
    0.00833331048,
    0.000198428956,
    2.7822125e-06,
};

/// as SinhTail but |r| <= ln(2)/2: at most 2^-26.1. Lowest power first.
inline constexpr double kSinhOfReduced[] = {
    0.16666539,
    0.00836715102,
};

/// (cosh(r) - 1) / r^2 in r^2, |r| <= ln(2)/2; error relative to cosh(r): at most 2^-33.2. Lowest
/// power first.
inline constexpr double kCoshOfReduced[] = {
    0.5,
    0.0416664518,
    0.00139362668,
};

/// (asin(x) - x) / x^3 in x^2, |x| <= 1/2; error relative to asin(x): at most 2^-27.6. Lowest power
/// first.
inline constexpr double kAsinTail[] = {
    0.166667521, 0.0749531165, 0.0454687662, 0.0241869539, 0.0421542861,
};

/// (atan(x) - x) / x^3 in x^2, |x| <= 1; error relative to atan(x): at most 2^-28.5. Lowest power
/// first.
inline constexpr double kAtanTail[] = {
    -0.333332986, 0.19998531,   -0.142640501, 0.109511636,    -0.0840044543,
    0.0579062328, -0.031126976, 0.010887526,  -0.00178762677,
};

/// erf(x) / x - 1 in x^2, |x| <= 1; error relative to erf(x): at most 2^-29.4. Lowest power first.
inline constexpr double kErfNear[] = {
    0.128379166,  -0.37612626,     0.112835787,    -0.0268533472,
    0.0051871622, -0.000799785776, 7.80695846e-05,
};

/// log(1 - erf(x)) in x - 1, x from 1 to 3.95; error relative to erf(x): at most 2^-26.7. Lowest
/// power first.
inline constexpr double kErfFar[] = {
    -1.84960556,   -2.63896203,     -0.843196452,    -0.041061841,
    0.00879982393, -0.000518767687, -0.000548407959, 0.000153595771,
};

/// as ExpTail, for double lanes: at most 2^-37.3. Lowest power first.
inline constexpr double kDoubleExpTail[] = {
    0.50000000001136313,   0.16666666759401291,    0.041666665912487889,   0.0083332873095605126,
    0.0013888988707638204, 0.00019906144043073677, 2.4796515206117245e-05,
};

/// (log((1+s)/(1-s)) - 2s) / s^3 in s^2, |s| <= (sqrt(2)-1)^2, for double lanes: at most 2^-44.9.
/// Lowest power first.
inline constexpr double kDoubleLogTail[] = {
    0.66666666675776298, 0.3999999563075799,  0.28572108181382505,
    0.221762303163028,   0.19583545094269003,
};

/// as SinTail but |r| <= pi/4 + 0.01, for double lanes: at most 2^-37.3. Lowest power first.
inline constexpr double kDoubleSinTail[] = {
    -0.16666666638021516,
    0.0083333289855726644,
    -0.00019839210422857443,
    2.717158826333744e-06,
};

/// (cos(r) - 1 + r^2/2) / r^4 in r^2, |r| <= pi/4 + 0.01, for double lanes: at most 2^-42.7. Lowest
/// power first.
inline constexpr double kDoubleCosTail[] = {
    0.041666666614368228,
    -0.0013888883068442614,
    2.4799348445936185e-05,
    -2.7196679369083163e-07,
};

/// (1 + 2x) e^(x^2) erfc(x) in t = (x - 2) / (x + 2), x from 0 to 10.1, for double lanes: at most
/// 2^-30.0. Lowest power first.
inline constexpr double kDoubleErfc[] = {
    1.2769783826827517,     -0.092763820948674303,   -0.16603052225286527,   0.16405104995853792,
    -0.054217810444977074,  -0.0080309557036451536,  0.0087089408649173358,  0.0012529502626138105,
    -0.0014202717262220082, -0.00040086091494438464, 0.00016880556495755733, 7.9162966882992763e-05,
};

}  // namespace fusebench::cpu::poly

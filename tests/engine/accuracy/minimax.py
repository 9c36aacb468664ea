#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Derives the polynomials of engine/ops/polynomials.h and prints that file.

    python3 minimax.py > ../../../engine/ops/polynomials.h     (needs mpmath; about a minute)

Each polynomial is the weighted minimax one on its interval, found by Lawson's iteration in 60 digits.
Coefficients are rounded one after the other, lowest power first, to the format they are used in, and
the rest fitted again, so that the rounding of an early one is made good by the later ones.
"""
import struct
import sys

from mpmath import mp, mpf, exp, expm1, log1p, sin, cos, tan, sinh, cosh, asin, atan, erf, erfc, log, pi, sqrt, lu_solve, matrix

mp.dps = 60


def to_float(x):
    return mpf(struct.unpack("f", struct.pack("f", float(x)))[0])


def to_double(x):
    return mpf(float(x))


def horner(coefficients, x):
    total = mpf(0)
    for c in reversed(coefficients):
        total = total * x + c
    return total


def minimax(target, weight, low, high, fixed, count):
    """The `count` coefficients after the fixed ones that minimize max |weight * (target - polynomial)|.

    Lawson's iteration: least squares on Chebyshev points, each point's weight multiplied by its error
    every time round. Unlike Remez' exchange it needs no Haar system, which powers without the lowest
    ones are not on an interval around 0.
    """
    first = len(fixed)
    size = 12 * (count + 2)
    grid = [(low + high) / 2 - (high - low) / 2 * mp.cos(pi * (2 * i + 1) / (2 * size)) for i in range(size)]
    weights = [abs(weight(x)) for x in grid]
    rest = [w * (target(x) - horner(fixed, x)) for x, w in zip(grid, weights)]
    basis = [[w * x ** (first + j) for j in range(count)] for x, w in zip(grid, weights)]
    lawson = [mpf(1) / size] * size
    best, best_error = None, None
    for _ in range(40):
        normal, right = matrix(count, count), matrix(count, 1)
        for row, r, u in zip(basis, rest, lawson):
            for i in range(count):
                scaled = u * row[i]
                right[i] += scaled * r
                for j in range(i, count):
                    normal[i, j] += scaled * row[j]
        for i in range(count):
            for j in range(i):
                normal[i, j] = normal[j, i]
        solution = lu_solve(normal, right)
        errors = [abs(r - sum(row[j] * solution[j] for j in range(count))) for row, r in zip(basis, rest)]
        if best is None or max(errors) < best_error:
            best, best_error = solution, max(errors)
        lawson = [u * e for u, e in zip(lawson, errors)]
        total = sum(lawson)
        lawson = [u / total for u in lawson]
    return [best[j] for j in range(count)]


def fit(target, weight, low, high, count, rounding):
    """Coefficients, all rounded, and the largest weighted error on a grid."""
    low, high = mpf(low), mpf(high)
    fixed = []
    while len(fixed) < count:
        fixed.append(rounding(minimax(target, weight, low, high, fixed, count - len(fixed))[0]))
    size = 1000
    worst = max(abs(weight(x) * (target(x) - horner(fixed, x)))
                for x in ((low + (high - low) * i / size) for i in range(size + 1)))
    return fixed, worst


def series(f):
    """Guards a quotient whose numerator cancels near 0: evaluates it with more digits."""
    def guarded(x):
        with mp.workdps(140):
            return +f(x if abs(x) > mpf(10) ** -30 else mpf(10) ** -30)
    return guarded


def odd(f):
    """(f(x) - x) / x^3 as a function of z = x^2, and its weight for an error relative to f."""
    target = series(lambda z: (f(sqrt(z)) - sqrt(z)) / sqrt(z) ** 3)
    weight = series(lambda z: sqrt(z) ** 3 / f(sqrt(z)))
    return target, weight


ln2 = log(2)
half = ln2 / 2
one = lambda x: mpf(1)
exp_tail = series(lambda r: (exp(r) - 1 - r) / r ** 2)
log_tail = series(lambda f: (log1p(f) - f + f * f / 2) / f ** 3)
atanh_tail = series(lambda z: (log((1 + sqrt(z)) / (1 - sqrt(z))) - 2 * sqrt(z)) / sqrt(z) ** 3)
sin_target, sin_weight = odd(sin)
tan_target, tan_weight = odd(tan)
sinh_target, sinh_weight = odd(sinh)
asin_target, asin_weight = odd(asin)
atan_target, atan_weight = odd(atan)
root_half, root_two = sqrt(mpf(1) / 2) - 1, sqrt(mpf(2)) - 1
quarter = pi / 4
cos_target = series(lambda z: (cos(sqrt(z)) - 1 + z / 2) / z ** 2)
cosh_target = series(lambda z: (cosh(sqrt(z)) - 1) / z)
erf_target = series(lambda z: erf(sqrt(z)) / sqrt(z) - 1)
erf_weight = series(lambda z: sqrt(z) / erf(sqrt(z)))
ERF_SPLIT = mpf(1)
ERF_END = mpf("3.95")
# erfc in t = (x - 2) / (x + 2), so that [0, 10.1] becomes [-1, 0.67]
erfc_x = lambda t: 2 * (1 + t) / (1 - t)
erfc_target = lambda t: (1 + 2 * erfc_x(t)) * exp(erfc_x(t) ** 2) * erfc(erfc_x(t))

POLYNOMIALS = [
    # name, meaning, target, weight, low, high, count, format
    ("ExpTail", "(e^r - 1 - r) / r^2 in r, |r| <= ln(2)/2; error relative to e^r - 1",
     exp_tail, series(lambda r: r ** 2 / expm1(r)), -half * mpf("1.01"), half * mpf("1.01"), 5, to_float),
    ("Exp2", "(2^r - 1) / r in r, |r| <= 1/2; error relative to 2^r",
     series(lambda r: expm1(r * ln2) / r), lambda r: r / exp(r * ln2), mpf("-0.505"), mpf("0.505"), 6, to_float),
    ("LogTail", "(log(1+f) - f + f^2/2) / f^3 in f, 1+f from sqrt(1/2) to sqrt(2); error relative to log(1+f)",
     log_tail, series(lambda f: f ** 3 / log1p(f)), root_half, root_two, 8, to_float),
    ("SinTail", "(sin(r) - r) / r^3 in r^2, |r| <= 1.65; error relative to sin(r)",
     sin_target, sin_weight, 0, mpf("1.65") ** 2, 4, to_float),
    ("TanTail", "(tan(r) - r) / r^3 in r^2, |r| <= pi/4 + 0.01; error relative to tan(r)",
     tan_target, tan_weight, 0, (quarter + mpf("0.01")) ** 2, 6, to_float),
    ("SinhTail", "(sinh(x) - x) / x^3 in x^2, |x| <= 1; error relative to sinh(x)",
     sinh_target, sinh_weight, 0, 1, 4, to_float),
    ("SinhOfReduced", "as SinhTail but |r| <= ln(2)/2", sinh_target, sinh_weight, 0, (half * mpf("1.01")) ** 2, 2,
     to_float),
    ("CoshOfReduced", "(cosh(r) - 1) / r^2 in r^2, |r| <= ln(2)/2; error relative to cosh(r)",
     cosh_target, series(lambda z: z / cosh(sqrt(z))), 0, (half * mpf("1.01")) ** 2, 3, to_float),
    ("AsinTail", "(asin(x) - x) / x^3 in x^2, |x| <= 1/2; error relative to asin(x)",
     asin_target, asin_weight, 0, mpf(1) / 4, 5, to_float),
    ("AtanTail", "(atan(x) - x) / x^3 in x^2, |x| <= 1; error relative to atan(x)",
     atan_target, atan_weight, 0, 1, 9, to_float),
    ("ErfNear", "erf(x) / x - 1 in x^2, |x| <= 1; error relative to erf(x)",
     erf_target, erf_weight, 0, ERF_SPLIT ** 2, 7, to_float),
    ("ErfFar", "log(1 - erf(x)) in x - 1, x from 1 to 3.95; error relative to erf(x)",
     lambda t: log(erfc(t + 1)), lambda t: erfc(t + 1) / erf(t + 1), 0, ERF_END - 1, 8, to_float),
    ("DoubleExpTail", "as ExpTail, for double lanes", exp_tail, series(lambda r: r ** 2 / expm1(r)),
     -half * mpf("1.01"), half * mpf("1.01"), 7, to_double),
    ("DoubleLogTail", "(log((1+s)/(1-s)) - 2s) / s^3 in s^2, |s| <= (sqrt(2)-1)^2, for double lanes",
     atanh_tail, series(lambda z: sqrt(z) ** 3 / log((1 + sqrt(z)) / (1 - sqrt(z)))), 0, root_two ** 4, 5, to_double),
    ("DoubleSinTail", "as SinTail but |r| <= pi/4 + 0.01, for double lanes",
     sin_target, sin_weight, 0, (quarter + mpf("0.01")) ** 2, 4, to_double),
    ("DoubleCosTail", "(cos(r) - 1 + r^2/2) / r^4 in r^2, |r| <= pi/4 + 0.01, for double lanes",
     cos_target, series(lambda z: z ** 2 / cos(sqrt(z))), 0, (quarter + mpf("0.01")) ** 2, 4, to_double),
    ("DoubleErfc", "(1 + 2x) e^(x^2) erfc(x) in t = (x - 2) / (x + 2), x from 0 to 10.1, for double lanes",
     erfc_target, lambda t: 1 / erfc_target(t), -1, (mpf("10.1") - 2) / (mpf("10.1") + 2), 12, to_double),
]


def hexadecimal(x, rounding):
    return f"{float(x):.9g}" if rounding is to_float else f"{float(x):.17g}"


def main():
    print("// SPDX-License-Identifier: GPL-3.0-or-later")
    print("// Made by tests/engine/accuracy/minimax.py, which says how; change that, not this.")
    print("#pragma once\n\nnamespace fusebench::cpu::poly {\n")
    for name, meaning, target, weight, low, high, count, rounding in POLYNOMIALS:
        coefficients, worst = fit(target, weight, low, high, count, rounding)
        print(f"/// {meaning}: at most 2^{float(log(worst, 2)):.1f}. Lowest power first.")
        print(f"inline constexpr double k{name}[] = {{")
        for c in coefficients:
            print(f"    {hexadecimal(c, rounding)},")
        print("};\n", flush=True)
        print(name, count, f"2^{float(log(worst, 2)):.1f}", file=sys.stderr, flush=True)
    print("}  // namespace fusebench::cpu::poly")


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Prints the coefficients of _LOG_GAMMA in engine/language/library/special.py. Needs mpmath.

The polynomial interpolates lgamma(1 + y) / (y (y - 1)) in y - 1/2 at Chebyshev points of [0, 1], in 60 digits; its
coefficients are rounded to doubles. The greatest relative error between the points is printed, too.
"""
from mpmath import cos, log, loggamma, lu_solve, matrix, mp, mpf, pi

mp.dps = 60
COUNT = 23


def target(y):
    return loggamma(1 + y) / (y * (y - 1))


def main():
    points = [cos(pi * (2 * i + 1) / (2 * COUNT)) / 2 for i in range(COUNT)]
    system = matrix(COUNT, COUNT)
    for i, t in enumerate(points):
        for j in range(COUNT):
            system[i, j] = t ** j
    solved = lu_solve(system, matrix([target(t + mpf(1) / 2) for t in points]))
    rounded = [float(solved[j]) for j in range(COUNT)]
    print("[" + ", ".join(repr(c) for c in rounded) + "]")
    worst = mpf(0)
    for i in range(501):
        t = (i + mpf(1) / 7) / 501 - mpf(1) / 2
        value = sum(c * t ** j for j, c in enumerate(rounded))
        worst = max(worst, abs(value / target(t + mpf(1) / 2) - 1))
    print("relative error at most 2^%.1f" % float(log(worst, 2)))


if __name__ == "__main__":
    main()

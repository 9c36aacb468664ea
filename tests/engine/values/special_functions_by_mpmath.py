#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Exact values of torch.erfinv, lgamma and digamma: writes special_functions.txt next to it.

A line per value: function, dtype, operand, value, numbers as float.hex; the operand is a number of that dtype, and the
value is the double nearest to the exact one, by mpmath. Lines that begin with "torch" are what PyTorch makes of
infinities, NaN, zeros, poles and ends. Needs PyTorch 2.15 and mpmath.
"""
import math
import pathlib
import random

import mpmath
import torch
from mpmath import mp, mpf

mp.dps = 80
SPECIAL = [0.0, -0.0, 1.0, -1.0, 2.0, -2.0, -7.0, 1.5, -1.5, 0.5, -0.5, 1e-38, -1e-38, 3e38, -3e38, math.inf, -math.inf, math.nan]
# Between zeros and poles: around 1, 2 and the roots of both functions, and where formulas meet.
PLACES = [1, 2, 1.4616321449683623, -0.5040830082644554, -2.4570247382208006, -2.7476826467274127, -3.1435808883499798,
          7, 8, 9, 0, -1, -2, -10, 3]


def lgamma(x):
    return mpmath.loggamma(x) if x > 0 else mpmath.log(mp.pi / abs(mpmath.sin(mp.pi * x))) - mpmath.loggamma(1 - x)


FUNCTIONS = {"erfinv": mpmath.erfinv, "lgamma": lgamma, "digamma": mpmath.digamma}


def operands(name, dtype, rng):
    least = 24 if dtype == torch.float32 else 50
    some = []
    if name == "erfinv":
        some += [rng.uniform(-1, 1) for _ in range(40)]
        some += [rng.choice((1, -1)) * (1 - math.ldexp(1 + rng.random(), -k)) for k in range(2, least + 1)]
        some += [rng.choice((1, -1)) * math.ldexp(1 + rng.random(), -k) for k in range(2, 120, 5)]
        some = [x for x in some if abs(x) < 1]
    else:
        some += [rng.uniform(-20, 20) for _ in range(40)]
        some += [place + rng.choice((1, -1)) * math.ldexp(1 + rng.random(), -rng.randint(2, least)) for place in PLACES for _ in range(4)]
        some += [math.ldexp(1 + rng.random(), k) for k in range(-120, 120, 12)] + [-math.ldexp(1 + rng.random(), k) for k in range(-120, 20, 12)]
    made = torch.tensor(some, dtype=torch.float64).to(dtype).tolist()
    return [x for x in made if (abs(x) < 1 if name == "erfinv" else x > 0 or x != math.floor(x))]


def main():
    lines = ["# By PyTorch %s and mpmath %s; see special_functions_by_mpmath.py." % (torch.__version__.split("+")[0], mpmath.__version__)]
    for name, exactly in FUNCTIONS.items():
        for dtype in (torch.float32, torch.float64):
            short = str(dtype)[6:]
            rng = random.Random(name + short)
            for x in operands(name, dtype, rng):
                lines.append(" ".join([name, short, x.hex(), float(exactly(mpf(x))).hex()]))
            given = torch.tensor(SPECIAL, dtype=dtype)
            for x, value in zip(given.tolist(), getattr(torch, name)(given).tolist()):
                lines.append(" ".join(["torch", name, short, x.hex(), value.hex()]))
    pathlib.Path(__file__).with_name("special_functions.txt").write_text("\n".join(lines) + "\n")
    print("%d lines" % len(lines))


if __name__ == "__main__":
    main()

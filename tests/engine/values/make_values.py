# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes points/*.txt and reductions.txt: independent values of every op, made with MPFR through gmpy2.

    make_values.py              the points that are kept in the repository, 20 per block, and reductions.txt
    make_values.py --out DIR    all points, 1,000 and more per block, into DIR (the build does this)

It needs gmpy2 (Debian: python3-gmpy2).

A file holds blocks, each with a line `parameters A B ...` and then one point a line: the operands as
float32 bits in hexadecimal, and the exact result rounded to a double, as the double's bits. Truth values
are 0 or 1. A line of a reduction has the op, its order p or "-", the exact result, and the elements. The
seed is fixed, so that the files come out the same."""

import argparse
import math
import pathlib
import random
import struct

import gmpy2

import ops_by_mpfr as ops

PRECISION = 700   # bits: sums of any two float32 products are exact
POINTS = 1000
KEPT = 20         # points per block in the repository
FOLDER = pathlib.Path(__file__).parent / "points"
REDUCTIONS = pathlib.Path(__file__).parent / "reductions.txt"
LISTS = 24        # lists of elements per reduction and order


def float32(x):
    """The float32 nearest to a Python float."""
    try:
        return struct.unpack("<f", struct.pack("<f", x))[0]
    except OverflowError:
        return math.copysign(ops.FLOAT32_MAX, x)


def bits32(x):
    return struct.unpack("<I", struct.pack("<f", x))[0]


def bits64(x):
    return struct.unpack("<Q", struct.pack("<d", x))[0]


def any_exponent(rng):
    return rng.choice((1, -1)) * math.ldexp(1 + rng.random(), rng.randint(-149, 127))


def beside(rng, center, sign=0):
    """A point at some distance of `center`, small distances as likely as great ones."""
    distance = math.ldexp(1 + rng.random(), rng.randint(-24, -2))
    return center + distance * (sign or rng.choice((1, -1)))


def draw(domain, rng):
    share = rng.random()
    if domain == ops.ALL:
        return any_exponent(rng) if share < 0.6 else rng.uniform(-10, 10)
    if domain == ops.POSITIVE:
        return abs(any_exponent(rng)) if share < 0.5 else beside(rng, 1) if share < 0.7 else rng.uniform(0, 10)
    if domain == ops.SMALL:
        return rng.uniform(-12, 12) if share < 0.7 else any_exponent(rng) if share < 0.8 else rng.gauss(0, 1)
    if domain == ops.UNIT:
        side = rng.choice((1, -1))
        return beside(rng, side, -side) if share < 0.3 else rng.uniform(-1, 1) if share < 0.8 \
            else rng.choice((1, -1)) * math.ldexp(1 + rng.random(), rng.randint(-149, -2))
    if domain == ops.OPEN_UNIT:
        return beside(rng, 1, -1) if share < 0.2 else beside(rng, 0.5) if share < 0.4 \
            else math.ldexp(1 + rng.random(), rng.randint(-140, -2)) if share < 0.6 else rng.uniform(0.001, 0.999)
    if domain == ops.FROM_ONE:
        return beside(rng, 1, 1) if share < 0.4 else math.ldexp(1 + rng.random(), rng.randint(0, 126))
    if domain == ops.ABOVE_MINUS_ONE:
        return beside(rng, -1, 1) if share < 0.3 else abs(any_exponent(rng)) if share < 0.5 \
            else beside(rng, 0) if share < 0.8 else rng.uniform(-0.99, 10)
    if domain == ops.ANGLE:
        return rng.uniform(-100, 100) if share < 0.5 else any_exponent(rng) if share < 0.75 \
            else beside(rng, rng.randint(-64, 64) * math.pi / 2)
    if domain == ops.EXPONENT:
        return rng.uniform(-110, 110) if share < 0.4 else rng.uniform(-4, 4) if share < 0.7 \
            else beside(rng, 0) if share < 0.9 else rng.choice((1, -1)) * math.ldexp(1 + rng.random(), rng.randint(-149, 6))
    if domain == ops.TERM:
        return math.exp(rng.uniform(math.log(1e-3), math.log(1e3)))
    if domain == ops.WEIGHT:
        return rng.random()
    if domain == ops.TRUTH:
        return float(rng.random() < 0.5)
    if domain == ops.WHOLE:
        return float(rng.randint(-3, 3)) if share < 0.3 else rng.randint(-20, 20) / 2 if share < 0.6 \
            else any_exponent(rng) if share < 0.7 else rng.uniform(-10, 10)
    raise ValueError(domain)


# Tried on every op whose domain holds them; a pair of operands takes every pair.
SPECIALS = [s * v for s in (1.0, -1.0) for v in
            (0.0, 2.0 ** -149, 2.0 ** -126, 0.5, 1.0, 2.0, 88.0, 2.0 ** 24 + 2, ops.FLOAT32_MAX)]


def inside(domain, x):
    return {
        ops.POSITIVE: x >= 0, ops.UNIT: abs(x) <= 1, ops.OPEN_UNIT: 0 < x < 1, ops.FROM_ONE: x >= 1,
        ops.ABOVE_MINUS_ONE: x > -1, ops.TERM: 1e-3 <= x <= 1e3, ops.WEIGHT: 0 <= x <= 1,
        ops.TRUTH: x in (0.0, 1.0) and math.copysign(1, x) > 0,
    }.get(domain, True)


def special_points(domains):
    points = [()]
    for domain in domains:
        points = [p + (s,) for p in points for s in SPECIALS if inside(domain, s)]
    return points


def points_of(op, rng):
    """Operands of one block of points."""
    points = []
    while len(points) < POINTS // len(op.parameters):
        point = tuple(float32(draw(d, rng)) for d in op.domains)
        if all(inside(d, x) for d, x in zip(op.domains, point)):
            points.append(point)
        # Now and then two operands that are close, or a whole multiple apart.
        if len(op.domains) == 2 and rng.random() < 0.1 and op.domains[0] == op.domains[1]:
            x = points[-1][0] if points else 1.0
            points.append((x, float32(x * (1 + rng.choice((0, 1, -1)) * 2.0 ** -rng.randint(3, 23)))))
    return points + special_points(op.domains)


def result(op, point, parameters):
    value = op.function(*[gmpy2.mpfr(x) for x in point], *[gmpy2.mpfr(p) for p in parameters])
    return float(value)   # rounds once, to nearest even


def write(name, op, folder, most):
    rng = random.Random("fusebench " + name)
    lines = []
    for parameters in op.parameters:
        parameters = [float32(p) if math.isfinite(p) else p for p in parameters]
        lines.append(" ".join(["parameters"] + [repr(p) for p in parameters]))
        for point in list(points_of(op, rng))[:most]:
            value = result(op, point, parameters)
            shown = str(int(value)) if op.truth else f"{bits64(value):016x}"
            lines.append(" ".join([f"{bits32(x):08x}" for x in point] + [shown]))
    (folder / f"{name}.txt").write_text("\n".join(lines) + "\n")


def elements_of(name, rng):
    """Elements of one list: numbers, including equal ones and zeros, and NaN for the nan... ops."""
    count = rng.choice((2, 3, 5, 8, 17, 40))
    kind = rng.random()
    if kind < 0.2:
        elements = [float(rng.randint(-2, 2)) for _ in range(count)]
    elif kind < 0.3:
        elements = [0.0] * count
    else:
        elements = [float32(rng.uniform(-4, 4)) for _ in range(count)]
    if name.startswith("nan"):
        elements[1:] = [math.nan if rng.random() < 0.3 else x for x in elements[1:]]
    return elements


def write_reductions():
    lines = []
    for name, (function, orders) in ops.REDUCTIONS.items():
        rng = random.Random("fusebench " + name)
        for order in orders:
            for _ in range(LISTS):
                elements = elements_of(name, rng)
                given = [] if order is None else [gmpy2.mpfr(order)]
                value = float(function([gmpy2.mpfr(x) for x in elements], *given))
                shown = "-" if order is None else repr(order)
                lines.append(" ".join([name, shown, f"{bits64(value):016x}"] +
                                      [f"{bits32(x):08x}" for x in elements]))
    REDUCTIONS.write_text("\n".join(lines) + "\n")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--out", type=pathlib.Path)
    out = parser.parse_args().out
    folder = out or FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    gmpy2.get_context().precision = PRECISION
    for name, op in ops.OPS.items():
        write(name, op, folder, None if out else KEPT)
    if out is None:
        write_reductions()
    print(f"{len(ops.OPS)} ops, {sum(f.stat().st_size for f in folder.glob('*.txt'))} bytes")


if __name__ == "__main__":
    main()

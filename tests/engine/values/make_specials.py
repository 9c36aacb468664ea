# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes specials.txt: what PyTorch makes of infinities, NaN, zeros, denormals and huge numbers.

    apt-get install python3-torch     # 1.13 on Debian 12
    /usr/bin/python3 make_specials.py

For every pointwise op: a line `op NAME`, then blocks as in points/*.txt, whose results are PyTorch's own
float32 (as bits; truth values are 0 or 1 as float32)."""

import pathlib
import struct

import torch
import torch.nn.functional as F

INF = float("inf")
MAX = float.fromhex("0x1.fffffep127")
VALUES = [s * v for v in (0.0, 2.0 ** -149, 1.0, 0.5, 2.0, MAX, 1e20, 100.0, INF) for s in (1, -1)] + [float("nan")]
FEW = [0.0, -0.0, 2.0 ** -149, 1.0, -1.0, -2.5, MAX, -MAX, INF, -INF, float("nan")]


def bits(x):
    return struct.unpack("<I", struct.pack("<f", x))[0]


NO_PARAMETERS = ((),)

# name: (operands, function of tensors and parameters, sets of parameters)
OPS = {
    "add": (2, torch.add, NO_PARAMETERS),
    "sub": (2, torch.sub, NO_PARAMETERS),
    "mul": (2, torch.mul, NO_PARAMETERS),
    "div": (2, torch.div, NO_PARAMETERS),
    "floor_divide": (2, torch.floor_divide, NO_PARAMETERS),
    "trunc_divide": (2, lambda a, b: torch.div(a, b, rounding_mode="trunc"), NO_PARAMETERS),
    "remainder": (2, torch.remainder, NO_PARAMETERS),
    "fmod": (2, torch.fmod, NO_PARAMETERS),
    "neg": (1, torch.neg, NO_PARAMETERS),
    "abs": (1, torch.abs, NO_PARAMETERS),
    "sign": (1, torch.sign, NO_PARAMETERS),
    "copysign": (2, torch.copysign, NO_PARAMETERS),
    "add_scaled": (2, lambda a, b, k: torch.add(a, b, alpha=k), ((1.0,), (-2.0,))),
    "sub_scaled": (2, lambda a, b, k: torch.sub(a, b, alpha=k), ((1.0,), (-2.0,))),
    "addcmul": (3, lambda a, b, c, v: torch.addcmul(a, b, c, value=v), ((1.0,),)),
    "addcdiv": (3, lambda a, b, c, v: torch.addcdiv(a, b, c, value=v), ((1.0,),)),
    "lerp": (3, torch.lerp, NO_PARAMETERS),
    "clone": (1, torch.clone, NO_PARAMETERS),
    "float": (1, lambda a: a.float(), NO_PARAMETERS),
    "lt": (2, torch.lt, NO_PARAMETERS),
    "le": (2, torch.le, NO_PARAMETERS),
    "gt": (2, torch.gt, NO_PARAMETERS),
    "ge": (2, torch.ge, NO_PARAMETERS),
    "eq": (2, torch.eq, NO_PARAMETERS),
    "ne": (2, torch.ne, NO_PARAMETERS),
    "logical_and": (2, torch.logical_and, NO_PARAMETERS),
    "logical_or": (2, torch.logical_or, NO_PARAMETERS),
    "logical_xor": (2, torch.logical_xor, NO_PARAMETERS),
    "logical_not": (1, torch.logical_not, NO_PARAMETERS),
    "isnan": (1, torch.isnan, NO_PARAMETERS),
    "isinf": (1, torch.isinf, NO_PARAMETERS),
    "isposinf": (1, torch.isposinf, NO_PARAMETERS),
    "isneginf": (1, torch.isneginf, NO_PARAMETERS),
    "isfinite": (1, torch.isfinite, NO_PARAMETERS),
    "signbit": (1, torch.signbit, NO_PARAMETERS),
    "bool": (1, lambda a: a.bool(), NO_PARAMETERS),
    "where": (3, lambda c, a, b: torch.where(c.bool(), a, b), NO_PARAMETERS),
    "masked_fill": (2, lambda a, m, v: torch.masked_fill(a, m.bool(), v), ((0.25,), (-INF,))),
    "maximum": (2, torch.maximum, NO_PARAMETERS),
    "minimum": (2, torch.minimum, NO_PARAMETERS),
    "fmax": (2, torch.fmax, NO_PARAMETERS),
    "fmin": (2, torch.fmin, NO_PARAMETERS),
    "clamp": (1, lambda a, low, high: torch.clamp(a, low, high), ((-1.0, 1.0), (-INF, 2.5), (3.0, 1.0), (0.0, 6.0), (-3.0, 0.0), (-0.0, 1.0))),
    "clamp_min": (1, torch.clamp_min, ((0.25,), (0.0,))),
    "clamp_max": (1, torch.clamp_max, ((0.25,), (0.0,))),
    "nan_to_num": (1, torch.nan_to_num, ((0.0, MAX, -MAX), (1.0, 2.0, 3.0))),
    "heaviside": (2, torch.heaviside, NO_PARAMETERS),
    "pow": (2, torch.pow, NO_PARAMETERS),
    "square": (1, lambda a: a ** 2, NO_PARAMETERS),
    "cube": (1, lambda a: a ** 3, NO_PARAMETERS),
    "sqrt": (1, lambda a: a ** 0.5, NO_PARAMETERS),
    "rsqrt": (1, lambda a: a ** -0.5, NO_PARAMETERS),
    "reciprocal": (1, lambda a: a ** -1, NO_PARAMETERS),
    "hypot": (2, torch.hypot, NO_PARAMETERS),
    "exp": (1, torch.exp, NO_PARAMETERS),
    "exp2": (1, torch.exp2, NO_PARAMETERS),
    "expm1": (1, torch.expm1, NO_PARAMETERS),
    "log": (1, torch.log, NO_PARAMETERS),
    "log2": (1, torch.log2, NO_PARAMETERS),
    "log10": (1, torch.log10, NO_PARAMETERS),
    "log1p": (1, torch.log1p, NO_PARAMETERS),
    "logaddexp": (2, torch.logaddexp, NO_PARAMETERS),
    "logaddexp2": (2, torch.logaddexp2, NO_PARAMETERS),
    "logit": (1, lambda a, eps: torch.logit(a, None if eps == -INF else eps), ((-INF,), (0.25,))),
    "xlogy": (2, torch.xlogy, NO_PARAMETERS),
    "sin": (1, torch.sin, NO_PARAMETERS),
    "cos": (1, torch.cos, NO_PARAMETERS),
    "tan": (1, torch.tan, NO_PARAMETERS),
    "asin": (1, torch.asin, NO_PARAMETERS),
    "acos": (1, torch.acos, NO_PARAMETERS),
    "atan": (1, torch.atan, NO_PARAMETERS),
    "atan2": (2, torch.atan2, NO_PARAMETERS),
    "sinc": (1, torch.sinc, NO_PARAMETERS),
    "deg2rad": (1, torch.deg2rad, NO_PARAMETERS),
    "rad2deg": (1, torch.rad2deg, NO_PARAMETERS),
    "sinh": (1, torch.sinh, NO_PARAMETERS),
    "cosh": (1, torch.cosh, NO_PARAMETERS),
    "tanh": (1, torch.tanh, NO_PARAMETERS),
    "asinh": (1, torch.asinh, NO_PARAMETERS),
    "acosh": (1, torch.acosh, NO_PARAMETERS),
    "atanh": (1, torch.atanh, NO_PARAMETERS),
    "erf": (1, torch.erf, NO_PARAMETERS),
    "erfc": (1, torch.erfc, NO_PARAMETERS),
    "floor": (1, torch.floor, NO_PARAMETERS),
    "ceil": (1, torch.ceil, NO_PARAMETERS),
    "trunc": (1, torch.trunc, NO_PARAMETERS),
    "round": (1, torch.round, NO_PARAMETERS),
    "frac": (1, torch.frac, NO_PARAMETERS),
    "relu": (1, torch.relu, NO_PARAMETERS),
    "relu6": (1, F.relu6, NO_PARAMETERS),
    "leaky_relu": (1, F.leaky_relu, ((0.01,),)),
    "elu": (1, F.elu, ((1.0,), (0.5,))),
    "selu": (1, F.selu, NO_PARAMETERS),
    "celu": (1, F.celu, ((1.0,), (0.5,))),
    "gelu": (1, F.gelu, NO_PARAMETERS),
    "gelu_tanh": (1, lambda a: F.gelu(a, approximate="tanh"), NO_PARAMETERS),
    "silu": (1, F.silu, NO_PARAMETERS),
    "mish": (1, F.mish, NO_PARAMETERS),
    "sigmoid": (1, torch.sigmoid, NO_PARAMETERS),
    "logsigmoid": (1, F.logsigmoid, NO_PARAMETERS),
    "softplus": (1, F.softplus, ((1.0, 20.0), (2.0, 5.0))),
    "softsign": (1, F.softsign, NO_PARAMETERS),
    "hardtanh": (1, F.hardtanh, ((-1.0, 1.0), (0.0, 6.0))),
    "hardsigmoid": (1, F.hardsigmoid, NO_PARAMETERS),
    "hardswish": (1, F.hardswish, NO_PARAMETERS),
    "hardshrink": (1, torch.hardshrink, ((0.5,),)),
    "softshrink": (1, F.softshrink, ((0.5,),)),
    "tanhshrink": (1, F.tanhshrink, NO_PARAMETERS),
    "threshold": (1, F.threshold, ((0.1, 20.0),)),
}


def points(arity):
    if arity == 1:
        return [(v,) for v in VALUES]
    if arity == 2:
        return [(a, b) for a in FEW for b in FEW]
    # Three operands: not every triple of NaN and infinities, but every pair with a plain third.
    return [p for a in FEW for b in FEW for p in ((a, b, 0.5), (0.5, a, b), (a, 0.5, b))]


def evaluate(function, operands, parameters):
    """PyTorch's result at each point, one at a time and as a vector of 32 at once: its vectorized and its
    scalar code do not always agree, and then there is nothing to agree with (None)."""
    results = []
    for point in operands:
        one = function(*[torch.tensor([x]) for x in point], *parameters).float()
        many = function(*[torch.full((32,), x) for x in point], *parameters).float()
        a, b = float(one[0]), float(many[0])
        same = bits(a) == bits(b) or (a != a and b != b)
        # Results that only differ in rounding are of the same kind.
        kind = lambda x: "nan" if x != x else x if x in (INF, -INF) else ("zero", bits(x)) if x == 0 else "number"
        results.append(a if same or kind(a) == kind(b) else None)
    return results


def main():
    lines, disagreements = [], []
    for name, (arity, function, sets) in OPS.items():
        lines.append(f"op {name}")
        for parameters in sets:
            parameters = [struct.unpack("<f", struct.pack("<f", p))[0] for p in parameters]
            lines.append(" ".join(["parameters"] + [repr(p) for p in parameters]))
            operands = points(arity)
            for point, value in zip(operands, evaluate(function, operands, parameters)):
                if value is None:
                    disagreements.append(f"{name}{point}")
                    continue
                lines.append(" ".join(f"{bits(x):08x}" for x in (*point, value)))
    pathlib.Path(__file__).with_name("specials.txt").write_text("\n".join(lines) + "\n")
    print(f"{len(OPS)} ops; left out, as PyTorch's scalar and vector code differ: {disagreements}")


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""PyTorch's results for operands of several dtypes: writes promotion.txt and typed_ops.txt next to this file.

promotion.txt: a line "WEIGHT:DTYPE WEIGHT:DTYPE ... -> DTYPE" for torch.result_type, the weights being d (a tensor with
dimensions), s (one without), n (a Python number: int64 or float32).
typed_ops.txt: for each program its expression, then a line for each choice of its operands' dtypes, "DTYPES | DTYPE
VALUES": the result's dtype and its elements, or "error". Operands are x and y; values are those of VALUES.
"""
import itertools
import os
import warnings

import torch

warnings.filterwarnings("ignore")
NAMES = ["bool", "uint8", "int8", "int32", "int64", "float16", "bfloat16", "float32", "float64"]
VALUES = {
    "x": {"bool": [True, False, True, True], "uint8": [7, 0, 200, 255], "int8": [7, -3, 100, -128],
          "int32": [7, -3, 100000, -2147483648], "int64": [7, -3, 1 << 40, -(1 << 62) - 5],
          "float16": [7.5, -3.25, 0.1, 60000.0], "bfloat16": [7.5, -3.25, 0.1, 1e20], "float32": [7.5, -3.25, 0.1, 1e20],
          "float64": [7.5, -3.25, 0.1, 1e200]},
    "y": {"bool": [True, True, False, True], "uint8": [2, 3, 5, 1], "int8": [2, -2, 5, 1], "int32": [2, -2, 5, 1],
          "int64": [2, -2, 5, 1], "float16": [2.0, -2.0, 0.3, 1.5], "bfloat16": [2.0, -2.0, 0.3, 1.5],
          "float32": [2.0, -2.0, 0.3, 1.5], "float64": [2.0, -2.0, 0.3, 1.5]},
}
ONE = ["-x", "x.abs()", "x.sign()", "torch.square(x)", "x + 1", "x + 1.5", "2 - x", "x * 3", "x / 4", "x // 4", "x % 4",
       "x ** 2", "x > 3", "x == 7", "torch.clamp(x, 1, 50)", "torch.clamp(x, min=0.5)", "torch.relu(x)", "x.clone()", "x.float()",
       "x.double()", "x.half()", "x.bfloat16()", "x.long()", "x.int()", "x.char()", "x.byte()", "x.bool()", "x.sum()", "x.prod()",
       "x.amax()", "x.amin()", "x.argmax()", "x.argmin()", "x.any()", "x.all()", "torch.count_nonzero(x)", "x.mean()",
       "torch.floor(x)", "torch.isnan(x)", "torch.isfinite(x)", "torch.logical_not(x)", "torch.bitwise_not(x)",
       "torch.bitwise_and(x, 6)", "torch.exp(x * 0)", "torch.sqrt(torch.abs(x))", "x.to(torch.float64)", "x.to(torch.uint8)",
       "torch.where(x > 1, x, 0)", "(x > 1) * 2", "(x > 1) + (x < 3)", "x.argmax() + 1", "x.argmax() == 2", "x.sum() + x",
       "x.float() * 2.5", "x * x.argmax()", "torch.masked_fill(x, x > 1, 2)"]
TWO = ["x + y", "x - y", "x * y", "x / y", "x // y", "x % y", "torch.fmod(x, y)", "x < y", "x == y", "torch.maximum(x, y)",
       "torch.fmin(x, y)", "torch.where(y > 1, x, y)", "torch.logical_and(x, y)", "torch.logical_xor(x, y)",
       "torch.bitwise_and(x, y)", "torch.bitwise_or(x, y)", "torch.bitwise_xor(x, y)", "torch.copysign(x, y)",
       "torch.add(x, y, alpha=2)", "x + y.sum()", "x * y.amax()", "torch.atan2(x, y)"]


def tensor(name, dtype):
    return torch.tensor(VALUES[name][dtype], dtype=getattr(torch, dtype))


def short(dtype):
    return str(dtype)[len("torch."):]


def number(value):
    return float(value).hex() if isinstance(value, float) else str(int(value))


def outcome(expression, names):
    try:
        made = eval(expression, {"torch": torch, **names})
    except RuntimeError as error:
        if "not implemented for 'Half'" in str(error) or "not implemented for 'BFloat16'" in str(error):
            # PyTorch's own CPU has no kernel for it; its GPU computes in float32 and rounds.
            return None
        return "error"
    values = [made.item()] if made.dim() == 0 else made.tolist()
    return " ".join([short(made.dtype)] + [number(v) for v in values])


def promotion():
    def operand(weight, dtype):
        if weight == "n":
            return {"int64": 1, "float32": 1.0, "bool": True}[dtype]
        return torch.zeros([2] if weight == "d" else [], dtype=getattr(torch, dtype))
    lines = []
    kinds = [(w, d) for w in "ds" for d in NAMES] + [("n", "int64"), ("n", "float32")]
    for a, b in itertools.product(kinds, kinds):
        if a[0] == "n" and b[0] == "n":
            continue
        made = short(torch.result_type(operand(*a), operand(*b)))
        if made != "int16":
            lines.append("%s:%s %s:%s -> %s" % (*a, *b, made))
    return lines


def typed_ops():
    lines = []
    for expression in ONE:
        lines.append("= " + expression)
        for x in NAMES:
            made = outcome(expression, {"x": tensor("x", x)})
            if made is not None:
                lines.append("%s | %s" % (x, made))
    for expression in TWO:
        lines.append("= " + expression)
        for x, y in itertools.product(NAMES, NAMES):
            if {x, y} == {"uint8", "int8"}:
                continue  # int16, which is not there
            made = outcome(expression, {"x": tensor("x", x), "y": tensor("y", y)})
            if made is not None:
                lines.append("%s %s | %s" % (x, y, made))
    return lines


if __name__ == "__main__":
    here = os.path.dirname(os.path.abspath(__file__))
    for name, lines in [("promotion", promotion()), ("typed_ops", typed_ops())]:
        path = os.path.join(here, name + ".txt")
        with open(path + ".part", "w") as out:
            out.write("# By PyTorch %s; see types_by_torch.py.\n" % torch.__version__.split("+")[0])
            out.write("\n".join(lines) + "\n")
        os.replace(path + ".part", path)

#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What PyTorch computes for calls with arguments that few programs use: writes calls.txt.

Two lines for each expression: "= EXPRESSION", then the dtype, the shape and the elements of its result. The operands are x
and w, float32 of shape (4, 6), n, int64 of the same shape, and i, int64 of shape (4,): see operands().
"""
import os
import warnings

import torch
import torch.nn.functional as F

CALLS = [
    "torch.round(x, decimals=1)", "x.round(decimals=2)", "torch.round(x * 1000, decimals=-2)", "torch.round(x, decimals=0)",
    "x.clone().round_(decimals=1)", "torch.round(x.bfloat16(), decimals=1)",
    "torch.gather(x, 1, n % 6, sparse_grad=True)", "x.gather(0, n % 4, sparse_grad=False)",
    "torch.index_add(x, 0, i, w, alpha=3)", "x.index_add(1, i, w[:, :4], alpha=-0.5)", "x.clone().index_add_(0, i, w, alpha=2)",
    "torch.index_add(n, 0, i, n, alpha=2)",
    "torch.embedding(x, i, 2)", "torch.embedding(x, i, padding_idx=-1)", "torch.embedding(weight=x, indices=i, padding_idx=0)",
    "F.avg_pool2d(x.view(1, 1, 4, 6), 2, divisor_override=3)",
    "F.avg_pool2d(x.view(1, 4, 6), (3, 2), stride=2, padding=(1, 0), ceil_mode=True, divisor_override=5)",
    "F.avg_pool2d(x.view(1, 1, 4, 6), 3, 2, 1, False, False, 7)", "F.avg_pool2d(x.view(1, 1, 4, 6), 3, 2, 1, True, True, 2)",
    "torch.nn.AvgPool2d(2, divisor_override=1)(x.view(1, 1, 4, 6))",
    "torch.masked_fill(x, x > 0.5, torch.tensor(2.0))", "x.masked_fill(w > 0, w.sum())", "x.clone().masked_fill_(x < 0, x.max())",
    "n.masked_fill(n > 2, torch.tensor(7))", "x.masked_fill(mask=x > w, value=w[0, 0])",
    "torch.any(n > 4, dim=(0, 1))", "n.any(dim=(0, 1), keepdim=True)", "torch.all(n.view(2, 2, 6) > -3, dim=(0, 2))",
    "n.view(2, 2, 6).all((-1, 0), keepdim=True)", "(x > 0).any((1,))", "x.all(dim=[0, 1])",
    "x.as_strided((2, 3), (6, 1))", "x.as_strided((3, 2), (1, 12), 1)", "torch.as_strided(x, (2, 2, 2), (12, 3, 1), 2)",
    "x.as_strided((4, 3), (6, 2))", "x.as_strided((2, 4, 5), (0, 6, 1), 1)", "x.as_strided((5,), (0,), 3)",
    "x.as_strided((1, 4, 1), (99, 6, 7), 5)", "torch.as_strided(x, (), (), 4)", "x.as_strided((24,), (1,))",
    "torch.layer_norm(x, (6,), w[0], w[1], 1e-5, False)", "torch.group_norm(x, 3, w[0], w[1], 1e-5, True)",
    "torch.batch_norm(x, w[0], w[1], w[2], w[3].abs(), False, 0.1, 1e-5, False)",
    "torch.instance_norm(x.view(2, 2, 6), None, None, None, None, True, 0.1, 1e-5, False)",
    "torch.alpha_dropout(x, 0.5, False)", "torch.feature_dropout(x, 0.5, False)",
    "F.mse_loss(x, w, weight=w.abs())", "F.mse_loss(x, w, reduction='sum', weight=w)", "F.mse_loss(x, w, reduction='none', weight=w)",
    "F.l1_loss(x, w, weight=w.abs() + 1)", "F.l1_loss(x, w, reduction='none', weight=w)",
    "F.huber_loss(x, w, weight=w)", "F.huber_loss(x, w, 'sum', 0.5, weight=w)",
    "torch.tensor_split(x, tensor_indices_or_sections=torch.tensor([1, 3]))[1]", "torch.tensor_split(x, torch.tensor(3), dim=1)[2]",
]


def operands():
    count = torch.arange(24, dtype=torch.float32).view(4, 6)
    return {"x": torch.sin(count * 1.7) * 1.5, "w": torch.cos(count * 0.9),
            "n": (torch.arange(24) * 7 % 11 - 4).view(4, 6), "i": torch.tensor([3, 0, 3, 1])}


def written(value):
    return value.hex() if isinstance(value, float) else str(int(value))


def main():
    warnings.simplefilter("ignore")
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "calls.txt"), "w") as file:
        file.write("# By PyTorch %s; see calls_by_torch.py.\n" % torch.__version__.split("+")[0])
        for name, value in operands().items():
            file.write("%s %s\n" % (name, " ".join(map(written, value.flatten().tolist()))))
        for call in CALLS:
            result = eval(call, {"torch": torch, "F": F, **operands()})
            file.write("= %s\n%s %s : %s\n" % (call, str(result.dtype)[len("torch."):], ",".join(map(str, result.shape)) or "-",
                                               " ".join(map(written, result.flatten().tolist()))))


if __name__ == "__main__":
    main()

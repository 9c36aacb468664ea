#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Graphs that make_fx prints, with what PyTorch computes of them: writes make_fx.txt.

A graph: "graph NAME", its text in lines that begin with "| ", its inputs (those of the function, then the weights and
buffers in the order in which they are first read) as "in DTYPE SHAPE : ELEMENTS", and its results as "out SHAPE : ELEMENTS".
"""
import os

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.fx.experimental.proxy_tensor import make_fx

torch.manual_seed(0)
DENSE = nn.Sequential(nn.Linear(8, 6), nn.ReLU(), nn.Linear(6, 2))
NORMED = nn.Sequential(nn.Conv2d(2, 4, 3, padding=1), nn.BatchNorm2d(4), nn.SiLU()).eval()


def attention(x, y):
    return torch.softmax(x @ y.t() / 8 ** 0.5, -1) @ y + torch.tensor([1.0, 2, 3, 4, 5, 6, 7, 8])


def step(x, t):
    return torch.autograd.grad(F.mse_loss(DENSE(x), t), list(DENSE.parameters()))


def updated(x, t):
    return [p - 0.1 * g for p, g in zip(DENSE.parameters(), step(x, t))]


def by_shape(x):
    return x.view(x.shape[0], -1).sum(1) * x.shape[0]


def graphs():
    x, y, t, image = torch.randn(4, 8), torch.randn(4, 8), torch.randn(4, 2), torch.randn(2, 2, 5, 5)
    return {"attention": (make_fx(attention)(x, y), (x, y)), "fake": (make_fx(attention, tracing_mode="fake")(x, y), (x, y)),
            "dense": (make_fx(DENSE, pre_dispatch=True)(x), (x,)), "step": (make_fx(step)(x, t), (x, t)),
            "updated": (make_fx(updated)(x, t), (x, t)), "normed": (make_fx(NORMED)(image), (image,)),
            "by_shape": (make_fx(by_shape, tracing_mode="symbolic")(image), (image,))}


def of(tensor):
    shape = ",".join(map(str, tensor.shape)) or "-"
    return "%s : %s" % (shape, " ".join(map(str, tensor.detach().flatten().tolist())))


def main():
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "make_fx.txt"), "w") as file:
        file.write("# By PyTorch %s; see make_fx_by_torch.py.\n" % torch.__version__.split("+")[0])
        for name, (module, inputs) in graphs().items():
            states = list(dict.fromkeys(node.target for node in module.graph.nodes if node.op == "get_attr"))
            given = list(inputs) + [getattr(module, each) for each in states]
            results = module(*inputs)
            for form, text in (("code", module.code), ("readable", module.print_readable(print_output=False))):
                file.write("graph %s_%s\n%s\n" % (name, form, "\n".join(("| " + line).rstrip() for line in text.strip("\n").split("\n"))))
                for each in given:
                    file.write("in %s %s\n" % (str(each.dtype)[len("torch."):], of(each)))
                for each in results if isinstance(results, (list, tuple)) else [results]:
                    file.write("out %s\n" % of(each))


if __name__ == "__main__":
    main()

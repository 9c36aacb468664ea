#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""PyTorch's losses of a hundred steps of training: what training_test.cpp holds against.

    python3 tests/engine/values/training_by_torch.py > tests/engine/values/training.txt

A block a model: "= NAME", its program in lines "| ...", its tensors in lines "tensor NAME FREQUENCY FACTOR EXTENTS",
whose element i from 1 is float32's sin(FREQUENCY i) FACTOR, and "losses ..." of steps 0 to 99, computed in float64.
"""
import math
import sys

import torch
import torch.nn as nn
import torch.nn.functional as F
import torch.utils.checkpoint

STEPS = 100
TRAIN = """
opt = torch.optim.SGD(model.parameters(), lr=0.1)

def train(x, target):
    loss = F.mse_loss(model(x), target)
    loss.backward()
    opt.step()
    opt.zero_grad()
    return loss
"""
LINEAR = """class Linear(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.zeros(3, 2))
        self.bias = nn.Parameter(torch.zeros(3))

    def forward(self, x):
        return x.mm(self.weight.t()) + self.bias

model = Linear()
""" + TRAIN
BLOCKS = """from torch.utils.checkpoint import checkpoint

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.block1 = nn.Sequential(nn.Linear(100, 200), nn.ReLU())
        self.block2 = nn.Sequential(nn.Linear(200, 200), nn.ReLU())
        self.block3 = nn.Linear(200, 10)

    def forward(self, x):
        x = checkpoint(self.block1, x, use_reentrant=False)
        x = checkpoint(self.block2, x, use_reentrant=False)
        return self.block3(x)

model = Net()
""" + TRAIN
KEPT = BLOCKS.replace("from torch.utils.checkpoint import checkpoint\n\n", "").replace(
    "checkpoint(self.block1, x, use_reentrant=False)", "self.block1(x)").replace(
    "checkpoint(self.block2, x, use_reentrant=False)", "self.block2(x)")
LINEAR_TENSORS = [("x", 1.0, 1.0, (5, 2)), ("target", 0.7, 1.0, (5, 3)), ("weight", 1.3, 0.5, (3, 2)),
                  ("bias", 2.1, 0.5, (3,))]
NET_TENSORS = [("x", 1.0, 1.0, (4, 100)), ("target", 0.7, 1.0, (4, 10)), ("block1.0.weight", 1.3, 0.1, (200, 100)),
               ("block1.0.bias", 2.1, 0.1, (200,)), ("block2.0.weight", 0.9, 0.1, (200, 200)),
               ("block2.0.bias", 1.7, 0.1, (200,)), ("block3.weight", 0.7, 0.1, (10, 200)),
               ("block3.bias", 0.3, 0.1, (10,))]
MODELS = [("linear", LINEAR, LINEAR_TENSORS), ("checkpointed network", BLOCKS, NET_TENSORS),
          ("network", KEPT, NET_TENSORS)]


def waves(frequency, factor, extents):
    count = math.prod(extents)
    return torch.tensor([math.sin(frequency * i) * factor for i in range(1, count + 1)]).reshape(extents)


def losses(text, tensors, dtype):
    space = {"torch": torch, "nn": nn, "F": F}
    exec(text, space)
    made = {name: waves(*rest).to(dtype) for name, *rest in tensors}
    model = space["model"].to(dtype)
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            parameter.copy_(made[name])
    return [space["train"](made["x"], made["target"]).item() for _ in range(STEPS)]


def main():
    dtype = torch.float64
    print("# By PyTorch %s; see training_by_torch.py." % torch.__version__.split("+")[0])
    for name, text, tensors in MODELS:
        print("= " + name)
        for line in text.splitlines():
            print("| " + line if line else "|")
        for tensor, frequency, factor, extents in tensors:
            print("tensor", tensor, frequency, factor, *extents)
        print("losses", *("%.17g" % loss for loss in losses(text, tensors, dtype)))
    return 0


if __name__ == "__main__":
    sys.exit(main())

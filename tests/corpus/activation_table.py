# inputs: x (4, 8)
# accepted: yes
import torch
import torch.nn as nn
import torch.nn.functional as F


ACT2FN = {"relu": F.relu, "silu": F.silu, "tanh": torch.tanh, "gelu_new": lambda x: F.gelu(x, approximate="tanh")}


def f(x, names=("relu", "silu", "gelu_new")):
    outs = [ACT2FN[name](x) for name in names]
    return sum(outs) / len(outs)

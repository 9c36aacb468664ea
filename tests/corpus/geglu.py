# inputs: x (4, 8)
import torch
import torch.nn as nn
import torch.nn.functional as F


def geglu(x):
    a, b = x.chunk(2, dim=-1)
    return a * F.gelu(b)

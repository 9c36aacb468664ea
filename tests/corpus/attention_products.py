# inputs: q (2, 6, 8), k (2, 6, 8), v (2, 6, 8)
import torch
import torch.nn as nn
import torch.nn.functional as F


def attention(q, k, v):
    w = F.softmax(q @ k.transpose(-2, -1) / q.size(-1) ** 0.5, dim=-1)
    return w @ v

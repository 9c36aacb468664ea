import copy
import torch
from torch import nn


def ema_update(avg, cur, decay=0.99, step: int = 10):
    d = min(decay, (1 + step) / (10 + step))
    out = []
    for a, c in zip(avg, cur):
        out.append(a * d + c * (1 - d))
    return out


net = nn.Linear(4, 3)
avg = [torch.rand(3, 4), torch.rand(3)]
cur = [torch.rand(3, 4), torch.rand(3)]


def both(a0, a1, c0, c1):
    w, b = ema_update([a0, a1], [c0, c1])
    return w, b


w, b = both(*avg, *cur)
print(w.shape, b.shape)

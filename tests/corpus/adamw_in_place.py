# inputs: p (8,), g (8,), m (8,), v (8,)
# fill: uniform
# accepted: yes
import torch
import torch.nn as nn
import torch.nn.functional as F


@torch.no_grad()
def adamw(p, g, m, v, t=3, lr=1e-3, b1=0.9, b2=0.999, eps=1e-8, wd=0.01):
    p.mul_(1 - lr * wd)
    m.lerp_(g, 1 - b1)
    v.mul_(b2).addcmul_(g, g, value=1 - b2)
    denom = (v.sqrt() / (1 - b2 ** t) ** 0.5).add_(eps)
    p.addcdiv_(m, denom, value=-lr / (1 - b1 ** t))
    return p, m, v

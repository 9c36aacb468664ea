# inputs: a (8, 4), b (16,)
# accepted: yes
import torch


def clip(a, b, max_norm=1.0):
    grads = [a, b]
    total = torch.sqrt(sum((g ** 2).sum() for g in grads))
    coefficient = torch.clamp(max_norm / (total + 1e-6), max=1.0)
    return tuple(g * coefficient for g in grads)

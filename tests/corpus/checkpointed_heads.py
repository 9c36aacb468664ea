# inputs: x (3, 8)
# accepted: yes
import torch
from torch.utils.checkpoint import checkpoint


def heads(x):
    parts = torch.stack([torch.tanh(x * (i + 1)) for i in range(6)], dim=1)
    parts[:, 0] = x
    return parts.mean(dim=1)


def model(x):
    h = checkpoint(heads, x, use_reentrant=False)
    return checkpoint(heads, h, use_reentrant=False) + x

# inputs: x (4, 6), w (4, 6)
# accepted: yes
import torch
import torch.nn as nn
import torch.nn.functional as F


def rare_arguments(x, w):
    rows = torch.tensor([3, 0, 1])
    added = torch.index_add(x, 0, rows, w[:3], alpha=2)
    rounded = torch.round(x, decimals=1) + x.clone().round_(decimals=2)
    pooled = F.avg_pool2d(x.view(1, 1, 4, 6), 2, divisor_override=3)
    filled = x.masked_fill(w > 0, w.sum())
    part = torch.as_strided(x, (2, 3), (6, 2), 1)
    part = part * torch.as_strided(w, (3, 2), (1, 12)).t()
    table = torch.embedding(x, rows, 1)
    picked = torch.gather(x, 1, torch.tensor([[0], [2], [1], [5]]), sparse_grad=False)
    normed = torch.batch_norm(x, w[0], w[1], w[2], w[3].abs() + 1, False, 0.1, 1e-5, False)
    grouped = torch.group_norm(x, 3, w[0], w[1], 1e-5, False) + torch.layer_norm(x, (6,), w[0], w[1], 1e-5, False)
    return added, rounded, pooled, filled, part, table, picked, normed, grouped

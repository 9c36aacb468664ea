# inputs: x (5, 3), y (4, 3), sets (2, 5, 3)
# accepted: yes
import torch
import torch.nn as nn
import torch.nn.functional as F


def f(x, y, sets):
    return (
        torch.cdist(x, y),
        torch.cdist(sets, y.expand(2, 4, 3)),
        torch.cdist(x, y, p=1.0),
        torch.cdist(x, y, p=float('inf')),
        torch.cdist(x, y, p=3.0),
        torch.cdist(x, y, compute_mode='donot_use_mm_for_euclid_dist'),
        torch.dist(x[:4], y),
        F.pairwise_distance(x[:4], y, p=1.0),
    )

# inputs: q (2, 4, 6, 8), k (2, 4, 6, 8)
# accepted: yes
import torch
import torch.nn as nn
import torch.nn.functional as F


def dot_scores(q, k):
    *batch, n, d = q.shape
    scale = d ** -0.5
    return ((q * scale) * k).sum(-1) / n

# inputs: a (4, 6), p (4, 6), n (4, 6), t (4,)
# accepted: yes
import torch
import torch.nn as nn
import torch.nn.functional as F


def f(a, p, n, t):
    sides = torch.where(t > 0, torch.tensor(1.0), torch.tensor(-1.0))
    near = nn.TripletMarginLoss(margin=0.5, swap=True)
    return near(a, p, n), F.triplet_margin_loss(a, p, n, p=1, reduction='none'), F.cosine_embedding_loss(a, p, sides, margin=0.1), nn.MarginRankingLoss(0.2)(a[:, 0], p[:, 0], sides)

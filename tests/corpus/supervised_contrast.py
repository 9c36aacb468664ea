# inputs: z (6, 8), marks (6,)
# accepted: yes
import torch
import torch.nn as nn
import torch.nn.functional as F


def f(z, marks, temperature=0.2):
    y = (marks.abs() * 100).long() % 3
    z = F.normalize(z, dim=1)
    s = z @ z.T / temperature
    own = torch.eye(6, dtype=torch.bool)
    s = s.masked_fill(own, -1e9)
    same = (y[:, None] == y[None, :]) & ~own
    logp = s - torch.logsumexp(s, dim=1, keepdim=True)
    return -(logp * same).sum(1) / same.sum(1).clamp(min=1)

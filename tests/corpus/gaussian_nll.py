# inputs: p (8, 3), t (8, 3), v (8, 3)
# accepted: yes
import torch
import torch.nn as nn
import torch.nn.functional as F


def f(p, t, v):
    return F.gaussian_nll_loss(p, t, v.exp())

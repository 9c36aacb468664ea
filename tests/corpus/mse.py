# inputs: p (8, 4), t (8, 4)
# accepted: yes
import torch
import torch.nn as nn
import torch.nn.functional as F


def f(p, t):
    return F.mse_loss(p, t)

# inputs: p (8, 4), t (8, 4)
# accepted: yes
import torch
import torch.nn as nn
import torch.nn.functional as F


def losses(p, t):
    total = 0
    for loss in (F.mse_loss, F.l1_loss, F.smooth_l1_loss, F.huber_loss):
        total = total + loss(p, t)
    return total

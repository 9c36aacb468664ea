# inputs: x (4, 3), y (4, 3)
# accepted: yes
import torch
import torch.nn as nn
import torch.nn.functional as F


def f(x, y):
    summed = nn.MSELoss(size_average=False)
    return summed(x, y), F.l1_loss(x, y, reduce=False), F.smooth_l1_loss(x, y, size_average=True), F.normalize(x, p=float('inf'), dim=1)

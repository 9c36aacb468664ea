# inputs: x (4, 8)
# accepted: yes
import torch
import torch.nn as nn
import torch.nn.functional as F


def f(x):
    return F.normalize(x, dim=1), F.normalize(x, p=1, dim=0)

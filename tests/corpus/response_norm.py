# inputs: x (2, 6, 3, 3)
# accepted: yes
import torch
import torch.nn as nn
import torch.nn.functional as F


def f(x):
    return F.local_response_norm(x, 3, alpha=0.1), nn.LocalResponseNorm(2)(x), nn.InstanceNorm2d(6)(x)

# inputs: x (4, 6, 8)
# accepted: yes
import torch
import torch.nn as nn
import torch.nn.functional as F


def f(x):
    return F.layer_norm(x, x.shape[-1:])

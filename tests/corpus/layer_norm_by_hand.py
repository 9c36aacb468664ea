# inputs: x (4, 6, 8), weight (8,), bias (8,)
# accepted: yes
import torch
import torch.nn as nn
import torch.nn.functional as F


def layer_norm(x, weight, bias, eps=1e-5):
    """Over the last dimension."""
    mean = x.mean(dim=-1, keepdim=True)
    centred = x - mean
    variance = (centred ** 2).mean(dim=-1, keepdim=True)
    return centred / torch.sqrt(variance + eps) * weight + bias

# inputs: x (4, 3, 2, 2), mean (3,), var (3,), weight (3,), bias (3,)
# fill: uniform
# accepted: yes
import torch
import torch.nn as nn
import torch.nn.functional as F


def f(x, mean, var, weight, bias):
    y = F.batch_norm(x, mean, var, weight, bias, training=True, momentum=0.2)
    return y, mean, var, F.batch_norm(x[:, :, 0, 0], None, None, training=True)

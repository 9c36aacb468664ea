# inputs: x (3, 4, 5), marks (2,)
# accepted: yes
import torch
import torch.nn as nn
import torch.nn.functional as F


def f(x, marks):
    i = (marks.abs() * 100).long() % 3
    z = x.clone()
    z[0, :, i] = 1.5
    z[i, 2] *= 2
    z[-1, i, i + 1] = x[0, i, i] - 4
    return z, x[0, :, i], x[i, :, 0], x[i, 0, i], x[:, 1, None, i], x[..., i, 2]

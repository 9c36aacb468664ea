# inputs: x (4, 5), w (5,), b (4, 5, 3)
# accepted: yes
import torch
import torch.nn as nn
import torch.nn.functional as F


def f(x, w, b):
    y = x.clone()
    y[x > 0.5] *= 2
    y[y < -1] = y.mean()
    y[x[:, 0] > 0] += w
    y[:, w > 0] = -3
    y[x.sum(1) > 0, 2] /= 4
    z = b * 1
    z[x > 0] = w[:3]
    z[..., 1:][x < -0.25] = 0
    z[z[:, :, 0] ** 2 > 1] **= 2
    return y, z

# inputs: x (4, 5, 3), w (2,)
# accepted: yes
import torch
import torch.nn as nn
import torch.nn.functional as F


def f(x, w):
    order = [2, 0]
    z = x * 2
    z[..., [0, 2]] *= 3
    z[[0, -1]] = 1
    z[:, :, order] += w
    z[[0, 1], [4, 2]] -= 7
    z[1, [3, 1]] = z[2][[0, 0]] + 1
    return z, x[[0, 2]], x[..., [0, 0, 1]], x[:, [[0, 1], [2, 4]]], x[range(3), [0, 1, 2], :], x[(1, 2)]

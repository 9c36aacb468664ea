# inputs: x (2, 3)
# accepted: yes
import torch


def tiled(x):
    wide = x.repeat(2, 4)
    return wide + torch.repeat_interleave(x, 4, dim=1).repeat(2, 1)

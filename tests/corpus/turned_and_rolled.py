# inputs: x (4, 6)
# accepted: yes
import torch


def neighbours(x):
    left = torch.roll(x, 1, dims=1)
    right = x.roll(-1, 1)
    mirrored = torch.flip(x, dims=(0,))
    return torch.stack([left + right - 2 * x, mirrored], dim=1), torch.cat([x[:, :2], x[:, 2:]], dim=1)

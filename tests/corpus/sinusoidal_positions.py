# inputs: x (2, 6, 8)
# accepted: yes
import math

import torch


def add_positions(x):
    length, width = x.shape[1], x.shape[2]
    position = torch.arange(length, dtype=torch.float32).unsqueeze(1)
    rate = torch.exp(torch.arange(0, width, dtype=torch.float32) * (-math.log(10000.0) / width))
    angle = position * rate
    even = torch.arange(width) % 2 == 0
    return x + torch.where(even, torch.sin(angle), torch.cos(angle))

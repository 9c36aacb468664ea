# inputs: x (4, 8)
# accepted: yes
import math

import torch


def hard_swish_by_hand(x):
    return x * torch.clamp(x + 3, 0, 6) / 6

# inputs: x (4, 8)
# accepted: yes
import math

import torch


def mish_by_hand(x):
    return x * torch.tanh(torch.log1p(torch.exp(x)))

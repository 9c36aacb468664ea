# inputs: x (4, 8)
# accepted: yes
import math

import torch


def snake(x):
    a = 1.5
    return x + (1.0 / a) * torch.sin(a * x) ** 2

# inputs: x (4, 8)
# accepted: yes
import math

import torch


def quick_gelu(x):
    return x * torch.sigmoid(1.702 * x)

# inputs: x (4, 8)
# accepted: yes
import math

import torch


def squared_relu(x):
    return torch.relu(x) ** 2

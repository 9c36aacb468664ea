# inputs: x (4, 6, 8), w (6, 8), b (6, 8)
# accepted: yes
import torch
import torch.nn as nn
import torch.nn.functional as F


def f(x, w, b):
    return F.layer_norm(x, (6, 8), w, b)

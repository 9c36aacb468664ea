# inputs: p (8, 4), t (8, 4)
# accepted: yes
import torch
import torch.nn as nn
import torch.nn.functional as F


import math


def log_cosh(p, t):
    e = p - t
    return (e + F.softplus(-2.0 * e) - math.log(2.0)).mean()

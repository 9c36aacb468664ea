# inputs: a (8, 4), b (8, 4)
# accepted: yes
import torch
import torch.nn as nn
import torch.nn.functional as F


def f(a, b):
    return 1 - F.cosine_similarity(a, b, dim=-1).mean()

# inputs: logits (8, 5), target (8,)
# waits for: gather
import torch
import torch.nn as nn
import torch.nn.functional as F


def f(logits, target):
    return F.cross_entropy(logits, target.long())

# inputs: logits (8, 5), target (8, 5)
# accepted: yes
import torch
import torch.nn as nn
import torch.nn.functional as F


def smoothed_cross_entropy(logits, target, smoothing=0.1):
    n = logits.size(-1)
    target = target * (1.0 - smoothing) + smoothing / n
    return -(target * F.log_softmax(logits, dim=-1)).sum(dim=-1).mean()

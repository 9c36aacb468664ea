# inputs: logits (8, 5), target (8,)
# accepted: yes
import torch
import torch.nn as nn
import torch.nn.functional as F


def f(logits, target):
    labels = target.abs().long()
    return F.cross_entropy(logits, labels), F.nll_loss(F.log_softmax(logits, dim=1), labels, reduction="none")

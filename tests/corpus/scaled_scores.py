# inputs: scores (2, 4, 6, 6), mask (6, 6)
# accepted: yes
import torch
import torch.nn as nn
import torch.nn.functional as F


import math


def attention_probs(scores, mask=None, d=16, dropout: float = 0.0):
    scores = scores / math.sqrt(d)
    if mask is not None:
        scores = scores + mask
    probs = F.softmax(scores, dim=-1)
    return F.dropout(probs, p=dropout, training=False)

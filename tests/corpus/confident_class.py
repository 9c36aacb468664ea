# inputs: logits (6, 5)
# accepted: yes
import torch
import torch.nn.functional as F


def confident(logits, threshold=0.3):
    best, label = F.softmax(logits, dim=-1).max(dim=-1)
    return torch.where(best > threshold, label, torch.full_like(label, -1)), best

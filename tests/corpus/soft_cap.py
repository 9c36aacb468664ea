# inputs: scores (2, 6, 6)
# accepted: yes
import torch


def soft_cap(scores, cap=30.0):
    return cap * torch.tanh(scores / cap)

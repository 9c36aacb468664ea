# inputs: x (16,)
# accepted: yes
import torch
import torch.nn as nn
import torch.nn.functional as F


def f(x):
    return (
        x * torch.hann_window(16),
        torch.hann_window(9, periodic=False) + torch.hann_window(1),
        x * torch.hamming_window(16),
        x * torch.blackman_window(16, periodic=False),
        torch.logspace(-1, 2, 5),
    )

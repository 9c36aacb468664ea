# inputs: x (4, 8)
# accepted: yes
import torch
import torch.nn as nn
import torch.nn.functional as F


class DynamicTanh(nn.Module):
    """Normalization replaced by a scaled tanh."""

    def __init__(self, n=8, alpha=0.5):
        super().__init__()
        self.alpha = nn.Parameter(torch.full((1,), alpha))
        self.gamma = nn.Parameter(torch.ones(n))
        self.beta = nn.Parameter(torch.zeros(n))

    def forward(self, x):
        return self.gamma * torch.tanh(self.alpha * x) + self.beta

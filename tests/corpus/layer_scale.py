# inputs: x (4, 8), residual (4, 8)
# accepted: yes
import torch
import torch.nn as nn
import torch.nn.functional as F


class LayerScale(nn.Module):
    def __init__(self, dim=8, init_values=1e-5, inplace=False):
        super().__init__()
        self.inplace = inplace
        self.gamma = nn.Parameter(init_values * torch.ones(dim))

    def forward(self, x, residual):
        x = x.mul_(self.gamma) if self.inplace else x * self.gamma
        return residual + x

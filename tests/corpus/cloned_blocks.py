# inputs: x (4, 8)
# accepted: yes
import copy

import torch
import torch.nn as nn


def clones(module, count):
    return nn.ModuleList([copy.deepcopy(module) for _ in range(count)])


class Residual(nn.Module):
    def __init__(self, dim, scale):
        super().__init__()
        self.norm = nn.LayerNorm(dim)
        self.fc = nn.Linear(dim, dim)
        self.scale = scale
        nn.init.constant_(self.fc.bias, 0.25)

    def forward(self, x):
        return x + self.scale * torch.tanh(self.fc(self.norm(x)))


class Cloned(nn.Module):
    def __init__(self, dim=8, depth=3):
        super().__init__()
        self.blocks = clones(Residual(dim, 0.5), depth)
        self.norm = copy.deepcopy(self.blocks[0].norm)

    def forward(self, x):
        for block in self.blocks:
            x = block(x)
        return self.norm(x)

# inputs: x (4, 8)
# accepted: yes
import torch
import torch.nn as nn
import torch.nn.functional as F


class Net(nn.Module):
    def __init__(self, n=8):
        super().__init__()
        self.norm = nn.LayerNorm(n)
        self.act = nn.GELU()

    def forward(self, x):
        return self.act(self.norm(x))

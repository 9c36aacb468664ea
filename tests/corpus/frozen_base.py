# inputs: x (6, 8)
# accepted: yes
import torch
import torch.nn as nn


class LowRank(nn.Module):
    def __init__(self, i=8, o=8, r=2, alpha=4):
        super().__init__()
        self.base = nn.Linear(i, o)
        self.A = nn.Parameter(torch.randn(r, i) * 0.01)
        self.B = nn.Parameter(torch.zeros(o, r))
        self.scaling = alpha / r
        for p in self.base.parameters():
            p.requires_grad = False

    def forward(self, x):
        return self.base(x) + (x @ self.A.T @ self.B.T) * self.scaling

import torch
from torch import nn


class LSQ(nn.Module):
    def __init__(self, bits=4):
        super().__init__()
        self.qmin, self.qmax = -2 ** (bits - 1), 2 ** (bits - 1) - 1
        self.step = nn.Parameter(torch.tensor(0.1))

    def forward(self, x):
        g = 1.0 / ((x.numel() * self.qmax) ** 0.5)
        s = self.step * g + (self.step - self.step * g).detach()
        v = (x / s).clamp(self.qmin, self.qmax)
        v = (v.round() - v).detach() + v
        return v * s


q = LSQ()
t = torch.randn(8, 8)
print(q(t).unique().numel())

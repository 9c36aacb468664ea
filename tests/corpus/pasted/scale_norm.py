import torch
import torch.nn as nn


class ScaleNorm(nn.Module):
    """g * x / ||x||"""
    def __init__(self, dim, eps=1e-5):
        super().__init__()
        self.g = nn.Parameter(torch.ones(1) * dim ** 0.5)
        self.eps = eps

    def forward(self, x):
        n = torch.norm(x, dim=-1, keepdim=True).clamp(min=self.eps)
        return x / n * self.g


norm = ScaleNorm(16)
x = torch.randn(4, 16, requires_grad=True)
y = norm(x)
print(y.norm(dim=-1))

# inputs: x (2, 8, 6, 6)
# accepted: yes
import torch
import torch.nn as nn
import torch.nn.functional as F


class Block(nn.Module):
    def __init__(self, dim=8, layer_scale=1e-2):
        super().__init__()
        self.dwconv = nn.Conv2d(dim, dim, kernel_size=7, padding=3, groups=dim)
        self.norm = nn.LayerNorm(dim, eps=1e-6)
        self.pwconv1 = nn.Linear(dim, 4 * dim)
        self.act = nn.GELU()
        self.gamma_grn = nn.Parameter(torch.zeros(1, 1, 1, 4 * dim) + 0.5)
        self.pwconv2 = nn.Linear(4 * dim, dim)
        self.gamma = nn.Parameter(layer_scale * torch.ones(dim)) if layer_scale > 0 else None

    def forward(self, x):
        shortcut = x
        x = self.dwconv(x)
        x = x.permute(0, 2, 3, 1)
        x = self.act(self.pwconv1(self.norm(x)))
        gx = torch.norm(x, p=2, dim=(1, 2), keepdim=True)
        x = x + self.gamma_grn * (x * (gx / (gx.mean(dim=-1, keepdim=True) + 1e-6)))
        x = self.pwconv2(x)
        if self.gamma is not None:
            x = self.gamma * x
        return shortcut + x.permute(0, 3, 1, 2)

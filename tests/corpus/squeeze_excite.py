# inputs: x (2, 8, 6, 6)
# accepted: yes
import torch
from torch import nn


class SqueezeExcite(nn.Module):
    def __init__(self, channels, reduction=4):
        super().__init__()
        self.pool = nn.AdaptiveAvgPool2d(1)
        self.fc = nn.Sequential(
            nn.Conv2d(channels, channels // reduction, 1),
            nn.ReLU(inplace=True),
            nn.Conv2d(channels // reduction, channels, 1),
            nn.Hardsigmoid(),
        )

    def forward(self, x):
        return x * self.fc(self.pool(x))


class InvertedResidual(nn.Module):
    def __init__(self, channels=8, expand=2):
        super().__init__()
        mid = channels * expand
        self.block = nn.Sequential(
            nn.Conv2d(channels, mid, 1, bias=False),
            nn.BatchNorm2d(mid),
            nn.Hardswish(inplace=True),
            nn.Conv2d(mid, mid, 3, padding=1, groups=mid, bias=False),
            nn.BatchNorm2d(mid),
            nn.Hardswish(inplace=True),
            SqueezeExcite(mid),
            nn.Conv2d(mid, channels, 1, bias=False),
            nn.BatchNorm2d(channels),
        )

    def forward(self, x):
        return x + self.block(x)


model = InvertedResidual().eval()

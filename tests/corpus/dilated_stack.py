# inputs: x (2, 4, 12)
# accepted: yes
import torch
import torch.nn as nn
import torch.nn.functional as F


class Residual(nn.Module):
    def __init__(self, channels, dilation):
        super().__init__()
        self.pad = (2 * dilation, 0)
        self.filter = nn.Conv1d(channels, channels, 3, dilation=dilation)
        self.gate = nn.Conv1d(channels, channels, 3, dilation=dilation)
        self.mix = nn.Conv1d(channels, channels, 1)

    def forward(self, x):
        padded = F.pad(x, self.pad)
        z = torch.tanh(self.filter(padded)) * torch.sigmoid(self.gate(padded))
        return x + self.mix(z), z


class WaveBlock(nn.Module):
    def __init__(self, channels=4):
        super().__init__()
        self.blocks = nn.ModuleList([Residual(channels, 2**i) for i in range(3)])
        self.act = nn.PReLU(channels)
        self.pool = nn.AdaptiveAvgPool1d(3)

    def forward(self, x):
        skips = []
        for block in self.blocks:
            x, skip = block(x)
            skips.append(skip)
        return self.pool(self.act(sum(skips)))

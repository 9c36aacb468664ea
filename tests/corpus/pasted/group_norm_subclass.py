import torch
import torch.nn as nn


class GroupNorm32(nn.GroupNorm):
    def __init__(self, num_groups, num_channels, swish, eps=1e-5):
        super().__init__(num_groups=num_groups, num_channels=num_channels, eps=eps)
        self.swish = swish

    def forward(self, x):
        y = super().forward(x.float()).to(x.dtype)
        if self.swish == 1.0:
            y = nn.functional.silu(y)
        elif self.swish:
            y = y * torch.sigmoid(y * float(self.swish))
        return y


def normalization(channels, swish=0.0):
    return GroupNorm32(num_channels=channels, num_groups=4, swish=swish)


net = nn.Sequential(normalization(8, 1.0), nn.Conv2d(8, 8, 3, padding=1), normalization(8, 0.5))


def run(x):
    return net(x)


out = run(torch.randn(2, 8, 6, 6))
print(out.mean(), out.std())

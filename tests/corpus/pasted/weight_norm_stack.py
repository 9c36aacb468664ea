# torch: 2
import torch
import torch.nn as nn
from torch.nn.utils.parametrizations import weight_norm


class ResBlock(nn.Module):
    def __init__(self, ch, k=3, dilations=(1, 2)):
        super().__init__()
        self.convs = nn.ModuleList(
            [weight_norm(nn.Conv1d(ch, ch, k, 1, dilation=d, padding=(k * d - d) // 2)) for d in dilations])

    def forward(self, x):
        for c in self.convs:
            xt = nn.functional.leaky_relu(x, 0.1)
            x = c(xt) + x
        return x


r = ResBlock(4)
r.eval()
wav = torch.randn(1, 4, 20)
print(r(wav).shape)

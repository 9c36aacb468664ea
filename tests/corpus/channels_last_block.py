# inputs: x (2, 3, 8, 8)
# accepted: yes
import torch
import torch.nn as nn


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 4, 3, padding=1)

    def forward(self, x):
        x = x.contiguous(memory_format=torch.channels_last)
        y = torch.relu(self.conv(x)).to(memory_format=torch.channels_last)
        return y.contiguous(memory_format=torch.contiguous_format).view(y.size(0), -1)

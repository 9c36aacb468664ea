# inputs: x (2, 8, 4, 6)
# accepted: yes
import torch
import torch.nn as nn
import torch.nn.functional as F


class Shuffled(nn.Module):
    def __init__(self):
        super().__init__()
        self.up = nn.PixelShuffle(2)
        self.down = nn.PixelUnshuffle(2)

    def forward(self, x):
        return self.up(x), self.down(x), F.pixel_shuffle(x[0], 2), nn.ChannelShuffle(4)(x)

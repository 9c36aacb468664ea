# inputs: x (4, 3, 5, 5)
# accepted: yes
import torch
import torch.nn as nn
import torch.nn.functional as F


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.bn = nn.BatchNorm2d(3)

    def forward(self, x):
        return F.relu(self.bn(x))


model = Block().eval()

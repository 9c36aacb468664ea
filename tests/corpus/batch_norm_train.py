# inputs: x (4, 3, 5, 5)
# accepted: yes
import torch
import torch.nn as nn
import torch.nn.functional as F


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 4, 3, bias=False)
        self.bn = nn.BatchNorm2d(4, momentum=0.3)
        self.drop = nn.Dropout(0.0)

    def forward(self, x):
        y = F.relu(self.drop(self.bn(self.conv(x))))
        return y, self.bn.running_mean, self.bn.running_var, self.bn.num_batches_tracked

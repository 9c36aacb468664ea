# inputs: x (2, 3, 3)
# accepted: yes
import torch
import torch.nn as nn
import torch.nn.functional as F


class SignalNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv1d(3, 5, 3, padding=1)
        self.norm = nn.BatchNorm1d(5)
        self.first = nn.BatchNorm1d(3)
        self.act = nn.ReLU(inplace=True)

    def forward(self, x):
        return self.act(self.norm(self.conv(self.first(x)))).flatten(1)


model = SignalNet().eval()

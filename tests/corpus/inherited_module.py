# inputs: x (4, 8)
# accepted: yes
import torch
import torch.nn as nn
import torch.nn.functional as F


class Base(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.shift = nn.Parameter(torch.zeros(n))

    def prepare(self, x):
        return x + self.shift


class Net(Base):
    def __init__(self, n):
        super().__init__(n)
        self.n = n

    def forward(self, x):
        return torch.sigmoid(self.prepare(x)) * self.n


model = Net(8)

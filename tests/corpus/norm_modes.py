# inputs: x (4, 3, 6), y (4, 3)
# accepted: yes
import torch
import torch.nn as nn
import torch.nn.functional as F


class Head(nn.Module):
    def __init__(self):
        super().__init__()
        self.average = nn.BatchNorm1d(3, momentum=None)
        self.plain = nn.BatchNorm1d(3, affine=False, track_running_stats=False)
        self.instance = nn.InstanceNorm1d(3, affine=True, track_running_stats=True)
        self.frozen = nn.BatchNorm1d(3)

    def train(self, mode=True):
        super().train(mode)
        self.frozen.eval()
        return self

    def forward(self, x, y):
        a = self.instance(self.average(x))
        b = self.plain(self.frozen(y))
        c = b * 2 if self.training and not self.frozen.training else b
        return a, c, self.instance.running_var, self.average.running_mean


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.heads = nn.ModuleList([Head(), Head()])
        self.heads[1].eval()
        self.out = nn.Sequential(nn.Dropout(0.5), nn.BatchNorm1d(3))

    def forward(self, x, y):
        first = self.heads[0](x, y)
        second = self.heads[1](x, y)
        return first + second + (self.out(y),)


model = Model()
model.train()
model.heads[1].train(False)
model.out.eval()

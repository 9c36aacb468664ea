# inputs: x (4, 8)
# accepted: yes
import torch
import torch.nn as nn
import torch.nn.functional as F


class Config:
    def __init__(self, act="gelu", scale=2.0, layers=2):
        self.act = act
        self.scale = scale
        self.layers = layers


class Net(nn.Module):
    def __init__(self, config=Config()):
        super().__init__()
        self.config = config
        self.act = {"gelu": nn.GELU(), "relu": nn.ReLU()}[config.act]

    @property
    def scale(self):
        return self.config.scale

    def forward(self, x):
        for _ in range(self.config.layers):
            x = self.act(x) * self.scale
        return x

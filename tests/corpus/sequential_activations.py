# inputs: x (4, 8)
# accepted: yes
import torch
import torch.nn as nn
import torch.nn.functional as F


class Net(nn.Module):
    def __init__(self, p=0.1):
        super().__init__()
        layers = []
        for slope in [0.1, 0.2]:
            layers.append(nn.LeakyReLU(slope))
            layers += [nn.Dropout(p)]
        self.net = nn.Sequential(*layers, nn.Tanh())

    def forward(self, x):
        return self.net(x)


model = Net().eval()

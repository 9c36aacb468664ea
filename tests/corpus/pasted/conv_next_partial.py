from functools import partial
from itertools import chain, pairwise, repeat

import torch
import torch.nn as nn


class Block(nn.Module):
    def __init__(self, dim, norm_layer=partial(nn.LayerNorm, eps=1e-6), act_layer=nn.GELU):
        super().__init__()
        self.norm = norm_layer(dim)
        self.fc = nn.Linear(dim, dim)
        self.act = act_layer()

    def forward(self, x):
        return x + self.act(self.fc(self.norm(x)))


class Net(nn.Module):
    def __init__(self, dims=(8, 16, 4), depths=(1, 2)):
        super().__init__()
        layers = []
        for (a, b), depth in zip(pairwise(dims), depths):
            layers.append(map(lambda d: Block(d), repeat(a, depth)))
            layers.append([nn.Linear(a, b)])
        self.layers = nn.Sequential(*chain.from_iterable(layers))

    def forward(self, x):
        return self.layers(x)


net = Net()
print(net(torch.randn(2, 5, 8)).shape)

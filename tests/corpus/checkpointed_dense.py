# inputs: x (4, 6)
# accepted: yes
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.checkpoint import checkpoint


class DenseBlock(nn.Module):
    def __init__(self, width=6, growth=3, layers=4):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(width + i * growth, growth) for i in range(layers)])

    def grow(self, x):
        features = [x]
        for layer in self.layers:
            features.append(F.relu(layer(torch.cat(features, dim=1)), inplace=True))
        return torch.cat(features, dim=1)

    def forward(self, x):
        return checkpoint(self.grow, x, use_reentrant=False) * 0.5

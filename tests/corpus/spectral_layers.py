# inputs: x (4, 6), images (2, 3, 5, 5)
# accepted: yes
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.nn.utils.parametrizations import spectral_norm


class Critic(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = spectral_norm(nn.Linear(6, 8))
        self.conv = spectral_norm(nn.Conv2d(3, 4, 3), n_power_iterations=2, eps=1e-6)
        self.last = nn.utils.spectral_norm(nn.Linear(8, 1))

    def forward(self, x, images):
        h = F.leaky_relu(self.first(x), 0.2)
        return self.last(h), self.conv(images), self.first.weight


critic = Critic().eval()

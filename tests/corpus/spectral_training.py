# inputs: x (4, 6)
# accepted: yes
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.nn.utils.parametrizations import spectral_norm


class Critic(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = spectral_norm(nn.Linear(6, 8), n_power_iterations=3)
        self.last = nn.utils.spectral_norm(nn.Linear(8, 1))

    def forward(self, x):
        real = self.last(F.leaky_relu(self.first(x), 0.2))
        fake = self.last(F.leaky_relu(self.first(x.flip(0) * 2), 0.2))
        return real - fake, self.last.weight_u.clone()


critic = Critic().train()

# inputs: x (4, 8), eps (4, 3)
# accepted: yes
import torch
from torch import nn
from torch.nn import functional as F


class VAE(nn.Module):
    def __init__(self):
        super(VAE, self).__init__()
        self.fc1 = nn.Linear(8, 6)
        self.fc21 = nn.Linear(6, 3)
        self.fc22 = nn.Linear(6, 3)
        self.fc3 = nn.Linear(3, 6)
        self.fc4 = nn.Linear(6, 8)

    def encode(self, x):
        h1 = F.relu(self.fc1(x))
        return self.fc21(h1), self.fc22(h1)

    def reparameterize(self, mu, logvar, eps):
        std = torch.exp(0.5 * logvar)
        return mu + eps * std

    def decode(self, z):
        h3 = F.relu(self.fc3(z))
        return torch.sigmoid(self.fc4(h3))

    def forward(self, x, eps):
        mu, logvar = self.encode(x.view(-1, 8))
        recon = self.decode(self.reparameterize(mu, logvar, eps))
        BCE = F.binary_cross_entropy(recon, torch.sigmoid(x), reduction="sum")
        KLD = -0.5 * torch.sum(1 + logvar - mu.pow(2) - logvar.exp())
        return BCE + KLD, recon

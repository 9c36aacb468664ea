import torch
from torch import nn


class FRN(nn.Module):
    def __init__(self, num_features, eps=1e-6, learnable_eps=False):
        super().__init__()
        shape = (1, num_features, 1, 1)
        self.eps = nn.Parameter(torch.ones(*shape) * eps) if learnable_eps else eps
        self.gamma = nn.Parameter(torch.Tensor(*shape))
        self.beta = nn.Parameter(torch.Tensor(*shape))
        self.tau = nn.Parameter(torch.Tensor(*shape))
        self.reset_parameters()

    def reset_parameters(self):
        nn.init.ones_(self.gamma)
        nn.init.zeros_(self.beta)
        nn.init.zeros_(self.tau)

    def forward(self, x):
        nu2 = torch.mean(x ** 2, (2, 3), keepdim=True)
        x = x * torch.rsqrt(nu2 + abs(self.eps))
        return torch.max(self.gamma * x + self.beta, self.tau)


m = FRN(3)
print(m(torch.randn(2, 3, 5, 5)).shape)

import torch
from torch import nn


class SetPool(nn.Module):
    def __init__(self, dim, n_out=2):
        super().__init__()
        self.gate = nn.Linear(dim, 1)
        self.nets = nn.ModuleDict({"sum": nn.Linear(dim, n_out), "max": nn.Linear(dim, n_out)})

    def forward(self, x, batch):
        B = 3
        g = torch.sigmoid(self.gate(x))
        s = x.new_zeros(B, x.size(-1)).index_add(0, batch, g * x)
        m = x.new_full((B, x.size(-1)), -1e9).scatter_reduce(0, batch[:, None].expand_as(x), x, reduce="amax", include_self=True)
        return self.nets["sum"](s) + self.nets["max"](m.clamp(min=-10))


pool = SetPool(4)
x = torch.randn(7, 4)
batch = torch.tensor([0, 0, 1, 1, 1, 2, 2])
print(pool(x, batch))

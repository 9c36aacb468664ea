# torch: 2
import torch
import torch.nn as nn
from torch.func import functional_call, stack_module_state, vmap


class Member(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(4, 5)
        self.norm = nn.BatchNorm1d(5)
        self.last = nn.Linear(5, 2)

    def forward(self, x):
        return self.last(torch.relu(self.norm(self.first(x))))


class Ensemble(nn.Module):
    def __init__(self):
        super().__init__()
        self.members = nn.ModuleList([Member() for _ in range(3)])

    def forward(self, x):
        parameters, buffers = stack_module_state(self.members)
        base = self.members[0]

        def call(parameters, buffers, x):
            return functional_call(base, (parameters, buffers), (x,))

        each = vmap(call, in_dims=(0, 0, None))(parameters, buffers, x)
        return each, each.mean(0), each.var(0)


ensemble = Ensemble().eval()

x = torch.randn(6, 4)
each, mean, spread = ensemble(x)
print(mean.shape)

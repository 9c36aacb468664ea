import torch
from torch import nn
import torch.nn.functional as F


def g(x):
    return torch.where(x >= 0, x + 0.5, x.sigmoid())


class minGRU(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.to_hidden_and_gate = nn.Linear(dim, dim * 2, bias=False)

    def forward(self, x, prev_hidden=None):
        hidden, gate = self.to_hidden_and_gate(x).chunk(2, dim=-1)
        z = gate.sigmoid()
        h = torch.zeros_like(hidden[:, 0]) if prev_hidden is None else prev_hidden
        out = []
        for t in range(x.shape[1]):
            h = torch.lerp(h, g(hidden[:, t]), z[:, t])
            out.append(h)
        return torch.stack(out, dim=1)


rnn = minGRU(6)
print(rnn(torch.randn(2, 5, 6)).shape)

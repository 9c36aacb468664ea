# inputs: x (4, 3), scores (4, 4)
# accepted: yes
import torch
import torch.nn as nn


class Typed(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer('order', torch.tensor([2, 0]))
        self.register_buffer('kept', torch.tensor([True, False, True]))
        self.register_buffer('causal', torch.tril(torch.ones(4, 4)).bool())
        self.register_buffer('open', torch.zeros(4, 3, dtype=torch.bool))
        self.pairs = torch.arange(4) // 2
        self.quarters = torch.arange(start=0, end=4) / 4
        self.even = torch.arange(4) % 2 == 0
        self.words = nn.Embedding(5, 3)

    def forward(self, x, scores):
        y = x[self.order] + self.words(self.order + 1)
        z = torch.where(self.kept, x, -x).masked_fill(self.open, 9.0)
        s = scores.masked_fill(~self.causal, float('-inf')).softmax(-1)
        t = torch.where(self.even, x[self.pairs, 0], self.quarters)
        return y, z, s, t, x[:, self.order * 1], self.pairs.sum() + self.order

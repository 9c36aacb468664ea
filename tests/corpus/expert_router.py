# inputs: x (6, 8)
# accepted: yes
import torch
import torch.nn as nn
import torch.nn.functional as F


class TopKRouter(nn.Module):
    def __init__(self, dim=8, experts=4, k=2):
        super().__init__()
        self.k = k
        self.experts = experts
        self.gate = nn.Linear(dim, experts, bias=False)
        self.up = nn.Parameter(torch.randn(experts, dim, 16) * 0.1)
        self.down = nn.Parameter(torch.randn(experts, 16, dim) * 0.1)

    def forward(self, x):
        logits = self.gate(x)
        weights, chosen = torch.topk(logits, self.k, dim=-1)
        weights = F.softmax(weights, dim=-1)
        gates = torch.zeros_like(logits).scatter_(1, chosen, weights)
        hidden = F.silu(torch.einsum("nd,edh->neh", x, self.up))
        made = torch.einsum("neh,ehd->ned", hidden, self.down)
        out = (gates.unsqueeze(-1) * made).sum(dim=1)
        share = (gates > 0).float().mean(dim=0)
        balance = self.experts * (share * F.softmax(logits, dim=-1).mean(dim=0)).sum()
        return out, balance

# inputs: x (2, 5, 6)
# accepted: yes
import torch
import torch.nn as nn


class TimeMix(nn.Module):
    def __init__(self, n_embd: int = 6):
        super().__init__()
        decay = torch.ones(n_embd)
        for h in range(n_embd):
            decay[h] = -5 + 8 * (h / (n_embd - 1)) ** 0.7
        self.time_decay = nn.Parameter(decay)
        self.time_first = nn.Parameter(torch.ones(n_embd) * 0.3)
        self.mix_k = nn.Parameter(torch.ones(1, 1, n_embd) * 0.5)
        self.time_shift = nn.ZeroPad2d((0, 0, 1, -1))
        self.key = nn.Linear(n_embd, n_embd, bias=False)
        self.value = nn.Linear(n_embd, n_embd, bias=False)
        self.receptance = nn.Linear(n_embd, n_embd, bias=False)

    def forward(self, x):
        xx = self.time_shift(x)
        xk = x * self.mix_k + xx * (1 - self.mix_k)
        k, v = self.key(xk), self.value(xk)
        r = torch.sigmoid(self.receptance(xk))
        w = -torch.exp(self.time_decay)
        num = torch.zeros_like(k[:, 0])
        den = torch.zeros_like(num)
        top = torch.full_like(num, -1e38)
        out = []
        for t in range(x.size(1)):
            q = torch.maximum(top, self.time_first + k[:, t])
            a, b = torch.exp(top - q), torch.exp(self.time_first + k[:, t] - q)
            out.append((a * num + b * v[:, t]) / (a * den + b))
            q = torch.maximum(top + w, k[:, t])
            a, b = torch.exp(top + w - q), torch.exp(k[:, t] - q)
            num, den, top = a * num + b * v[:, t], a * den + b, q
        return r * torch.stack(out, dim=1)

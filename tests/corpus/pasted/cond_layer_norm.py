import torch
import torch.nn as nn


class AdaLN(nn.Module):
    def __init__(self, dim, cond):
        super().__init__()
        self.ln = nn.LayerNorm(dim, elementwise_affine=False)
        self.to_ss = nn.Sequential(nn.SiLU(), nn.Linear(cond, 2 * dim))
        nn.init.constant_(self.to_ss[-1].weight, 0)
        nn.init.constant_(self.to_ss[-1].bias, 0)

    def forward(self, x, c):
        shift, scale = self.to_ss(c).chunk(2, dim=1)
        return self.ln(x) * (1 + scale.unsqueeze(1)) + shift.unsqueeze(1)


import time
ada = AdaLN(8, 4)
x, c = torch.randn(3, 5, 8), torch.randn(3, 4)
t0 = time.time()
for _ in range(3):
    y = ada(x, c)
print("%.3f ms" % ((time.time() - t0) / 3 * 1000))

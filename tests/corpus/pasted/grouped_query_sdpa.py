# torch: 2
import torch
import torch.nn.functional as F
from torch import nn


class GQA(nn.Module):
    def __init__(self, d_model=32, n_q=4, n_kv=2):
        super().__init__()
        self.n_q, self.n_kv, self.hd = n_q, n_kv, d_model // n_q
        self.wq = nn.Linear(d_model, n_q * self.hd)
        self.wk = nn.Linear(d_model, n_kv * self.hd)
        self.wv = nn.Linear(d_model, n_kv * self.hd)
        self.wo = nn.Linear(d_model, d_model)

    def forward(self, x):
        b, t, _ = x.size()
        q = self.wq(x).reshape(b, t, self.n_q, self.hd).permute(0, 2, 1, 3)
        k = self.wk(x).reshape(b, t, self.n_kv, self.hd).permute(0, 2, 1, 3)
        v = self.wv(x).reshape(b, t, self.n_kv, self.hd).permute(0, 2, 1, 3)
        o = F.scaled_dot_product_attention(q, k, v, is_causal=True, enable_gqa=True)
        return self.wo(o.permute(0, 2, 1, 3).flatten(2))


attn = GQA().eval()
inp = torch.rand(2, 6, 32)
print(attn)
print(attn(inp).sum())

import torch
import torch.nn as nn
import torch.nn.functional as F


class CachedAttention(nn.Module):
    def __init__(self, dim=16, heads=2, max_len=8):
        super().__init__()
        self.heads, self.hd = heads, dim // heads
        self.qkv = nn.Linear(dim, 3 * dim)
        self.proj = nn.Linear(dim, dim)
        self.register_buffer("k_cache", torch.zeros(2, heads, max_len, dim // heads))
        self.register_buffer("v_cache", torch.zeros(2, heads, max_len, dim // heads))

    def forward(self, x, pos: int = 3):
        b, t, c = x.shape
        q, k, v = self.qkv(x).split(c, dim=-1)
        q = q.view(b, t, self.heads, self.hd).transpose(1, 2)
        k = k.view(b, t, self.heads, self.hd).transpose(1, 2)
        v = v.view(b, t, self.heads, self.hd).transpose(1, 2)
        self.k_cache[:, :, pos:pos + t] = k
        self.v_cache[:, :, pos:pos + t] = v
        k, v = self.k_cache[:, :, :pos + t], self.v_cache[:, :, :pos + t]
        w = (q @ k.mT * self.hd ** -0.5).softmax(-1)
        return self.proj((w @ v).transpose(1, 2).reshape(b, t, c))


torch.set_grad_enabled(False)
layer = CachedAttention().eval()
print("cache bytes:", layer.k_cache.nbytes + layer.v_cache.nbytes)
token = torch.randn(2, 1, 16)
out = layer(token)
print(out.shape)

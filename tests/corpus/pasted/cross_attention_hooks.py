import torch
import torch.nn as nn


class CrossAttention(nn.Module):
    def __init__(self, dim, ctx_dim, heads=2):
        super().__init__()
        self.scale = (dim // heads) ** -0.5
        self.heads = heads
        self.to_q = nn.Linear(dim, dim, bias=False)
        self.to_kv = nn.Linear(ctx_dim, dim * 2, bias=False)
        self.to_out = nn.Sequential(nn.Linear(dim, dim), nn.Dropout(0.0))

    def forward(self, x, context):
        h = self.heads
        q = self.to_q(x)
        k, v = self.to_kv(context).chunk(2, dim=-1)
        b, n, d = q.shape
        q, k, v = map(lambda t: t.reshape(b, -1, h, d // h).transpose(1, 2), (q, k, v))
        sim = torch.einsum("b h i d, b h j d -> b h i j", q, k) * self.scale
        attn = sim.softmax(dim=-1)
        out = torch.einsum("b h i j, b h j d -> b h i d", attn, v)
        out = out.transpose(1, 2).reshape(b, n, d)
        return self.to_out(out)


m = CrossAttention(16, 24).eval()
shapes = []
handle = m.to_q.register_forward_hook(lambda mod, inp, out: print("q:", out.shape))
x, ctx = torch.randn(2, 5, 16), torch.randn(2, 7, 24)
y = m(x, ctx)
handle.remove()
print(sum(p.numel() for p in m.parameters()), "parameters")

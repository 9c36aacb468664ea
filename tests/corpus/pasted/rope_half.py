import torch


def precompute(dim, end, theta=10000.0):
    freqs = 1.0 / (theta ** (torch.arange(0, dim, 2)[: (dim // 2)].float() / dim))
    t = torch.arange(end)
    freqs = torch.outer(t, freqs)
    return torch.cat((freqs, freqs), dim=-1)


def rotate_half(x):
    x1, x2 = x.chunk(2, dim=-1)
    return torch.cat((-x2, x1), dim=-1)


def apply_rotary(q, k):
    emb = precompute(q.shape[-1], q.shape[-2]).to(q.device)
    cos, sin = emb.cos(), emb.sin()
    q_embed = (q * cos) + (rotate_half(q) * sin)
    k_embed = (k * cos) + (rotate_half(k) * sin)
    return q_embed, k_embed


q = torch.randn(1, 4, 7, 16)
k = torch.randn(1, 4, 7, 16)
a, b = apply_rotary(q, k)
torch.testing.assert_close(a.norm(dim=-1), q.norm(dim=-1))
print("ok", a.shape, b.shape)

# inputs: q (2, 5, 3, 8), k (2, 5, 3, 8)
# accepted: yes
import torch


def rotate_every_two(x):
    x1 = x[..., ::2]
    x2 = x[..., 1::2]
    return torch.stack((-x2, x1), dim=-1).flatten(-2)


def apply_rotary(q, k, base=10000):
    dim = q.shape[-1]
    inv_freq = 1.0 / (base ** (torch.arange(0, dim, 2).float() / dim))
    t = torch.arange(q.shape[1]).float()
    freqs = torch.outer(t, inv_freq)
    emb = torch.repeat_interleave(freqs, 2, dim=-1)[None, :, None, :]
    cos, sin = emb.cos(), emb.sin()
    return q * cos + rotate_every_two(q) * sin, k * cos + rotate_every_two(k) * sin

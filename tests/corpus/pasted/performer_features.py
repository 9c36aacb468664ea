import math
import torch


def orthogonal_free_features(x, proj, eps=1e-4):
    d = x.shape[-1]
    x = x * d ** -0.25
    xp = x @ proj.T
    h = (x ** 2).sum(dim=-1, keepdim=True) / 2
    m = xp.amax(dim=-1, keepdim=True)
    return (torch.exp(xp - h - m) + eps) / math.sqrt(proj.shape[0])


def attention(q, k, v, proj):
    qf, kf = orthogonal_free_features(q, proj), orthogonal_free_features(k, proj)
    d = qf @ kf.sum(dim=-2, keepdim=True).transpose(-1, -2)
    return qf @ (kf.transpose(-1, -2) @ v) / d


torch.manual_seed(1)
q, k, v = torch.randn(3, 2, 6, 8).unbind(0)
proj = torch.randn(16, 8)
y = attention(q, k, v, proj)
print(y.shape, y.dtype, y.device)

# inputs: a (2, 3), b (4, 3), c (3, 4, 2), m (3, 3), v (3,)
# accepted: yes
import torch
import torch.nn as nn
import torch.nn.functional as F


def f(a, b, c, m, v):
    return (
        torch.inner(a, b),
        torch.tensordot(a, c, dims=1),
        torch.tensordot(c, a, dims=([2, 0], [0, 1])),
        torch.kron(a, m),
        torch.cross(a, b[:2], dim=1),
        torch.cov(b),
        torch.corrcoef(b),
        torch.diag(v) + torch.diag_embed(v) * torch.trace(m),
        torch.diag(m) + m.diag(),
        torch.linalg.norm(a),
        torch.linalg.norm(a, dim=-1, keepdim=True),
        torch.linalg.vector_norm(b, ord=1, dim=0),
    )

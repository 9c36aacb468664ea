# inputs: q (2, 3, 6, 8), k (2, 3, 5, 8), v (2, 3, 5, 8), mask (6, 5)
import torch
import torch.nn.functional as F


def attention(q, k, v, mask):
    return F.softmax(torch.einsum('bhid,bhjd->bhij', q, k) * q.size(-1) ** -0.5 + mask, dim=-1) @ v

from typing import NamedTuple

import torch
import torch.nn as nn
import torch.nn.functional as F


class VQOutput(NamedTuple):
    quantized: torch.Tensor
    loss: torch.Tensor
    perplexity: torch.Tensor
    codes: torch.Tensor = None


class VectorQuantizer(nn.Module):
    def __init__(self, n_codes=16, dim=8, beta=0.25):
        super().__init__()
        self.codebook = nn.Embedding(n_codes, dim)
        self.beta = beta

    def forward(self, z):
        flat = z.reshape(-1, z.shape[-1])
        d = (flat ** 2).sum(1, keepdim=True) - 2 * flat @ self.codebook.weight.t() + (self.codebook.weight ** 2).sum(1)
        idx = d.argmin(1)
        q = self.codebook(idx).view_as(z)
        loss = F.mse_loss(q, z.detach()) + self.beta * F.mse_loss(z, q.detach())
        q = z + (q - z).detach()
        p = F.one_hot(idx, self.codebook.num_embeddings).float().mean(0)
        out = VQOutput(q, loss, torch.exp(-(p * torch.log(p + 1e-10)).sum()))
        return out._replace(codes=idx.view(z.shape[:-1]))


vq = VectorQuantizer()
out = vq(torch.randn(2, 5, 8))
print(out._fields, out.loss.item())

# inputs: z (2, 4, 3, 3)
# accepted: yes
import torch
import torch.nn as nn
import torch.nn.functional as F


class VectorQuantizer(nn.Module):
    def __init__(self, codes=6, dim=4, beta=0.25):
        super().__init__()
        self.beta = beta
        self.embedding = nn.Embedding(codes, dim)
        self.embedding.weight.data.uniform_(-1.0 / codes, 1.0 / codes)

    def forward(self, z):
        z = z.permute(0, 2, 3, 1).contiguous()
        flat = z.view(-1, z.shape[-1])
        d = (
            flat.pow(2).sum(1, keepdim=True)
            + self.embedding.weight.pow(2).sum(1)
            - 2 * flat @ self.embedding.weight.t()
        )
        index = torch.argmin(d, dim=1)
        z_q = self.embedding(index).view(z.shape)
        loss = F.mse_loss(z_q, z.detach()) + self.beta * F.mse_loss(z_q.detach(), z)
        z_q = z + (z_q - z).detach()
        one_hot = F.one_hot(index, self.embedding.num_embeddings).float()
        usage = one_hot.mean(dim=0)
        perplexity = torch.exp(-torch.sum(usage * torch.log(usage + 1e-10)))
        return z_q.permute(0, 3, 1, 2), loss, perplexity

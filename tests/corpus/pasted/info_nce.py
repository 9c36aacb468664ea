import torch
import torch.nn.functional as F


def info_nce(z1, z2, temperature=0.1):
    z1, z2 = F.normalize(z1, dim=-1), F.normalize(z2, dim=-1)
    logits = z1 @ z2.t() / temperature
    labels = torch.arange(len(z1), device=z1.device)
    return (F.cross_entropy(logits, labels) + F.cross_entropy(logits.t(), labels)) / 2


a, b = torch.randn(8, 16), torch.randn(8, 16)
loss = info_nce(a, b)
print("loss:", loss.item())

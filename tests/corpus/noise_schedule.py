# inputs: x (8, 4)
# accepted: yes
import torch


def add_schedule(x, first=1e-4, last=0.02):
    betas = torch.linspace(first, last, x.shape[0])
    keep = (1.0 - betas).view(-1, 1)
    return x * torch.sqrt(keep) + torch.full_like(x, 0.5) * torch.sqrt(1.0 - keep)

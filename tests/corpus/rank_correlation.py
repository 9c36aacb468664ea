# inputs: a (4, 9), b (4, 9)
# accepted: yes
import torch


def ranks(x):
    return x.argsort(dim=-1, stable=True).argsort(dim=-1, stable=True).float()


def spearman(a, b):
    ra, rb = ranks(a), ranks(b)
    ra = ra - ra.mean(dim=-1, keepdim=True)
    rb = rb - rb.mean(dim=-1, keepdim=True)
    cov = (ra * rb).sum(dim=-1)
    return cov / (ra.norm(dim=-1) * rb.norm(dim=-1)).clamp_min(1e-8)

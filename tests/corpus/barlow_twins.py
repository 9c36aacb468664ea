# inputs: a (6, 4), b (6, 4)
# accepted: yes
import torch
import torch.nn as nn
import torch.nn.functional as F


def off_diagonal(x):
    n, m = x.shape
    assert n == m
    return x.flatten()[:-1].view(n - 1, n + 1)[:, 1:].flatten()


def barlow_twins(a, b, strength=0.005):
    a = (a - a.mean(0)) / a.std(0)
    b = (b - b.mean(0)) / b.std(0)
    c = a.T @ b / a.shape[0]
    on = torch.diagonal(c).add_(-1).pow_(2).sum()
    off = off_diagonal(c).pow_(2).sum()
    return on + strength * off

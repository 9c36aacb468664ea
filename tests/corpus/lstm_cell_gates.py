# inputs: i (4, 8), f (4, 8), g (4, 8), o (4, 8), c (4, 8)
# accepted: yes
import torch


def cell(i, f, g, o, c):
    i, f, o = map(torch.sigmoid, (i, f, o))
    c = f * c + i * torch.tanh(g)
    h = o * torch.tanh(c)
    return h, c

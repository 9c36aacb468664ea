# inputs: x (4, 8)
# accepted: yes
import torch


def softmax(x):
    z = x - x.max(dim=-1, keepdim=True).values
    e = z.exp()
    return e / e.sum(dim=-1, keepdim=True)

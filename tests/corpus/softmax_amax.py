# inputs: x (4, 8)
# accepted: yes
import torch


def softmax(x):
    z = x - x.amax(dim=-1, keepdim=True)
    e = z.exp()
    return e / e.sum(dim=-1, keepdim=True)

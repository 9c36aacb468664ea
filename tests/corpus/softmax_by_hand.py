# inputs: x (4, 8)
# waits for: max over a dim with indices
import torch


def softmax(x):
    z = x - x.max(dim=-1, keepdim=True).values
    e = z.exp()
    return e / e.sum(dim=-1, keepdim=True)

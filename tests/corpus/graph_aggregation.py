# inputs: x (5, 4), ends (2, 9), w (4, 4)
# accepted: yes
import torch


def propagate(x, ends, w):
    edges = (ends.abs() * 8).long() % 5
    src, dst = edges[0], edges[1]
    messages = torch.relu(x[src] @ w)
    index = dst.unsqueeze(-1).expand_as(messages)
    summed = torch.zeros_like(x).index_add_(0, dst, messages)
    mean = torch.zeros_like(x).scatter_reduce(0, index, messages, reduce="mean", include_self=False)
    top = torch.zeros_like(x).scatter_reduce_(0, index, messages, "amax", include_self=False)
    low = torch.scatter_reduce(x, 0, index, messages, "amin")
    return summed, mean, top, low

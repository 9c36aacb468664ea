import torch
import torch.nn.functional as F


def winners(x, signal):
    pooled, where = F.max_pool2d(x, 2, return_indices=True)
    back = torch.zeros_like(x).flatten(2).scatter(2, where.flatten(2), pooled.flatten(2)).view_as(x)
    line, at = F.max_pool1d(signal, 3, stride=1, padding=1, return_indices=True)
    flat = torch.zeros(signal.numel()).put(at.flatten() % signal.numel(), torch.ones(at.numel()), accumulate=True)
    return back, torch.rsub(line, 1), flat


x, signal = torch.randn(2, 3, 8, 8), torch.randn(2, 9)
a, b, c = winners(x, signal)

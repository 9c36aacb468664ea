# inputs: x (6, 4), y (6, 4), route (6,)
# accepted: yes
import torch
import torch.nn.functional as F


def experts(x, route):
    out = torch.zeros_like(x)
    for i in range(2):
        chosen = (route > 0) == bool(i)
        out[chosen] += route[chosen].unsqueeze(-1) * torch.tanh(x[chosen] * (i + 1))
    return out


def f(x, y, route):
    leaky = x.clone()
    leaky[leaky < 0] = 0.1 * leaky[leaky < 0]
    gap = x - y
    far = gap.abs() > 0.5
    force = torch.zeros_like(gap)
    force[far] = gap[far] / gap[far].abs() ** 3
    rows = route > -0.5
    labels = (y.abs() * 1.5).long()[:, 0]
    loss = F.cross_entropy(x[rows], labels[rows])
    right = (x[rows].argmax(dim=1) == labels[rows]).float().mean()
    mean, deviation, most, rest = x[far].mean(), x[far].std(), y[far].max(), y[~far].abs().sum() / far.numel()
    near = torch.masked_select(x, ~far)
    return leaky, force, loss, right, mean, deviation, most, rest, near.pow(2).sum().sqrt(), experts(x, route)

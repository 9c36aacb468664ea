# inputs: x (5, 9), m (2, 3, 4)
# accepted: yes
import torch


def f(x, m):
    steps = (x * 1.5).round()
    values, places = torch.mode(steps, dim=1)
    votes = steps.long().mode(0, keepdim=True)
    return values, places, votes.values, votes.indices, torch.mode(m.round(), 1)[0], m.sum().mode()[0], (x[:, :1] > 0).long().mode(1)[1]

# inputs: a (4, 3), b (5, 3)
# accepted: yes
import math
import torch


def sinkhorn(a, b, eps=0.5, rounds=5):
    cost = torch.cdist(a, b) ** 2
    log_k = -cost / eps
    f = a.new_zeros(a.shape[0])
    g = b.new_zeros(b.shape[0])
    log_mu, log_nu = -math.log(a.shape[0]), -math.log(b.shape[0])
    for _ in range(rounds):
        f = log_mu - torch.logsumexp(log_k + g[None, :], dim=1)
        g = log_nu - torch.logsumexp(log_k + f[:, None], dim=0)
    plan = torch.exp(log_k + f[:, None] + g[None, :])
    return plan, (plan * cost).sum()

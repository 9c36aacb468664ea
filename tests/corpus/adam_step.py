# inputs: p (8, 4), g (8, 4), m (8, 4), v (8, 4)
# accepted: yes
import math

import torch


def adam(p, g, m, v, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, step=10):
    beta1, beta2 = betas
    m = beta1 * m + (1 - beta1) * g
    v = beta2 * v + (1 - beta2) * g * g
    bias1 = 1 - beta1 ** step
    bias2 = 1 - beta2 ** step
    denom = v.abs().sqrt() / math.sqrt(bias2) + eps
    return p - lr / bias1 * m / denom, m, v

# inputs: x (2, 3, 8, 8), eps (2, 3, 8, 8), noise (2, 3, 8, 8)
# accepted: yes
import math


def ddim_step(x, eps, noise, t=10, eta=0.5):
    betas = [1e-4 + (0.02 - 1e-4) * i / 99 for i in range(100)]
    alpha = 1.0
    for beta in betas[: t + 1]:
        alpha *= 1 - beta
    before = alpha / (1 - betas[t])
    sigma = eta * math.sqrt((1 - before) / (1 - alpha) * (1 - alpha / before))
    x0 = (x - math.sqrt(1 - alpha) * eps) / math.sqrt(alpha)
    return math.sqrt(before) * x0 + math.sqrt(1 - before - sigma ** 2) * eps + sigma * noise

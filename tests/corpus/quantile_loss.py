# inputs: p (8, 3), t (8, 1)
# accepted: yes
def pinball(p, t, quantiles=(0.1, 0.5, 0.9)):
    q = [0.1, 0.5, 0.9]
    error = t - p
    total = 0.0
    for level in quantiles:
        total = total + torch.maximum(level * error, (level - 1) * error).mean()
    return total / len(q)

# inputs: p (8, 4), t (8, 4)
# accepted: yes
def huber(p, t, delta: float = 1.0):
    error = p - t
    small = error.abs() <= delta
    return torch.where(small, 0.5 * error ** 2, delta * (error.abs() - 0.5 * delta)).mean()

# inputs: p (8,), g (8,)
# accepted: yes
import math


def cosine_lr(step, total, base, warmup=10):
    if step < warmup:
        return base * step / warmup
    progress = (step - warmup) / max(1, total - warmup)
    return base * 0.5 * (1.0 + math.cos(math.pi * progress))


def train_step(p, g, step=60, total=100):
    lr = cosine_lr(step, total, base=0.1)
    assert 0 < lr <= 0.1, f"lr is {lr:.3f}"
    return p - lr * g

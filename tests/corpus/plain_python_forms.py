# inputs: x (4, 6), w (6,)
# accepted: yes
import math
import torch


class Meter(object):
    def __init__(self, beta=0.9):
        self.beta = beta
        self.values = {}

    def update(self, **kwargs):
        for k, v in kwargs.items():
            self.values.setdefault(k, []).append(v)

    def mean(self, k):
        return sum(self.values[k]) / len(self.values[k])


def schedule(step, warmup=3, total=10):
    if step < warmup:
        return step / max(1, warmup)
    progress = (step - warmup) / (total - warmup)
    return 0.5 * (1.0 + math.cos(math.pi * progress))


def run(x, w):
    meter = Meter()
    chunks = torch.chunk(x, 2, dim=0)
    names = [f"part_{i}" for i in range(len(chunks))]
    parts = dict(zip(names, chunks))
    total = x.new_zeros(())
    for name, part in sorted(parts.items()):
        loss = ((part * w).sum(dim=-1) ** 2).mean() * schedule(int(name.split("_")[-1]) + 1)
        meter.update(loss=loss)
        total += loss
    squares = {k: v.pow(2).sum() for k, v in parts.items() if not k.endswith("1")}
    best, *rest = sorted([3, 1, 2], reverse=True)
    n = 0
    while n < best:
        n += 1
        if n == 2:
            continue
        total = total + n
    extra = squares.get("part_0", 0)
    if (m := x.shape[-1]) > 4:
        total = total + m
    del parts
    return total + extra, meter.mean("loss")

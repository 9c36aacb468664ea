# inputs: x (6, 4)
# accepted: yes
import torch


def pairs(rows, start=0):
    if len(rows) < 2:
        return
    yield rows[0] * rows[1]
    yield from pairs(rows[2:], start + 2)


def sums_of_products(x):
    return torch.stack([pair.sum() for pair in pairs(list(x.unbind(0)))])

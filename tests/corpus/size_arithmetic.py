# inputs: x (4, 8)
# accepted: yes
import math


def f(x):
    b, n = x.shape
    scale = 1.0 / math.sqrt(n)
    return x.sum() * scale / (b * n) + len(x) + x.numel() // 2

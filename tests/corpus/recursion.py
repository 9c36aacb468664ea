# inputs: x (4, 8)
# accepted: yes
import torch


def taylor(x, n):
    if n == 0:
        return x * 0 + 1
    return 1 + x * taylor(x, n - 1) / n


def f(x):
    return taylor(x * 0.1, 5)

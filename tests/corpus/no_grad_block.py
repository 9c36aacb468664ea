# inputs: x (4, 8)
# accepted: yes
import torch


def f(x):
    with torch.no_grad():
        scale = x.abs().amax()
        y = x / scale
    return y, scale

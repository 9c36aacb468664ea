# inputs: x (3, 4, 5, 5), mean (4,), var (4,), w (4,), b (4,)
# accepted: yes
import torch
import torch.nn.functional as F


def f(x, mean, var, w, b):
    return F.batch_norm(x, mean, var * var + 0.5, w, b, training=False)

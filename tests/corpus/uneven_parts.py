# inputs: x (7, 4), a (3,), b (2,)
# accepted: yes
import torch
import torch.nn as nn
import torch.nn.functional as F


def f(x, a, b):
    first, second = x.chunk(2, dim=0)
    one, two, three = torch.tensor_split(x, 3)
    left, right = torch.tensor_split(x, (1,), dim=1)
    columns, rows = torch.meshgrid(a, b, indexing='xy')
    return first, second, one.sum() + two.sum() - three.sum(), left * right, columns, rows, torch.diff(x, dim=0), x.diff(n=2)

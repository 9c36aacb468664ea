# inputs: x (4, 3, 8, 8), marks (4,)
# accepted: yes
import torch
import torch.nn as nn
import torch.nn.functional as F


def f(x, marks, share=0.25):
    order = (marks.abs() * 100).long() % 4
    mixed = x.clone()
    mixed[:, :, 2:5, 1:6] = x[order, :, 2:5, 1:6]
    return mixed, share * x + (1 - share) * x[order]

# inputs: a (4, 4), b (5, 4)
# accepted: yes
import torch
import torch.nn as nn
import torch.nn.functional as F


def box_iou(a, b):
    first = (a[:, 2] - a[:, 0]) * (a[:, 3] - a[:, 1])
    second = (b[:, 2] - b[:, 0]) * (b[:, 3] - b[:, 1])
    low = torch.max(a[:, None, :2], b[:, :2])
    high = torch.min(a[:, None, 2:], b[:, 2:])
    sides = (high - low).clamp(min=0)
    inside = sides[:, :, 0] * sides[:, :, 1]
    return inside / (first[:, None].abs() + second.abs() - inside)

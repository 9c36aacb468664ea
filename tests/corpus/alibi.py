# inputs: scores (2, 4, 6, 6), slopes (4, 1, 1), distance (6, 6)
# accepted: yes
import torch
import torch.nn as nn
import torch.nn.functional as F


def f(scores, slopes, distance):
    return (scores - slopes * distance.abs()).softmax(-1)

# inputs: x (5, 12), weight (8, 12), bias (8,)
import torch
import torch.nn.functional as F


def layers(x, weight, bias):
    by_hand = x.mm(weight.t()) + bias
    added = torch.addmm(bias, x, weight.t(), beta=0.5, alpha=2.0)
    return by_hand + added + F.linear(x, weight, bias), x @ weight[0]

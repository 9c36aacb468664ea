# inputs: x (2, 3, 4, 5), signal (2, 3, 4)
# accepted: yes
import torch
import torch.nn as nn
import torch.nn.functional as F


def f(x, signal):
    return (
        F.interpolate(x, scale_factor=2),
        F.interpolate(x, size=(8, 15), mode='nearest'),
        F.interpolate(x, scale_factor=2, mode='bilinear', align_corners=False),
        F.interpolate(x, size=(7, 3), mode='bilinear', align_corners=True),
        F.interpolate(signal, size=9, mode='linear', align_corners=False),
        nn.Upsample(scale_factor=3, mode='nearest')(x),
    )

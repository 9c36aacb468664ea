# inputs: x (2, 3, 6, 5), signal (2, 3, 4), volume (1, 2, 3, 4, 2)
# accepted: yes
import torch
import torch.nn as nn
import torch.nn.functional as F


def f(x, signal, volume):
    return (
        F.interpolate(x, size=(9, 4), mode='bicubic', align_corners=False),
        F.interpolate(x, scale_factor=1.5, mode='bicubic', align_corners=True),
        F.interpolate(x, scale_factor=(1.7, 0.6), mode='bilinear'),
        F.interpolate(x, scale_factor=1.7, mode='bilinear', recompute_scale_factor=True),
        F.interpolate(x, size=(4, 7), mode='nearest'),
        F.interpolate(x, size=(4, 7), mode='nearest-exact'),
        F.interpolate(x, size=(4, 3), mode='area'),
        F.interpolate(x, size=(3, 4), mode='bilinear', antialias=True),
        F.interpolate(x, size=(4, 3), mode='bicubic', antialias=True, align_corners=False),
        F.interpolate(signal, scale_factor=2.5, mode='linear'),
        F.interpolate(volume, size=(2, 6, 3), mode='trilinear', align_corners=False),
        nn.Upsample(size=(7, 7), mode='bicubic')(x),
    )

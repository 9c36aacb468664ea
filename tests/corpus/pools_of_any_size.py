# inputs: x (2, 3, 7, 5), signal (2, 3, 7), volume (1, 2, 5, 4, 3)
# accepted: yes
import torch
import torch.nn as nn
import torch.nn.functional as F


def f(x, signal, volume):
    even = x[..., :6, :4].contiguous()
    pooled = F.max_pool2d_with_indices(even, 2)
    halved = nn.MaxPool1d(2, return_indices=True)(signal)
    return (
        F.adaptive_avg_pool2d(x, (3, 2)),
        nn.AdaptiveAvgPool2d((None, 2))(x),
        F.adaptive_avg_pool1d(signal, 4),
        nn.AdaptiveAvgPool3d(2)(volume),
        F.adaptive_max_pool2d(x, (3, 2)),
        nn.AdaptiveMaxPool3d((2, 3, 2))(volume),
        F.adaptive_max_pool2d(even, 2, return_indices=True)[1],
        F.max_pool3d(volume, 2, stride=1),
        nn.MaxPool3d(2, padding=1)(volume),
        pooled[0],
        pooled[1],
        nn.MaxPool2d(3, stride=2, padding=1, return_indices=True)(x)[0],
        nn.MaxPool2d(3, stride=2, padding=1, return_indices=True)(x)[1],
        F.max_unpool2d(pooled[0], pooled[1], 2),
        nn.MaxUnpool2d(2)(pooled[0], pooled[1], output_size=even.size()),
        nn.MaxUnpool1d(2)(halved[0], halved[1], output_size=signal.size()),
    )

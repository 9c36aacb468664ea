# inputs: x (2, 3, 4, 5), grid (2, 3, 2, 2), theta (2, 2, 3), volume (1, 2, 3, 2, 4), turns (1, 3, 4), patches (2, 12, 6)
# accepted: yes
import torch
import torch.nn as nn
import torch.nn.functional as F


def f(x, grid, theta, volume, turns, patches):
    grid = grid * 0.613
    warped = F.grid_sample(x, F.affine_grid(theta, (2, 3, 3, 6), align_corners=False), align_corners=False)
    return (
        warped,
        F.grid_sample(x, grid, mode='nearest', padding_mode='border', align_corners=True),
        F.grid_sample(x, grid, mode='bicubic', padding_mode='reflection', align_corners=False),
        F.grid_sample(x, grid, padding_mode='reflection', align_corners=True),
        F.grid_sample(volume, F.affine_grid(turns, (1, 2, 2, 3, 2), align_corners=True), align_corners=True),
        F.fold(patches, (3, 4), kernel_size=2),
        nn.Fold(output_size=(4, 5), kernel_size=2, padding=(0, 1), stride=2)(patches[0]),
        F.lp_pool2d(x, 2, kernel_size=2),
        F.lp_pool1d(x[0].abs(), 3.0, 2, ceil_mode=True),
        nn.LPPool2d(2, (2, 3), stride=(1, 2))(x),
    )

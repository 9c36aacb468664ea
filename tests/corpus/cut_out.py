# inputs: x (2, 3, 8, 8)
# accepted: yes
import torch


def cutout(x, size=3, top=2, left=4, fill=None):
    b, c, h, w = x.shape
    fill = fill if fill is not None else x.mean(dim=(2, 3), keepdim=True)
    mask = torch.ones(h, w, dtype=torch.bool)
    mask[top : top + size, left : left + size] = False
    y = torch.where(mask, x, fill)
    y[:, :, 0] = 0
    y[..., -1] *= 0.5
    return y

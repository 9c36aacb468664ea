# inputs: x (3, 16)
# accepted: yes
import torch
import torch.nn.functional as F


def median_filter(x, size=5):
    padded = F.pad(x.unsqueeze(1), (size // 2, size // 2), mode="reflect").squeeze(1)
    windows = padded.unfold(-1, size, 1)
    middle = windows.median(dim=-1).values
    spread = (windows - middle.unsqueeze(-1)).abs().median(dim=-1)[0]
    return torch.where((x - middle).abs() > 3 * 1.4826 * spread, middle, x)

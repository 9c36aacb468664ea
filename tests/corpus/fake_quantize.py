# inputs: x (4, 8)
# accepted: yes
import torch


def fake_quantize(x, bits: int = 8):
    qmax = 2 ** (bits - 1) - 1
    scale = x.abs().amax() / qmax
    q = torch.clamp(torch.round(x / scale), -qmax - 1, qmax)
    return q * scale

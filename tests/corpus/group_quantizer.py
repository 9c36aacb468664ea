# inputs: w (4, 32)
# accepted: yes
import torch


def quantize_groupwise(w, bits: int = 4, group: int = 8):
    rows, cols = w.shape
    g = w.reshape(rows, cols // group, group)
    lo, hi = g.amin(dim=-1, keepdim=True), g.amax(dim=-1, keepdim=True)
    scale = ((hi - lo) / (2**bits - 1)).clamp(min=1e-6)
    zero = torch.round(-lo / scale)
    q = torch.clamp(torch.round(g / scale) + zero, 0, 2**bits - 1).to(torch.uint8)
    low, high = q[..., ::2], q[..., 1::2]
    packed = low | (high << 4)
    unpacked = torch.stack((packed & 0x0F, packed >> 4), dim=-1).flatten(-2)
    return ((unpacked.float() - zero) * scale).reshape(rows, cols)

import torch


def unpack(packed, scale, zero):
    low = packed & 0xF
    high = packed >> 4
    q = torch.stack((low, high), dim=-1).reshape(packed.shape[0], -1)
    return (q.float() - zero[:, None]) * scale[:, None]


packed = torch.randint(0, 256, (4, 8), dtype=torch.uint8)
scale, zero = torch.rand(4), torch.full((4,), 8.0)
w = unpack(packed, scale, zero)
print(w.shape, w.dtype, w.is_contiguous())

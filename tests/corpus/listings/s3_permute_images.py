import torch
import time

batch = torch.randn(8, 3, 56, 56)


def to_channels_last(x):
    x = x.permute(0, 2, 3, 1)
    print(x.is_contiguous(), x.stride())
    x = x.contiguous()
    print(x.is_contiguous(), x.stride())
    return x


start = time.time()
out = to_channels_last(batch)
print("took", time.time() - start, "s for", out.numel() * out.element_size() / 2**20, "MiB")

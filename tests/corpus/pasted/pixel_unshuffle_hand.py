import numpy as np
import torch


def space_to_depth(x, bs: int = 2):
    N, C, H, W = x.size()
    x = x.view(N, C, H // bs, bs, W // bs, bs)
    x = x.permute(0, 3, 5, 1, 2, 4).contiguous()
    return x.view(N, C * (bs ** 2), H // bs, W // bs)


x = torch.from_numpy(np.random.randn(1, 2, 6, 6).astype(np.float32))
y = space_to_depth(x)
print(y.shape, y.stride(), y.storage().size())

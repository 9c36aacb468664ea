# inputs: x (4, 6), scale (6,)
# accepted: yes
import torch


def mixed(x, scale):
    narrow = x.half() * 2 + 1
    assert narrow.dtype == torch.float16
    exact = narrow.float() * scale
    wide = exact.double().sum(dim=1)
    steps = (x * 2).long() + 3
    kept = steps.bool() & (x > -1).bool()
    low = x.to(torch.bfloat16) if x.dtype is torch.float32 else x
    both = torch.where(kept, narrow.to(torch.float16), x.type(torch.float16))
    return narrow, wide, steps // 2, kept, both.float() + low.to(dtype=torch.float32), steps.int().type_as(x)

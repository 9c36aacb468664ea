import torch
import torch.nn.functional as F


def maxout(x, pool=2):
    b, c = x.shape[:2]
    assert c % pool == 0, "channels must divide"
    return x.view(b, c // pool, pool, *x.shape[2:]).max(dim=2)[0]


def crelu(x):
    return torch.cat([F.relu(x), F.relu(-x)], dim=1)


def block(x):
    x = crelu(x)
    x = maxout(x, pool=2)
    return F.hardswish(x) + F.softsign(x) * F.tanhshrink(x)


x = torch.randn(2, 6, 4, 4)
print(block(x).shape)

# SPDX-License-Identifier: GPL-3.0-or-later
# Draws from distributions, made of uniform and normal ones. No draw is the one that PyTorch makes.

def _drawn(input, low, high):
    return torch.rand(input.shape) * (high - low) + low

def uniform_(input, low=0.0, high=1.0, *, generator=None):
    return input.copy_(_drawn(input, low, high))

def normal_(input, mean=0.0, std=1.0, *, generator=None):
    return input.copy_(torch.randn(input.shape) * std + mean)

def log_normal_(input, mean=1.0, std=2.0, *, generator=None):
    return input.copy_(torch.exp(torch.randn(input.shape) * std + mean))

def bernoulli_(input, p=0.5, *, generator=None):
    return input.copy_((torch.rand(input.shape) < p).float())

def exponential_(input, lambd=1.0, *, generator=None):
    assert lambd > 0, "lambd of exponential_ is above 0"
    return input.copy_(torch.log1p(-torch.rand(input.shape)) * (-1.0 / lambd))

def geometric_(input, p, *, generator=None):
    assert 0 < p < 1, "p of geometric_ is between 0 and 1"
    return input.copy_(torch.floor(torch.log1p(-torch.rand(input.shape)) * (1 / math.log1p(-p))) + 1)

def cauchy_(input, median=0.0, sigma=1.0, *, generator=None):
    return input.copy_(torch.tan(math.pi * (torch.rand(input.shape) - 0.5)) * sigma + median)

def random_(input, low=None, high=None, *, generator=None):
    assert low is not None, "random_ needs a bound: x.random_(10) draws from 0 to 9, x.random_(2, 10) from 2 to 9"
    if high is None:
        low, high = 0, low
    return input.copy_(torch.floor(_drawn(input, low, high)))

def normal(mean=0.0, std=1.0, size=None, *, generator=None, out=None, dtype=None, layout=None, device=None, requires_grad=False):
    assert out is None, "normal does not support out; write y.copy_(torch.normal(mean, std))"
    if size is None:
        given = [each for each in (mean, std) if torch.is_tensor(each)]
        assert len(given) > 0, "normal needs a tensor, or a size"
        size = broadcast_shapes(*[each.shape for each in given])
    made = torch.randn(size) * std + mean
    return made if dtype is None else made.to(dtype)

def randperm(n, *, generator=None, dtype=torch.int64, layout=None, device=None, requires_grad=False, pin_memory=False):
    return torch.argsort(torch.rand(n)).to(dtype)

def multinomial(input, num_samples, replacement=False, *, generator=None):
    assert input.dim() == 1 or input.dim() == 2, "multinomial takes weights of 1 or 2 dimensions"
    count = input.shape[-1]
    if replacement:
        reach = torch.cumsum(input, -1)
        last = torch.narrow(reach, -1, count - 1, 1)
        drawn = torch.rand(list(input.shape[:-1]) + [num_samples]) * last
        return torch.clamp(torch.searchsorted(reach.contiguous(), drawn, right=True), max=count - 1)
    assert num_samples <= count, "multinomial without replacement draws no more samples than there are weights"
    # The greatest of weights over draws of exponential distributions: Efraimidis and Spirakis, 2006.
    waits = -torch.log1p(-torch.rand(input.shape))
    return torch.topk(input / waits, num_samples, -1)[1]

def bincount(input, weights=None, minlength=0):
    assert input.dim() == 1, "bincount takes a tensor of 1 dimension"
    assert minlength > 0, "bincount needs minlength, which is the number of counts here: bincount(x, minlength=10) counts 0 to 9"
    if weights is None:
        return torch.zeros(minlength, dtype=torch.int64).index_add(0, input, torch.ones_like(input, dtype=torch.int64))
    return torch.zeros_like(weights[:1].expand(minlength)).index_add(0, input, weights)

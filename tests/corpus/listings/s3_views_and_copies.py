import torch


def flatten_from_one(x):
    return torch.flatten(x, start_dim=1)


def reshape_by_view(x, shape):
    n = 1
    for s in shape:
        n *= s
    if x.numel() != n:
        raise ValueError(f"cannot view {tuple(x.shape)} as {shape}")
    return x.view(shape)


def transposed(x):
    return x.transpose(1, 2).contiguous()


def all_of_them(x):
    a = flatten_from_one(x)
    b = reshape_by_view(x, (2, 60))
    c = transposed(x)
    return a, b, c


x = torch.arange(120, dtype=torch.float32).reshape(2, 3, 4, 5)
a, b, c = all_of_them(x)
print(a.shape, b.shape, c.shape)
print("a shares memory:", a.data_ptr() == x.data_ptr())
print("c shares memory:", c.storage().data_ptr() == x.storage().data_ptr())

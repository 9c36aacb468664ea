import torch
import torch.nn.functional as F
import time

a = torch.randn(1000, 100)
b = torch.randn(100, 200)


def out_of_place(a, b):
    c = torch.matmul(a, b)
    return F.relu(c)


def in_place(a, b):
    c = torch.matmul(a, b)
    F.relu_(c)
    return c


for f in (out_of_place, in_place):
    t = time.time()
    for _ in range(50):
        f(a, b)
    print(f.__name__, time.time() - t)
assert torch.equal(out_of_place(a, b), in_place(a, b))

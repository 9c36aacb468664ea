import torch
import time

device = torch.device("cuda")

def make_and_move(n):
    return torch.ones(n, n).to(device)

def make_on_device(n):
    return torch.ones(n, n, device=device)

for fn in (make_and_move, make_on_device):
    torch.cuda.synchronize()
    start = time.time()
    for _ in range(100):
        t = fn(64)
    torch.cuda.synchronize()
    print(fn.__name__, (time.time() - start) * 10, "ms")

x = torch.randn(64, 64)
y = (x.cuda() @ make_on_device(64).fill_(0.5)).cpu()
print(y.shape)

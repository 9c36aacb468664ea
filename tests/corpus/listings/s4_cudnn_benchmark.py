import time
import torch
import torch.nn as nn


def measure(benchmark):
    torch.backends.cudnn.benchmark = benchmark
    model = nn.Sequential(nn.Conv2d(3, 8, 3, padding=1), nn.ReLU(), nn.Conv2d(8, 8, 3, padding=1)).to(device)
    x = torch.randn(2, 3, 16, 16, device=device)
    with torch.no_grad():
        t = time.time()
        model(x)
        if device == "cuda":
            torch.cuda.synchronize()
        first = time.time() - t
        t = time.time()
        for _ in range(50):
            model(x)
        if device == "cuda":
            torch.cuda.synchronize()
    return first, (time.time() - t) / 50


device = "cuda" if torch.cuda.is_available() else "cpu"
for flag in [False, True]:
    first, steady = measure(flag)
    print(f"benchmark={flag}: first {first * 1e3:.2f} ms, then {steady * 1e3:.3f} ms")

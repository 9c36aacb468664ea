import time
import torch
import torch.nn as nn

model = nn.Sequential(nn.Linear(100, 200), nn.ReLU(), nn.Linear(200, 10)).eval()
x = torch.randn(32, 100)

def bench(m, inp, n=50):
    with torch.no_grad():
        t = time.time()
        for _ in range(n):
            m(inp)
    return (time.time() - t) / n * 1000

fp32 = bench(model, x)
with torch.autocast("cpu", dtype=torch.bfloat16):
    mixed = bench(model, x)
half = bench(model.bfloat16(), x.bfloat16())
print(f"fp32 {fp32:.3f} ms, autocast {mixed:.3f} ms, bf16 {half:.3f} ms")

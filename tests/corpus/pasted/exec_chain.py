import time
import torch

n = 12
lines = ["def f(x, y):"]
for i in range(n):
    op = ["x * 1.01", "torch.relu(x)", "x + y", "x - 0.5"][i % 4]
    lines.append(f"    x = {op}")
lines.append("    return x")
code = "\n".join(lines)
namespace = {"torch": torch}
exec(code, namespace)
f = namespace["f"]

x, y = torch.randn(8, 16), torch.randn(8, 16)
g = torch.compile(f)
for fn in (f,):
    t = time.perf_counter()
    for _ in range(10):
        fn(x, y)
    print((time.perf_counter() - t) / 10 * 1e6, "us")

import time
import torch

POOL = [
    "x = x + 0.1", "x = torch.sin(x)", "x = x * 1.1", "x = torch.cos(x)", "x = x + 0.2",
    "x = torch.relu(x)", "x = x - 0.1", "x = torch.exp(x * 0.5)", "x = x + 0.3", "x = torch.sigmoid(x)",
    "x = x * 1.2", "x = torch.sin(x)", "x = x + 0.4", "x = torch.cos(x)", "x = x - 0.2",
    "x = torch.relu(x)", "x = x + 0.5", "x = torch.exp(x * 0.4)", "x = x * 1.3", "x = torch.sigmoid(x)",
]


def generate_model(num_ops):
    body = "\n".join("    " + POOL[i % len(POOL)] for i in range(num_ops))
    code = f"def model(x):\n{body}\n    return x.sum()\n"
    scope = {"torch": torch}
    exec(code, scope)
    return scope["model"]


def benchmark(fn, inputs, warmup=20, rounds=3, calls=100):
    for i in range(warmup):
        fn(inputs[i % len(inputs)])
    results = []
    for _ in range(rounds):
        start = time.perf_counter()
        for i in range(calls):
            fn(inputs[i % len(inputs)])
        results.append((time.perf_counter() - start) / calls)
    return sum(results) / len(results) * 1e6


if __name__ == "__main__":
    fixed = [torch.randn(8, 16)]
    varying = [torch.randn((i % 10) + 4, 16) for i in range(300)]
    for n in [1, 5, 10, 15, 20, 25, 30]:
        model = generate_model(n)
        static = torch.compile(model, dynamic=False)
        dynamic = torch.compile(model, dynamic=True)
        print(f"{n:3d} eager {benchmark(model, varying):8.2f} "
              f"static {benchmark(static, fixed):8.2f} dynamic {benchmark(dynamic, varying):8.2f}")

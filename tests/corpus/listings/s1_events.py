import torch

device = "cuda" if torch.cuda.is_available() else "cpu"


class ChainModel(torch.nn.Module):
    def __init__(self, num_ops: int):
        super().__init__()
        self.num_ops = num_ops
        self.ops = [
            lambda x: x + 0.1, lambda x: torch.sin(x), lambda x: x * 1.1, lambda x: torch.cos(x),
            lambda x: x + 0.2, lambda x: torch.relu(x), lambda x: x - 0.1, lambda x: torch.exp(x * 0.5),
            lambda x: x + 0.3, lambda x: torch.sigmoid(x), lambda x: x * 1.2, lambda x: torch.sin(x),
            lambda x: x + 0.4, lambda x: torch.cos(x), lambda x: x - 0.2, lambda x: torch.relu(x),
            lambda x: x + 0.5, lambda x: torch.exp(x * 0.4), lambda x: x * 1.3, lambda x: torch.sigmoid(x),
        ]

    def forward(self, x):
        for i in range(self.num_ops):
            x = self.ops[i % len(self.ops)](x)
        return x.sum()


def time_batches(fn, inputs, n_batches=3, batch=100):
    for i in range(20):
        fn(inputs[i % len(inputs)])
    torch.cuda.synchronize()
    times = []
    for _ in range(n_batches):
        start, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        start.record()
        for i in range(batch):
            fn(inputs[i % len(inputs)])
        end.record()
        torch.cuda.synchronize()
        times.append(start.elapsed_time(end) * 1000 / batch)
    return sum(times) / len(times)


def main():
    sizes = [(i % 10 + 4, 16) for i in range(300)]
    varying = [torch.randn(*s, device=device) for s in sizes]
    static_in = [torch.randn(8, 16, device=device) for _ in range(300)]
    results = {}
    for n in (1, 5, 10, 15, 20, 25, 30):
        model = ChainModel(n).to(device)
        torch._dynamo.reset()
        compiled = torch.compile(model)
        compiled_dyn = torch.compile(model, dynamic=True)
        results[n] = dict(eager=time_batches(model, varying), static=time_batches(compiled, static_in),
                          dynamic=time_batches(compiled_dyn, varying))
    for n, r in results.items():
        print(f"{n:>3} | {r['eager']:.2f} | {r['static']:.2f} | {r['dynamic']:.2f} | x{r['eager'] / r['static']:.2f}")


if __name__ == "__main__":
    main()

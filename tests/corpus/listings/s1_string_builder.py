import torch, textwrap, time
torch.manual_seed(0)

ops = ["x + 0.1", "torch.sin(x)", "x * 1.1", "torch.cos(x)", "x + 0.2", "torch.relu(x)", "x - 0.1",
       "torch.exp(x * 0.5)", "x + 0.3", "torch.sigmoid(x)"]

def create_model(n):
    lines = ["class Generated(torch.nn.Module):", "    def forward(self, x):"]
    for k in range(n):
        lines.append(f"        x = {ops[k % len(ops)]}  # {k}")
    lines += ["        return x.sum()"]
    ns = {}
    exec("import torch\n" + "\n".join(lines), ns)
    return ns["Generated"]()

model = create_model(10)
x = torch.randn(8, 16)
with torch.no_grad():
    for _ in range(20): model(x)
    t0 = time.time()
    for _ in range(100):
        out = model(x)
    t1 = time.time()
print("mean per call [us]:", (t1 - t0) / 100 * 1e6, "value", out.item())

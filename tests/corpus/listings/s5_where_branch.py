import torch


def graph_break(cond, x, y):
    if cond.all():
        return x + y
    return x - y


def fused(cond, x, y):
    return torch.where(cond, x + y, x - y)


cond = torch.tensor([True, False])
x = torch.tensor([1.0, 2.0])
y = torch.tensor([3.0, 4.0])
print(fused(cond, x, y))
print(graph_break(cond, x, y))
compiled = torch.compile(fused, fullgraph=True)
assert torch.equal(compiled(cond, x, y), fused(cond, x, y))

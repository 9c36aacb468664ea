import torch

x = torch.tensor([1.0, -2.0], requires_grad=True)


def dynamic(x):
    return torch.where(x > 0, x * 2, x / 2)


cond = torch.tensor([True, False])
out = torch.where(cond, dynamic(x), torch.zeros(2))
print(out)
out.sum().backward()
print(x.grad)

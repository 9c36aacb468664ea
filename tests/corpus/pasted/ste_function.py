import torch
import torch.nn as nn


class BinarizeSTE(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.sign()

    @staticmethod
    def backward(ctx, grad_output):
        x, = ctx.saved_tensors
        return grad_output * (x.abs() <= 1).float()


class BinaryLinear(nn.Linear):
    def forward(self, x):
        w = BinarizeSTE.apply(self.weight)
        return x @ w.t() * self.weight.abs().mean() + self.bias


layer = BinaryLinear(12, 6)
opt = torch.optim.Adam(layer.parameters(), lr=1e-2)


def step(x, y):
    opt.zero_grad()
    loss = ((layer(x) - y) ** 2).mean()
    loss.backward()
    opt.step()
    return loss.detach()


x, y = torch.randn(10, 12), torch.randn(10, 6)
print(step(x, y).item())

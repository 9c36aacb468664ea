import torch
from torch import nn
from torch.autograd import Function


class GradReverse(Function):
    @staticmethod
    def forward(ctx, x, lambd):
        ctx.lambd = lambd
        return x.view_as(x)

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output.neg() * ctx.lambd, None


def grad_reverse(x, lambd=1.0):
    return GradReverse.apply(x, lambd)


class DANN(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(nn.Linear(16, 8), nn.Tanh())
        self.domain = nn.Linear(8, 2)

    def forward(self, x):
        return self.domain(grad_reverse(self.features(x), 0.3))


net = DANN()
x = torch.randn(5, 16)
print(net(x).shape)

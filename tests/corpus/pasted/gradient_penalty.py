import torch
import torch.nn as nn

D = nn.Sequential(nn.Linear(6, 12), nn.Tanh(), nn.Linear(12, 1))


def gradient_penalty(real, fake, eps):
    x_hat = eps * real + (1 - eps) * fake
    x_hat.requires_grad_(True)
    d = D(x_hat)
    grad = torch.autograd.grad(outputs=d, inputs=x_hat, grad_outputs=torch.ones_like(d), create_graph=True, retain_graph=True)[0]
    return ((grad.norm(2, dim=1) - 1) ** 2).mean()


real, fake, eps = torch.randn(7, 6), torch.randn(7, 6), torch.rand(7, 1)
gp = gradient_penalty(real, fake, eps)
print(gp)

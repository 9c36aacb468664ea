import math
import torch


@torch.no_grad()
def adamw(p, grad, exp_avg, exp_avg_sq, step=3, lr=1e-3, beta1=0.9, beta2=0.999, eps=1e-8, wd=0.01):
    p.mul_(1 - lr * wd)
    exp_avg.mul_(beta1).add_(grad, alpha=1 - beta1)
    exp_avg_sq.mul_(beta2).addcmul_(grad, grad, value=1 - beta2)
    denom = (exp_avg_sq.sqrt() / math.sqrt(1 - beta2 ** step)).add_(eps)
    p.addcdiv_(exp_avg, denom, value=-lr / (1 - beta1 ** step))
    return p


w, g = torch.randn(32, 16), torch.randn(32, 16)
m, v = torch.zeros(32, 16), torch.zeros(32, 16)
print(adamw(w, g, m, v).norm())
print("traffic:", 7 * w.numel() * w.element_size(), "bytes")

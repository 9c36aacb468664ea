import torch


@torch.no_grad()
def ddim_step(x_t, eps, alpha_t: float = 0.6, alpha_prev: float = 0.8, eta: float = 0.0):
    x0 = (x_t - (1 - alpha_t) ** 0.5 * eps) / alpha_t ** 0.5
    x0 = x0.clamp(-1, 1)
    sigma = eta * ((1 - alpha_prev) / (1 - alpha_t) * (1 - alpha_t / alpha_prev)) ** 0.5
    direction = (1 - alpha_prev - sigma ** 2) ** 0.5 * eps
    return alpha_prev ** 0.5 * x0 + direction


x = torch.randn(2, 3, 8, 8)
e = torch.randn(2, 3, 8, 8)
for i in range(10):
    x = ddim_step(x, e)
print(x.mean())

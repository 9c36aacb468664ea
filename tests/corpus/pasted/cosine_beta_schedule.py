import math
import torch


def cosine_beta_schedule(timesteps, s=0.008):
    steps = timesteps + 1
    x = torch.linspace(0, timesteps, steps)
    alphas_cumprod = torch.cos(((x / timesteps) + s) / (1 + s) * math.pi * 0.5) ** 2
    alphas_cumprod = alphas_cumprod / alphas_cumprod[0]
    betas = 1 - (alphas_cumprod[1:] / alphas_cumprod[:-1])
    return torch.clip(betas, 0, 0.999)


def extract(a, t, x_shape):
    b, *_ = t.shape
    out = a.gather(-1, t)
    return out.reshape(b, *((1,) * (len(x_shape) - 1)))


timesteps = 20
betas = cosine_beta_schedule(timesteps)
alphas_cumprod = torch.cumprod(1. - betas, axis=0)
sqrt_ac = torch.sqrt(alphas_cumprod)
sqrt_om = torch.sqrt(1. - alphas_cumprod)


def q_sample(x_start, t, noise):
    return extract(sqrt_ac, t, x_start.shape) * x_start + extract(sqrt_om, t, x_start.shape) * noise


x0 = torch.randn(3, 1, 4, 4)
t = torch.randint(0, timesteps, (3,)).long()
print(q_sample(x0, t, torch.randn_like(x0)).shape)

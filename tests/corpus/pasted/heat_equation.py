import torch

def laplacian(u):
    return (torch.roll(u, 1, 0) + torch.roll(u, -1, 0) + torch.roll(u, 1, 1) + torch.roll(u, -1, 1) - 4 * u)

def step(u, v, Du=0.16, Dv=0.08, F=0.060, k=0.062):
    uvv = u * v * v
    u = u + Du * laplacian(u) - uvv + F * (1 - u)
    v = v + Dv * laplacian(v) + uvv - (F + k) * v
    return u, v

n = 8
u = torch.ones(n, n)
v = torch.zeros(n, n)
u[3:5, 3:5] = 0.5
v[3:5, 3:5] = 0.25
for _ in range(100):
    u, v = step(u, v)
print(u.mean(), v.mean())

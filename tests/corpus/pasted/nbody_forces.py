import torch


def accelerations(pos, mass, G: float = 1.0, softening: float = 0.1):
    dx = pos[None, :, :] - pos[:, None, :]
    inv_r3 = (dx.pow(2).sum(-1) + softening ** 2) ** -1.5
    return G * torch.einsum("ijk,ij,j->ik", dx, inv_r3, mass)


def leapfrog(pos, vel, mass, dt: float = 0.01, steps: int = 3):
    acc = accelerations(pos, mass)
    for _ in range(steps):
        vel = vel + acc * dt / 2
        pos = pos + vel * dt
        acc = accelerations(pos, mass)
        vel = vel + acc * dt / 2
    return pos, vel


N = 6
pos, vel, mass = torch.randn(N, 3), torch.randn(N, 3), torch.rand(N)
p, v = leapfrog(pos, vel, mass)
print("momentum", (mass[:, None] * v).sum(0))

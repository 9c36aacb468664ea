import torch


def lamb_step(w, g, m, v, lr: float = 0.01):
    m = 0.9 * m + 0.1 * g
    v = 0.999 * v + 0.001 * g * g
    r = m / (torch.sqrt(v) + 1e-6) + 0.01 * w
    wn = w.norm(p=2)
    rn = r.norm(p=2)
    trust = torch.where(wn > 0, torch.where(rn > 0, wn / rn, torch.ones_like(wn)), torch.ones_like(wn))
    return w - lr * trust * r, m, v


if __name__ == "__main__":
    w, g, m, v = (torch.rand(10, 4) for _ in range(4))
    w2, m2, v2 = lamb_step(w, g, m, v)
    print((w2 - w).abs().max().item())

import torch


def clip_grads(g1, g2, g3, max_norm: float = 1.0):
    grads = [g1, g2, g3]
    total = torch.norm(torch.stack([torch.norm(g.detach(), 2.0) for g in grads]), 2.0)
    coef = max_norm / (total + 1e-6)
    coef = torch.clamp(coef, max=1.0)
    return [g.mul(coef.to(g.device)) for g in grads], total


gs = [torch.randn(4, 4), torch.randn(4), torch.randn(2, 4)]
clipped, total = clip_grads(*gs)
print(total, [c.norm().item() for c in clipped])

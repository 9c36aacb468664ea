import torch


class MinP:
    def __init__(self, p_base=0.1, temperature=0.7):
        self.p_base = p_base
        self.temperature = temperature

    def __call__(self, logits):
        logits = logits / self.temperature
        probs = logits.softmax(dim=-1)
        top = probs.max(dim=-1, keepdim=True).values
        keep = probs >= self.p_base * top
        probs = torch.where(keep, probs, torch.zeros_like(probs))
        return probs / probs.sum(dim=-1, keepdim=True)


sampler = MinP(0.2)
x = torch.randn(4, 20)
p = sampler(x)
print((p > 0).sum(-1))

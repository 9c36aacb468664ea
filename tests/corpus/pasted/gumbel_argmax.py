import torch


def gumbel_pick(logits, noise, tau: float = 1.0):
    # noise ~ U(0, 1), made outside to be reproducible
    g = -torch.log(-torch.log(noise.clamp(1e-6, 1 - 1e-6)))
    y_soft = ((logits + g) / tau).softmax(-1)
    index = y_soft.argmax(-1, keepdim=True)
    y_hard = torch.zeros_like(logits).scatter_(-1, index, 1.0)
    return y_hard - y_soft.detach() + y_soft


logits = torch.randn(5, 7)
noise = torch.rand(5, 7)
sample = gumbel_pick(logits, noise)
assert torch.allclose(sample.sum(-1), torch.ones(5), atol=1e-4)

# inputs: x (3, 8), y (3, 8)
# accepted: yes
import torch


def log_beta(a, b):
    return torch.lgamma(a) + torch.lgamma(b) - torch.lgamma(a + b)


def f(x, y):
    a, b = x.abs() + 0.3, y.abs() + 0.7
    uniform = (torch.sigmoid(x) - 0.5) * 1.98
    normal = torch.erfinv(uniform) * 2 ** 0.5
    entropy = log_beta(a, b) - (a - 1) * torch.digamma(a) - (b - 1) * b.digamma() + (a + b - 2) * torch.special.psi(a + b)
    return (
        normal,
        torch.special.erfinv(uniform),
        entropy,
        torch.special.gammaln(x - 0.4),
        torch.special.digamma(y - 0.4),
        torch.polygamma(0, b),
        x.clone().lgamma_(),
        torch.mvlgamma(a + 2, 3) + torch.special.multigammaln(b + 1, 2),
        torch.special.entr(x + 1),
        torch.special.ndtr(y * 2),
    )

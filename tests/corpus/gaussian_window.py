# inputs: x (5, 9)
# accepted: yes
import torch


def gaussian_window(x, sigma=1.5):
    n = x.shape[-1]
    t = torch.arange(n, dtype=torch.float32) - (n - 1) / 2
    window = torch.exp(-0.5 * (t / sigma) ** 2)
    window = window / window.sum()
    return (x * window).sum(dim=-1, keepdim=True)

# inputs: x (6, 20)
# accepted: yes
import torch


class PercentileQuantizer:
    def __init__(self, bits=8, percentile=0.95):
        self.qmax = 2 ** (bits - 1) - 1
        self.percentile = percentile

    def __call__(self, x):
        bound = torch.quantile(x.abs(), self.percentile, dim=1, keepdim=True)
        scale = bound.clamp(min=1e-8) / self.qmax
        q = torch.clamp(torch.round(x / scale), -self.qmax - 1, self.qmax)
        return q * scale, (x - q * scale).pow(2).mean().sqrt()

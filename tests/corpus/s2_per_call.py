# inputs: x (1, 3, 16, 16)
# accepted: yes
import torch


class Normalize:
    def __init__(self, mean=(0.485, 0.456, 0.406), std=(0.229, 0.224, 0.225)):
        self.mean = list(mean)
        self.std = list(std)

    def __call__(self, x):
        if any(s == 0 for s in self.std):
            raise ValueError(f"std has a zero: {self.std}")
        mean = torch.tensor(self.mean, dtype=x.dtype, device=x.device)
        std = torch.tensor(self.std, dtype=x.dtype, device=x.device)
        return normalize(x, mean, std)


def normalize(x, mean, std):
    return (x - mean.view(-1, 1, 1)) / std.view(-1, 1, 1)

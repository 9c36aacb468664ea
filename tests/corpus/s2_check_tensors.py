# inputs: x (2, 3, 8, 8)
# accepted: yes
import torch


class Normalize:
    def __init__(self, mean, std):
        self.mean = mean
        self.std = std

    def __call__(self, x):
        mean = torch.as_tensor(self.mean, dtype=x.dtype, device=x.device)
        std = torch.as_tensor(self.std, dtype=x.dtype, device=x.device)
        if (std == 0).any():
            raise ValueError(f"std evaluated to zero: {self.std}")
        if mean.ndim == 1:
            mean = mean.view(-1, 1, 1)
        if std.ndim == 1:
            std = std.view(-1, 1, 1)
        return x.sub(mean).div(std)


normalize = Normalize([0.485, 0.456, 0.406], [0.229, 0.224, 0.225])


def f(x):
    return normalize(x)

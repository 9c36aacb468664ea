import torch
import torch.nn as nn
import torch.nn.functional as F


class Ops:
    @staticmethod
    def inplace_normalize(x: torch.Tensor) -> torch.Tensor:
        mean = x.mean(dim=1, keepdim=True)
        std = x.std(dim=1, keepdim=True)
        x.sub_(mean).div_(std)
        return x

    @staticmethod
    def normalize(x: torch.Tensor) -> torch.Tensor:
        return (x - x.mean(1, keepdim=True)) / x.std(1, keepdim=True)


def peak(fn, *args):
    if torch.cuda.is_available():
        torch.cuda.empty_cache()
        torch.cuda.reset_peak_memory_stats()
        fn(*args)
        return torch.cuda.max_memory_allocated() / 1024 ** 2
    fn(*args)
    return 0.0


data = torch.randn(32, 20)
print("out of place:", peak(Ops.normalize, data.clone()), "MB")
print("in place:    ", peak(Ops.inplace_normalize, data.clone()), "MB")

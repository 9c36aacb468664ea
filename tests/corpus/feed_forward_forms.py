# inputs: x (4, 6)
# accepted: yes
from __future__ import annotations
from collections import OrderedDict
from functools import partial
from typing import Callable, Dict, List, Optional, Sequence, Union

import torch
import torch.nn as nn
import torch.nn.functional as F

EPS: float = 1e-6
ACT2FN: Dict[str, Callable] = {"gelu": F.gelu, "relu": F.relu, "silu": F.silu, "gelu_new": lambda t: F.gelu(t, approximate="tanh")}


def exists(val):
    return val is not None


def default(val, d):
    return val if exists(val) else (d() if callable(d) else d)


class Base(nn.Module):
    expansion: int = 2

    def __init__(self, dim: int = 6, hidden: Optional[int] = None, act: str = "gelu", **kwargs):
        super().__init__()
        hidden = default(hidden, lambda: dim * self.expansion)
        self.net = nn.Sequential(OrderedDict([
            ("fc1", nn.Linear(dim, hidden, **kwargs)),
            ("fc2", nn.Linear(hidden, dim)),
        ]))
        self.act = ACT2FN[act]
        self.norms = nn.ModuleList(nn.LayerNorm(dim, eps=EPS) for _ in range(2))

    @property
    def width(self) -> int:
        return self.net.fc2.weight.shape[1]

    @staticmethod
    def scale(t: torch.Tensor, by: Union[int, float] = 1.0) -> torch.Tensor:
        return t * by

    def forward(self, x: torch.Tensor, *, residual: bool = True) -> torch.Tensor:
        """Feed forward."""
        *lead, d = x.shape
        assert d == self.net.fc1.in_features, f"expected {self.net.fc1.in_features}, got {d}"
        y = x
        for i, norm in enumerate(self.norms):
            if i % 2 == 0:
                y = norm(y)
            else:
                y = self.act(self.net.fc1(y))
                y = norm(self.net.fc2(y))
        y = self.scale(y, by=1 / self.width)
        y = y.view(*lead, d)
        return y + x if residual else y

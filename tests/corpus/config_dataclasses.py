# inputs: x (4, 8)
# accepted: yes
import dataclasses
from dataclasses import dataclass, field, asdict, replace
from typing import ClassVar, Optional, List

import torch
import torch.nn as nn


@dataclass
class BaseConfig:
    dim: int
    kind: ClassVar[str] = "mlp"
    dropout: float = 0.0
    sizes: List[int] = field(default_factory=lambda: [8, 16])

    def __post_init__(self):
        self.hidden = self.dim * 2


@dataclass
class Config(BaseConfig):
    bias: bool = True
    scale: float = field(default=0.5)
    names: dict = field(default_factory=dict, repr=False)
    last: Optional[int] = field(init=False, default=None)

    def __post_init__(self):
        super().__post_init__()
        self.last = self.sizes[-1] if self.last is None else self.last


@dataclass(frozen=True, kw_only=True)
class Head:
    width: int
    count: int = 2

    @property
    def total(self):
        return self.width * self.count


@dataclasses.dataclass(frozen=True)
class Normed:
    eps: float
    both: float = dataclasses.field(init=False)

    def __post_init__(self):
        object.__setattr__(self, "both", 2 * self.eps)


class Net(nn.Module):
    def __init__(self, config, head, normed):
        super().__init__()
        assert config.hidden == 2 * config.dim and config.last == 16
        self.config = config
        self.first = nn.Linear(config.dim, config.hidden, bias=config.bias)
        self.second = nn.Linear(config.hidden, head.total)
        self.norm = nn.LayerNorm(head.total, eps=normed.both)

    def forward(self, x):
        y = torch.relu(self.first(x)) * self.config.scale
        return self.norm(self.second(y)) if self.config.kind == "mlp" else y


config = Config(8, 0.1, scale=0.25)
wide = replace(config, bias=False, sizes=[4, 16])
assert wide == Config(**{k: v for k, v in asdict(wide).items() if k != "last"}) and wide != config
model = Net(wide, Head(width=3), Normed(1e-3))

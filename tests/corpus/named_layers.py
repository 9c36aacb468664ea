# inputs: x (4, 6)
# accepted: yes
import torch
import torch.nn as nn


class Named(nn.Module):
    def __init__(self):
        super().__init__()
        for i in range(2):
            self.add_module("up_{}".format(i), nn.Linear(6, 6))
            setattr(self, "down%02d" % i, nn.Linear(6, 6))
            setattr(self, f"scale{i:03d}", nn.Parameter(torch.ones(6) * (i + 1)))
        self.norms = nn.ModuleDict({"first": nn.LayerNorm(6), "last": nn.LayerNorm(6)})
        self.apply(self.start)
        for name, p in self.named_parameters():
            if name.endswith("up_1.bias"):
                nn.init.constant_(p, 0.25)

    @staticmethod
    def start(module):
        if isinstance(module, nn.Linear):
            nn.init.kaiming_normal_(module.weight, mode="fan_out", nonlinearity="relu")
            nn.init.zeros_(module.bias)

    def forward(self, x):
        for i in range(2):
            x = x + torch.tanh(getattr(self, "up_%d" % i)(x)) * getattr(self, "scale{:03d}".format(i))
            x = getattr(self, f"down{i:02}")(x)
        by_length = sorted(["first", "last"], key=len, reverse=True)
        for name in by_length:
            x = self.norms[name](x) + self.norms.last(x)
        widest = max([(2, "a"), (5, "b")], key=lambda pair: pair[0])[0]
        return x * widest, sum(p.numel() for p in self.parameters()) * x.mean()

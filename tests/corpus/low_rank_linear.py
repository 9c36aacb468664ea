# inputs: x (3, 8)
# accepted: yes
import math
import torch
import torch.nn as nn
import torch.nn.functional as F


class LoRALinear(nn.Linear):
    def __init__(self, in_features, out_features, r=2, lora_alpha=4, **kwargs):
        super().__init__(in_features, out_features, **kwargs)
        self.r = r
        self.lora_A = nn.Parameter(self.weight.new_zeros((r, in_features)))
        self.lora_B = nn.Parameter(self.weight.new_zeros((out_features, r)))
        self.scaling = lora_alpha / r
        self.weight.requires_grad = False
        self.reset()

    def reset(self):
        nn.init.kaiming_uniform_(self.lora_A, a=math.sqrt(5))
        nn.init.ones_(self.lora_B)

    def forward(self, x):
        result = F.linear(x, self.weight, bias=self.bias)
        if self.r > 0:
            result += (x @ self.lora_A.T @ self.lora_B.T) * self.scaling
        return result


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(LoRALinear(8, 6, bias=False), nn.Tanh(), LoRALinear(6, 4, r=1))

    def forward(self, x):
        return self.layers(x)

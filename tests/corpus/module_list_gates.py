# inputs: x (4, 8)
# accepted: yes
import torch
import torch.nn as nn
import torch.nn.functional as F


class Gate(nn.Module):
    def __init__(self, n, scale):
        super().__init__()
        self.bias = nn.Parameter(torch.zeros(n) + scale)

    def forward(self, x):
        return x * torch.sigmoid(x + self.bias)


class Stack(nn.Module):
    def __init__(self, n: int = 8, depth: int = 3):
        super().__init__()
        self.gates = nn.ModuleList([Gate(n, 0.1 * i) for i in range(depth)])

    def forward(self, x):
        for i, gate in enumerate(self.gates):
            x = gate(x) if i == 0 else x + gate(x)
        return x

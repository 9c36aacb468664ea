# inputs: x (4, 12)
# accepted: yes
import torch
import torch.nn as nn
import torch.nn.functional as F


class Gate(nn.Module):
    def __init__(self, width=6):
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.glu = nn.GLU(dim=-1)

    def forward(self, x):
        return self.norm(self.glu(x)) + F.glu(torch.tanh(x), dim=-1)

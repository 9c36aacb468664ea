# inputs: x (3, 4), y (3, 4)
# accepted: yes
import torch
import torch.nn as nn


class Rotation(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(4, dtype=torch.cfloat))
        self.register_buffer("shift", torch.zeros(4, dtype=torch.complex64))

    def forward(self, z):
        return self.weight * z + self.shift


rotation = Rotation()


def f(x, y):
    z = torch.zeros(3, 4, dtype=torch.cfloat)
    z[:, 0] = torch.complex(x, y)[:, 1]
    z += 1
    other = z
    other *= torch.exp(1j * x)
    wave = (x + 2j * y).abs()
    plain = x.to(torch.complex64) * torch.polar(torch.ones_like(y), y)
    turned = rotation(torch.complex(x, y))
    like = torch.zeros_like(turned)
    like[0] = turned[0] * 2
    return torch.view_as_real(z), wave, plain.imag, torch.view_as_real(like), abs(torch.eye(3, dtype=torch.cfloat) @ z)

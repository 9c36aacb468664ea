# inputs: x (4, 6), y (4, 6), z (3, 4, 4)
# accepted: yes
import torch
import torch.nn.functional as F


def rarer(x, y, z):
    low, high = torch.aminmax(x, dim=1, keepdim=True)
    scaled = torch.ldexp((x - low) / (high - low).clamp_min(torch.finfo(x.dtype).eps), torch.tensor(2))
    same = torch.isclose(x, y, rtol=0.1, atol=0.5).float() + torch.isclose(x.long(), y.long()).float()
    powers = torch.float_power(x.abs(), 1.5) + torch.logcumsumexp(x, dim=1)
    outer = torch.ger(x[0], y[1]) + torch.vdot(x[0], y[0])
    short = torch.renorm(x, p=2, dim=0, maxnorm=1.0)
    turned = torch.rot90(z, 1, (1, 2)) + torch.rot90(z, -1, [1, 2]) + torch.matrix_power(z, 3) + z.adjoint()
    left, right = torch.hsplit(x, 2)
    first, rest = x.vsplit([1])
    blocks = torch.block_diag(left, right, first)
    a = torch.select_scatter(x, y[:, 0], 1, 2)
    b = torch.slice_scatter(x, y[:, 1:5:2], dim=1, start=1, end=5, step=2)
    c = torch.diagonal_scatter(z[0], x[0, :4])
    made = torch.einsum("bij,jk,k->bi", z, y[:, :4], x[0, :4]) + torch.einsum("bij->b", z).unsqueeze(1)
    return scaled, same, powers, outer, short, turned, blocks, rest, a + b, c, made, torch.einsum("bij->jb", z)



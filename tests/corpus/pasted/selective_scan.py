import torch
import torch.nn.functional as F


def selective_scan_ref(u, delta, A, B, C, D):
    """u: (b, d, l)  delta: (b, d, l)  A: (d, n)  B, C: (b, n, l)  D: (d,)"""
    delta = F.softplus(delta)
    batch, dim, dstate = u.shape[0], A.shape[0], A.shape[1]
    x = A.new_zeros((batch, dim, dstate))
    ys = []
    deltaA = torch.exp(torch.einsum("bdl,dn->bdln", delta, A))
    deltaB_u = torch.einsum("bdl,bnl,bdl->bdln", delta, B, u)
    for i in range(u.shape[2]):
        x = deltaA[:, :, i] * x + deltaB_u[:, :, i]
        y = torch.einsum("bdn,bn->bd", x, C[:, :, i])
        ys.append(y)
    y = torch.stack(ys, dim=2)
    return y + u * D[:, None]


b, d, l, n = 1, 4, 5, 3
u, delta = torch.randn(b, d, l), torch.randn(b, d, l)
A = -torch.rand(d, n)
B, C = torch.randn(b, n, l), torch.randn(b, n, l)
D = torch.ones(d)
out = selective_scan_ref(u, delta, A, B, C, D)
print(out.shape)

# inputs: u (2, 5, 4), delta (2, 5, 4), A (4, 3), B (2, 5, 3), C (2, 5, 3), D (4,)
# accepted: yes
import torch
import torch.nn.functional as F


def selective_scan(u, delta, A, B, C, D, z=None, delta_softplus=True, return_last_state=False):
    if delta_softplus:
        delta = F.softplus(delta)
    batch, length, dim = u.shape
    n = A.shape[1]
    x = A.new_zeros((batch, dim, n))
    deltaA = torch.exp(torch.einsum("bld,dn->bldn", delta, -A.abs()))
    deltaB_u = torch.einsum("bld,bln,bld->bldn", delta, B, u)
    ys = []
    for i in range(length):
        x = deltaA[:, i] * x + deltaB_u[:, i]
        y = torch.einsum("bdn,bn->bd", x, C[:, i, :])
        ys.append(y)
    y = torch.stack(ys, dim=1)
    out = y + u * D
    out = out if z is None else out * F.silu(z)
    return out if not return_last_state else (out, x)

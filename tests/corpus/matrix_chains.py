# inputs: a (3, 4), b (4, 6), c (6, 2), v (3,), u (5, 3), w (5, 3)
# accepted: yes
import torch
import torch.nn.functional as F


def f(a, b, c, v, u, w):
    return (
        torch.linalg.multi_dot([a, b, c]),
        torch.linalg.multi_dot((v, a, b)),
        torch.chain_matmul(a, b, c),
        torch.linalg.vecdot(u, w),
        torch.linalg.cross(u, w),
        torch.linalg.matrix_norm(a),
        torch.linalg.matrix_norm(a, ord=1),
        torch.linalg.matrix_norm(b, float('inf'), keepdim=True),
        torch.linalg.norm(a, ord=-1),
        F.pdist(u),
        F.pdist(u, p=1.0),
        torch.linalg.diagonal(b, offset=1),
    )

# inputs: a (3, 1), b (4,), c (2, 3), v (5,), w (3,)
# accepted: yes
import torch


def f(a, b, c, v, w):
    wide, long = torch.broadcast_tensors(a, b)
    zeros = torch.zeros(torch.broadcast_shapes((3, 1), (4,), 1))
    return (
        wide * long + zeros,
        torch.row_stack([w, w]),
        torch.column_stack([w, w * 2, a]),
        torch.dstack([c, c + 1]),
        torch.atleast_3d(w),
        torch.atleast_2d(w, c)[1],
        torch.diagflat(w, 1),
        torch.cartesian_prod(w, b),
        torch.combinations(w, 2, with_replacement=True),
        torch.combinations(v, r=3),
        torch.vander(w),
        torch.vander(w, 4, increasing=True),
        torch.nn.utils.parameters_to_vector([a, c]),
    )

# SPDX-License-Identifier: GPL-3.0-or-later
# More norms and products of vectors and matrices.

def _linalg_vecdot(x, y, *, dim=-1):
    return torch.sum(x * y, dim=dim)

def _linalg_cross(input, other, *, dim=-1):
    return torch.cross(input, other, dim=dim)

def _linalg_diagonal(A, *, offset=0, dim1=-2, dim2=-1):
    return torch.diagonal(A, offset, dim1, dim2)

def _linalg_vander(x, *, N=None):
    count = x.shape[-1] if N is None else N
    return x.unsqueeze(-1) ** torch.arange(count)

def _linalg_matrix_norm(A, ord='fro', dim=(-2, -1), keepdim=False, *, dtype=None):
    assert ord in ('fro', 1, -1, math.inf, -math.inf), "ord of matrix_norm is 'fro', 1, -1, inf or -inf: the others need singular values, which are factorizations"
    if dtype is not None:
        A = A.to(dtype)
    if ord == 'fro':
        return torch.norm(A, 2, dim=dim, keepdim=keepdim)
    first = dim[0] % A.dim()
    second = dim[1] % A.dim()
    summed = first if ord in (1, -1) else second
    kept = second if ord in (1, -1) else first
    sums = torch.sum(torch.abs(A), dim=summed, keepdim=True)
    made = torch.amax(sums, kept, True) if ord > 0 else torch.amin(sums, kept, True)
    return made if keepdim else made.squeeze(max(first, second)).squeeze(min(first, second))

def _cheapest_split(sizes):
    # Where to split each run of matrices for the fewest multiplications; matrix i has sizes[i] rows and
    # sizes[i + 1] columns. Cormen et al., Introduction to Algorithms, 15.2.
    count = len(sizes) - 1
    costs = [[0] * count for i in range(count)]
    splits = [[0] * count for i in range(count)]
    for length in range(1, count):
        for first in range(count - length):
            last = first + length
            best = None
            for split in range(first, last):
                cost = costs[first][split] + costs[split + 1][last] + sizes[first] * sizes[split + 1] * sizes[last + 1]
                if best is None or cost < best:
                    best = cost
                    splits[first][last] = split
            costs[first][last] = best
    return splits

def _product_of_run(matrices, splits, first, last):
    if first == last:
        return matrices[first]
    split = splits[first][last]
    return torch.mm(_product_of_run(matrices, splits, first, split), _product_of_run(matrices, splits, split + 1, last))

def _linalg_multi_dot(tensors):
    matrices = list(tensors)
    assert len(matrices) > 1, "multi_dot takes 2 tensors or more"
    row = matrices[0].dim() == 1
    column = matrices[-1].dim() == 1
    if row:
        matrices[0] = matrices[0].unsqueeze(0)
    if column:
        matrices[-1] = matrices[-1].unsqueeze(-1)
    sizes = [matrices[0].shape[0]] + [matrix.shape[1] for matrix in matrices]
    made = _product_of_run(matrices, _cheapest_split(sizes), 0, len(matrices) - 1)
    if column:
        made = made.squeeze(-1)
    return made.squeeze(0) if row else made

def chain_matmul(*matrices):
    return matrices[0] if len(matrices) == 1 else _linalg_multi_dot(matrices)

def pdist(input, p=2.0):
    assert input.dim() == 2, "pdist takes a tensor of 2 dimensions"
    chosen = _choices(input.shape[0], 2, False)
    if len(chosen) == 0:
        return input.new_empty((0,))
    first = torch.tensor([pair[0] for pair in chosen])
    second = torch.tensor([pair[1] for pair in chosen])
    return torch.norm(torch.index_select(input, 0, first) - torch.index_select(input, 0, second), p, dim=-1)

# SPDX-License-Identifier: GPL-3.0-or-later
# What several tensors or sizes make together: broadcasts, stacks, products of sets.

def broadcast_shapes(*shapes):
    lists = [[shape] if isinstance(shape, int) else list(shape) for shape in shapes]
    rank = max([len(shape) for shape in lists]) if len(lists) > 0 else 0
    result = []
    for place in range(-rank, 0):
        extent = 1
        for shape in lists:
            if -place <= len(shape) and shape[place] != 1:
                assert extent == 1 or extent == shape[place], "the shapes of broadcast_shapes do not fit: counted from the last, extents must be equal or 1"
                extent = shape[place]
        result.append(extent)
    return torch.Size(result)

def broadcast_tensors(*tensors):
    if len(tensors) == 1 and isinstance(tensors[0], (tuple, list)):
        tensors = tensors[0]
    shape = broadcast_shapes(*[tensor.shape for tensor in tensors])
    return tuple([tensor.expand(shape) for tensor in tensors])

def _at_least(tensors, rank):
    if len(tensors) == 1 and isinstance(tensors[0], (tuple, list)):
        tensors = tensors[0]
    made = []
    for tensor in tensors:
        if tensor.dim() == 0:
            tensor = tensor.reshape([1] * rank)
        elif tensor.dim() == 1 and rank > 1:
            tensor = tensor.unsqueeze(0)
        if tensor.dim() == 2 and rank == 3:
            tensor = tensor.unsqueeze(-1)
        made.append(tensor)
    return made

def atleast_1d(*tensors):
    made = _at_least(tensors, 1)
    return made[0] if len(tensors) == 1 and torch.is_tensor(tensors[0]) else tuple(made)

def atleast_2d(*tensors):
    made = _at_least(tensors, 2)
    return made[0] if len(tensors) == 1 and torch.is_tensor(tensors[0]) else tuple(made)

def atleast_3d(*tensors):
    made = _at_least(tensors, 3)
    return made[0] if len(tensors) == 1 and torch.is_tensor(tensors[0]) else tuple(made)

def row_stack(tensors):
    return torch.cat(_at_least(tensors, 2), 0)

def column_stack(tensors):
    return torch.cat([t.reshape(-1, 1) if t.dim() < 2 else t for t in tensors], 1)

def dstack(tensors):
    return torch.cat(_at_least(tensors, 3), 2)

def diagflat(input, offset=0):
    return torch.diag_embed(input.flatten(), offset)

def cartesian_prod(*tensors):
    for tensor in tensors:
        assert tensor.dim() == 1, "cartesian_prod takes tensors of 1 dimension"
    if len(tensors) == 1:
        return tensors[0]
    return torch.stack([grid.flatten() for grid in meshgrid(*tensors)], -1)

def _choices(count, r, with_replacement):
    found = [[]]
    for i in range(r):
        longer = []
        for chosen in found:
            first = 0 if len(chosen) == 0 else chosen[-1] + (0 if with_replacement else 1)
            for place in range(first, count):
                longer.append(chosen + [place])
        found = longer
    return found

def combinations(input, r=2, with_replacement=False):
    assert input.dim() == 1, "combinations takes a tensor of 1 dimension"
    assert r >= 0, "r of combinations is 0 or more"
    if r == 0:
        return input.new_empty((0,))
    chosen = _choices(input.shape[0], r, with_replacement)
    if len(chosen) == 0:
        return input.new_empty((0, r))
    places = torch.tensor([place for each in chosen for place in each])
    return torch.index_select(input, 0, places).reshape(len(chosen), r)

def vander(x, N=None, *, increasing=False):
    assert x.dim() == 1, "vander takes a tensor of 1 dimension"
    count = x.shape[0] if N is None else N
    powers = torch.arange(count)
    return x.unsqueeze(-1) ** (powers if increasing else count - 1 - powers)

def unravel_index(indices, shape):
    sizes = [shape] if isinstance(shape, int) else list(shape)
    found = []
    for size in reversed(sizes):
        found.append(indices % size)
        indices = torch.div(indices, size, rounding_mode='floor')
    return tuple(reversed(found))

def _parameters_to_vector(parameters):
    return torch.cat([each.reshape(-1) for each in parameters])

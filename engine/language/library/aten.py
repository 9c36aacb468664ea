# SPDX-License-Identifier: GPL-3.0-or-later
# What ATen's operations are that are several rows: pointwise ones, views, copies and indices. The table is in
# engine/language/aten.

def _aten_end(end):
    return None if end is None or end > 4611686018427387904 else end

def _aten_dim(dim, input):
    return dim if dim >= 0 else dim + input.dim()

def _aten_slice(input, dim, start, end, step):
    index = [slice(None)] * _aten_dim(dim, input)
    index.append(slice(start, _aten_end(end), step))
    return input[tuple(index)]

def _aten_squeeze(input, dims):
    rank = input.dim()
    for dim in sorted([d if d >= 0 else d + rank for d in dims], reverse=True):
        input = torch.squeeze(input, dim)
    return input

def _aten_index(input, indices):
    return input[tuple([slice(None) if index is None else index for index in indices])]

def _aten_index_put_(input, indices, values, accumulate):
    given = [index for index in indices if index is not None]
    first = 0
    while indices[first] is None:
        first = first + 1
    for i in range(len(given)):
        assert indices[first + i] is not None, "the indices of index_put stand side by side"
    if len(given) == 1 and given[0].dtype == torch.bool:
        assert not accumulate, "index_put by a mask is there without accumulate"
        mask = given[0]
        assert values.numel() == 1 or mask.dim() + first < input.dim(), "how many values index_put writes depends on the mask: write torch.where(mask, values, x)"
        for i in range(input.dim() - first - mask.dim()):
            mask = mask.unsqueeze(-1)
        return input.copy_(torch.where(mask, values.to(input.dtype), input))
    place = given[0] if len(given) == 1 else _merged_place(input, first, given)
    return input._put_by_index(first, place, values, accumulate, len(given))

def _aten_clone(input, memory_format):
    return input.clone() if memory_format is None else input.clone(memory_format=memory_format)

def _aten_formatted(input, memory_format):
    return input if memory_format is None else input.contiguous(memory_format=memory_format)

def _aten_to_copy(input, dtype, memory_format):
    if dtype is None or dtype == input.dtype:
        return _aten_clone(input, memory_format)
    return _aten_formatted(input.to(dtype), memory_format)

def _aten_to(input, dtype, copy, memory_format):
    if copy:
        return _aten_to_copy(input, dtype, memory_format)
    return _aten_formatted(input if dtype is None else input.to(dtype), memory_format)

def _aten_round(input, decimals):
    if decimals >= 0:
        return torch.round(input * 10 ** decimals) / 10 ** decimals
    return torch.round(input / 10 ** -decimals) * 10 ** -decimals

def _aten_elu(input, alpha, scale, input_scale):
    if scale == 1 and input_scale == 1:
        return F.elu(input, alpha)
    return torch.where(input > 0, input * scale, torch.expm1(input * input_scale) * (alpha * scale))

def _aten_over_dims(reduce, input, dims, keepdim):
    if dims is None:
        dims = list(range(input.dim()))
    for dim in sorted([_aten_dim(dim, input) for dim in dims], reverse=True):
        input = reduce(input, dim, keepdim)
    return input

def _aten_diag_embed(input, offset, dim1, dim2):
    rank = input.dim() + 1
    extent = input.shape[-1] + abs(offset)
    rows = torch.arange(extent).unsqueeze(1)
    columns = torch.arange(extent)
    sides = [offset, 0] if offset >= 0 else [0, -offset]
    values = F.pad(input, sides).unsqueeze(-2)
    made = torch.where(columns - rows == offset, values, torch.zeros((), dtype=input.dtype))
    return made.movedim((-2, -1), (dim1 if dim1 >= 0 else dim1 + rank, dim2 if dim2 >= 0 else dim2 + rank))

def _aten_joined(input, before, after, dim):
    if before is None and after is None:
        return input
    return torch.cat([each for each in (before, input, after) if each is not None], dim)

def _aten_var_mean(input, dim, correction, keepdim):
    return torch.var_mean(input, dim, correction=1 if correction is None else correction, keepdim=keepdim)

def _aten_std_mean(input, dim, correction, keepdim):
    return torch.std_mean(input, dim, correction=1 if correction is None else correction, keepdim=keepdim)

def _aten_like(input, value):
    return value.to(input.dtype).expand(input.shape).clone()

def _aten_embedding(weight, indices, padding_idx):
    if padding_idx < 0 or not weight.requires_grad:
        return torch.embedding(weight, indices)
    return F.embedding(indices, weight, padding_idx)

def _aten_as_strided(input, size, stride, storage_offset):
    place = torch.full((), 0 if storage_offset is None else storage_offset, dtype=torch.int64)
    for extent, step in zip(size, stride):
        place = place.unsqueeze(-1) + torch.arange(extent) * step
    return input.reshape(-1)[place]

def _aten_masked_scatter(input, mask, source):
    mask = mask.expand(input.shape)
    place = torch.cumsum(mask.reshape(-1).long(), 0) - 1
    picked = source.reshape(-1)[torch.clamp(place, min=0)].view(input.shape)
    return torch.where(mask, picked, input)

def _aten_stride(input, dim):
    result = 1
    for d in range(_aten_dim(dim, input) + 1, input.dim()):
        result = result * input.shape[d]
    return result

def _aten_grouped_mm(input, weight, offs, bias):
    assert bias is None, "_grouped_mm takes no bias"
    if offs is None:
        assert input.dim() == 3 and weight.dim() == 3, "_grouped_mm without offs multiplies batches"
        return torch.bmm(input, weight)
    assert input.dim() == 2 and weight.dim() == 3, "_grouped_mm is there for rows (S, in) and weights (groups, in, out)"
    # Which rows a group has is data: every group is multiplied with all rows, and each row takes its own group's.
    group = (torch.arange(input.shape[0]).unsqueeze(1) >= offs).long().sum(1, keepdim=True)
    result = torch.zeros(input.shape[0], weight.shape[2], dtype=input.dtype)
    for i in range(weight.shape[0]):
        result = torch.where(group == i, input @ weight[i], result)
    return result

# SPDX-License-Identifier: GPL-3.0-or-later
# Functions that move elements or join tensors.

def pad(input, pad, mode='constant', value=None):
    count = len(pad) // 2
    rank = input.dim()
    assert len(pad) == 2 * count and count <= rank, "pad has two numbers for each dimension from the last one on"
    if mode == 'constant':
        shape = list(input.shape)
        for i in range(count):
            dim = rank - 1 - i
            shape[dim] = shape[dim] + pad[2 * i] + pad[2 * i + 1]
        whole = input.new_full(shape, 0 if value is None else value)
        part = whole
        for i in range(count):
            dim = rank - 1 - i
            first = max(-pad[2 * i], 0)
            extent = input.shape[dim] - first - max(-pad[2 * i + 1], 0)
            if first > 0 or pad[2 * i + 1] < 0:
                input = torch.narrow(input, dim, first, extent)
            if pad[2 * i] > 0 or pad[2 * i + 1] > 0:
                part = torch.narrow(part, dim, max(pad[2 * i], 0), extent)
        part.copy_(input)
        return whole
    assert mode in ('reflect', 'replicate', 'circular'), "mode of pad is 'constant', 'reflect', 'replicate' or 'circular'"
    assert rank == count + 1 or rank == count + 2, "pad in mode reflect, replicate or circular goes along all dimensions but one or two, as PyTorch's"
    for i in range(count):
        before = pad[2 * i]
        after = pad[2 * i + 1]
        dim = rank - 1 - i
        extent = input.shape[dim]
        if before != 0 or after != 0:
            place = torch.arange(-before, extent + after)
            if mode == 'reflect':
                assert before < extent and after < extent, "in mode reflect each number of pad is less than the dimension's extent"
                place = (extent - 1) - torch.abs((extent - 1) - torch.abs(place))
            elif mode == 'replicate':
                place = (place + torch.abs(place)) // 2
                left = (extent - 1) - place
                place = (extent - 1) - (left + torch.abs(left)) // 2
            else:
                assert before <= extent and after <= extent, "in mode circular each number of pad is at most the dimension's extent"
                place = place % extent
            input = torch.index_select(input, dim, place)
    return input

def take_along_dim(input, indices, dim=None):
    if dim is None:
        return torch.gather(input.reshape(-1), 0, indices.reshape(-1))
    along = dim if dim >= 0 else dim + input.ndim
    sizes = [i if d == along or i != 1 else j for d, (i, j) in enumerate(zip(input.shape, indices.shape))]
    counts = [j if d == along or j != 1 else i for d, (i, j) in enumerate(zip(input.shape, indices.shape))]
    # PyTorch takes the remainder, so that every integer is a place.
    places = indices if input.shape[along] == 0 else indices % input.shape[along]
    return torch.gather(input.expand(sizes), along, places.expand(counts))

def chunk(input, chunks, dim=0):
    extent = input.shape[dim]
    size = extent // chunks
    if extent % chunks != 0:
        return split(input, size + 1, dim)
    return tuple([torch.narrow(input, dim, i * size, size) for i in range(chunks)])

def split(tensor, split_size_or_sections=None, dim=0, split_size=None):
    if split_size is not None:
        split_size_or_sections = split_size
    assert split_size_or_sections is not None, "split needs the size of its parts"
    if isinstance(split_size_or_sections, (list, tuple)):
        parts = []
        start = 0
        for size in split_size_or_sections:
            parts.append(torch.narrow(tensor, dim, start, size))
            start = start + size
        assert start == tensor.shape[dim], "the sizes given to split must add up to the extent"
        return tuple(parts)
    size = split_size_or_sections
    extent = tensor.shape[dim]
    return tuple([torch.narrow(tensor, dim, i * size, min(size, extent - i * size)) for i in range(-(-extent // size))])

def unbind(input, dim=0):
    return tuple([torch.select(input, dim, i) for i in range(input.shape[dim])])

def expand_as(input, other):
    return input.expand(*other.shape)

def reshape_as(input, other):
    return input.reshape(*other.shape)

def view_as(input, other):
    return input.view(*other.shape)

def _alike(tensors):
    dtype = tensors[0].dtype
    for tensor in tensors:
        if tensor.dtype != dtype:
            return False
    return True

def _laid_side_by_side(tensors, dim, rank):
    extents = [len(tensors) if d == dim else -1 for d in range(rank)]
    whole = torch.empty_like(tensors[0].unsqueeze(dim).expand(extents))
    for i in range(len(tensors)):
        torch.select(whole, dim, i).copy_(tensors[i])
    return whole

def stack(tensors, dim=0):
    count = len(tensors)
    assert count > 0, "stack needs tensors"
    rank = tensors[0].dim() + 1
    if dim < 0:
        dim = dim + rank
    for tensor in tensors[1:]:
        assert tensor.dim() == rank - 1, "stack takes tensors of one shape"
        for d in range(rank - 1):
            assert tensor.shape[d] == tensors[0].shape[d], "stack takes tensors of one shape"
    if count > 1 and _alike(tensors):
        return _laid_side_by_side(tensors, dim, rank)
    place = torch.arange(count).view([count if d == dim else 1 for d in range(rank)])
    result = tensors[-1].unsqueeze(dim)
    if count == 1:
        return result.clone()
    for i in range(count - 2, -1, -1):
        result = torch.where(place <= i, tensors[i].unsqueeze(dim), result)
    return result

def cat(tensors, dim=0):
    assert len(tensors) > 0, "cat needs tensors"
    dtype = torch.result_type(*tensors)
    rank = max([tensor.dim() for tensor in tensors])
    if rank > 1:  # PyTorch leaves out tensors of shape (0,)
        tensors = [tensor for tensor in tensors if tensor.dim() != 1 or not _holds_here(tensor.shape[0] == 0)]
    if dim < 0:
        dim = dim + rank
    extents = [tensor.shape[dim] for tensor in tensors]
    equal = len(tensors) <= 4 and not _holds_here(extents[0] == 0)
    for extent in extents[1:]:
        equal = equal and _holds_here(extent == extents[0])
    if equal:
        return stack(tensors, dim).flatten(dim, dim + 1)
    return _written_beside(tensors, extents, dim, dtype)

def _added_up(numbers):
    # Sums of halves: a sum of a thousand sizes, one after the other, is nested a thousand deep.
    if len(numbers) <= 16:
        return sum(numbers)
    half = len(numbers) // 2
    return _added_up(numbers[:half]) + _added_up(numbers[half:])

def _starts(numbers, first=0):
    if len(numbers) > 16:
        half = len(numbers) // 2
        return _starts(numbers[:half], first) + _starts(numbers[half:], first + _added_up(numbers[:half]))
    starts = []
    for number in numbers:
        starts.append(first)
        first = first + number
    return starts

def _written_beside(tensors, extents, dim, dtype):
    rank = tensors[0].dim()
    shape = list(tensors[0].shape)
    shape[dim] = _added_up(extents)
    # PyTorch may run this in another float dtype, so it is named only where it is not the first one's.
    whole = tensors[0].new_empty(shape) if tensors[0].dtype == dtype else tensors[0].new_empty(shape, dtype=dtype)
    for tensor, extent, start in zip(tensors, extents, _starts(extents)):
        assert tensor.dim() == rank, "cat takes tensors of as many dimensions"
        for d in range(rank):
            assert d == dim or tensor.shape[d] == shape[d], "cat takes tensors of equal extents along all dimensions but the one that they are put together along"
        if not _holds_here(extent == 0):
            torch.narrow(whole, dim, start, extent).copy_(tensor)
    return whole

def concat(tensors, dim=0):
    return cat(tensors, dim)

def concatenate(tensors, dim=0):
    return cat(tensors, dim)

def hstack(tensors):
    rows = [tensor.view(1) if tensor.dim() == 0 else tensor for tensor in tensors]
    return cat(rows, 0 if rows[0].dim() == 1 else 1)

def vstack(tensors):
    return cat([tensor.view(1, -1) if tensor.dim() < 2 else tensor for tensor in tensors], 0)

def roll(input, shifts, dims=None):
    if dims is None:
        return roll(input.flatten(), shifts, 0).view(input.shape)
    if isinstance(dims, int):
        dims = (dims,)
        shifts = (shifts,)
    for shift, dim in zip(shifts, dims):
        if dim < 0:
            dim = dim + input.dim()
        extent = input.shape[dim]
        first = -shift % extent
        input = torch.narrow(stack([input, input], dim).flatten(dim, dim + 1), dim, first, extent)
    return input.contiguous()

def rot90(input, k=1, dims=(0, 1)):
    k = k % 4
    if k == 0:
        return input.clone()
    if k == 2:
        return torch.flip(input, [dims[0], dims[1]])
    if k == 1:
        return torch.flip(input, [dims[1]]).transpose(dims[0], dims[1])
    return torch.flip(input, [dims[0]]).transpose(dims[0], dims[1])

def select_scatter(input, src, dim, index):
    made = input.clone()
    torch.select(made, dim, index).copy_(src)
    return made

def slice_scatter(input, src, dim=0, start=None, end=None, step=1):
    extent = input.shape[dim]
    first = 0 if start is None else start
    last = extent if end is None or end > extent else end
    first = first + extent if first < 0 else first
    last = last + extent if last < 0 else last
    made = input.clone()
    part = torch.narrow(made, dim, first, last - first)
    if step != 1:
        part = torch.movedim(torch.movedim(part, dim, 0)[::step], 0, dim)
    part.copy_(src)
    return made

def diagonal_scatter(input, src, offset=0, dim1=0, dim2=1):
    made = input.clone()
    torch.diagonal(made, offset, dim1, dim2).copy_(src)
    return made

def split_with_sizes(tensor, split_sizes, dim=0):
    return split(tensor, split_sizes, dim)

def hsplit(input, indices_or_sections=None, sections=None, indices=None):
    return tensor_split(input, indices_or_sections, 0 if input.dim() == 1 else 1, sections, indices)

def vsplit(input, indices_or_sections=None, sections=None, indices=None):
    return tensor_split(input, indices_or_sections, 0, sections, indices)

def block_diag(*tensors):
    for t in tensors:
        assert t.dim() <= 2, "block_diag takes tensors of 2 dimensions at most"
    parts = [t if t.dim() == 2 else t.reshape(1, -1) for t in tensors]
    rows = sum([t.shape[0] for t in parts])
    columns = sum([t.shape[1] for t in parts])
    whole = parts[0].new_zeros((rows, columns), dtype=torch.result_type(*tensors))
    row = 0
    column = 0
    for t in parts:
        torch.narrow(torch.narrow(whole, 0, row, t.shape[0]), 1, column, t.shape[1]).copy_(t)
        row = row + t.shape[0]
        column = column + t.shape[1]
    return whole

def fliplr(input):
    return torch.flip(input, [1])

def flipud(input):
    return torch.flip(input, [0])

def meshgrid(*tensors, indexing='ij'):
    assert indexing in ('ij', 'xy'), "indexing of meshgrid is 'ij' or 'xy'"
    if len(tensors) == 1 and isinstance(tensors[0], (tuple, list)):
        tensors = tensors[0]
    if indexing == 'xy' and len(tensors) > 1:
        grids = meshgrid(tensors[1], tensors[0], *tensors[2:])
        return (grids[1], grids[0]) + tuple(grids[2:])
    count = len(tensors)
    shape = [tensor.numel() for tensor in tensors]
    return tuple([tensors[i].view([shape[i] if d == i else 1 for d in range(count)]).expand(shape) for i in range(count)])

def repeat(input, *sizes, repeats=None):
    if repeats is not None:
        sizes = repeats
    if len(sizes) == 1 and isinstance(sizes[0], (tuple, list)):
        sizes = sizes[0]
    extra = len(sizes) - input.dim()
    assert extra >= 0, "repeat needs a number for each dimension at least"
    shape = [1] * extra + list(input.shape)
    apart = []
    spread = []
    whole = []
    for times, extent in zip(sizes, shape):
        if times != 1:
            apart.append(1)
            spread.append(times)
        apart.append(extent)
        spread.append(extent)
        whole.append(times * extent)
    # A copy always, though one element repeated could be seen so.
    return input.reshape(apart).expand(spread).clone().reshape(whole)

def tile(input, *times, dims=None):
    if dims is not None:
        times = dims
    if len(times) == 1 and isinstance(times[0], (tuple, list)):
        times = times[0]
    missing = input.dim() - len(times)
    return repeat(input, [1] * missing + list(times))

def repeat_interleave(input, repeats, dim=None, output_size=None):
    if dim is None:
        return repeat_interleave(input.flatten(), repeats, 0)
    if dim < 0:
        dim = dim + input.dim()
    shape = list(input.shape)
    whole = list(input.shape)
    shape.insert(dim + 1, repeats)
    whole[dim] = whole[dim] * repeats
    return input.unsqueeze(dim + 1).expand(shape).clone().reshape(whole)

def diag_embed(input, offset=0, dim1=-2, dim2=-1):
    if offset == 0 and dim1 == -2 and dim2 == -1:
        return torch.where(torch.eye(input.shape[-1]) > 0, input.unsqueeze(-1), torch.zeros_like(input).unsqueeze(-1))
    extent = input.shape[-1] + abs(offset)
    padded = pad(input, [0, abs(offset)])
    each = padded.unsqueeze(-1) if offset >= 0 else padded.unsqueeze(-2)
    place = torch.arange(extent)
    there = place.unsqueeze(0) - place.unsqueeze(1) == offset
    return torch.movedim(torch.where(there, each, torch.zeros_like(each)), (-2, -1), (dim1, dim2))

def diag(input, diagonal=0):
    if input.dim() == 2:
        return torch.diagonal(input, diagonal).clone()
    return diag_embed(input, diagonal)

def tensor_split(input, indices_or_sections=None, dim=0, sections=None, indices=None, tensor_indices_or_sections=None):
    if tensor_indices_or_sections is not None:
        indices_or_sections = tensor_indices_or_sections
    if torch.is_tensor(indices_or_sections):
        indices_or_sections = indices_or_sections.tolist()
    if sections is not None:
        indices_or_sections = sections
    if indices is not None:
        indices_or_sections = indices
    assert indices_or_sections is not None, "tensor_split needs the number of its parts, or where they begin"
    extent = input.shape[dim]
    parts = []
    if isinstance(indices_or_sections, int):
        start = 0
        for i in range(indices_or_sections):
            size = (extent + indices_or_sections - 1 - i) // indices_or_sections
            parts.append(torch.narrow(input, dim, start, size))
            start = start + size
        return tuple(parts)
    bounds = [0] + list(indices_or_sections) + [extent]
    return tuple([torch.narrow(input, dim, bounds[i], bounds[i + 1] - bounds[i]) for i in range(len(bounds) - 1)])

def pixel_shuffle(input, upscale_factor):
    r = upscale_factor
    lead = list(input.shape[:-3])
    channels = input.shape[-3] // (r * r)
    height = input.shape[-2]
    width = input.shape[-1]
    assert input.shape[-3] % (r * r) == 0, "pixel_shuffle divides the channels by the square of its factor"
    apart = input.reshape(*lead, channels, r, r, height, width)
    n = len(lead)
    order = list(range(n)) + [n, n + 3, n + 1, n + 4, n + 2]
    made = apart.permute(*order).reshape(*lead, channels, height * r, width * r)
    return made.clone() if r == 1 else made

def pixel_unshuffle(input, downscale_factor):
    r = downscale_factor
    lead = list(input.shape[:-3])
    channels = input.shape[-3]
    height = input.shape[-2] // r
    width = input.shape[-1] // r
    assert input.shape[-2] % r == 0 and input.shape[-1] % r == 0, "pixel_unshuffle divides height and width by its factor"
    apart = input.reshape(*lead, channels, height, r, width, r)
    n = len(lead)
    order = list(range(n)) + [n, n + 2, n + 4, n + 1, n + 3]
    made = apart.permute(*order).reshape(*lead, channels * r * r, height, width)
    return made.clone() if r == 1 else made

def channel_shuffle(input, groups):
    shape = list(input.shape)
    apart = input.reshape(shape[0], groups, shape[1] // groups, *shape[2:])
    return apart.transpose(1, 2).reshape(shape)

def as_strided(input, size, stride, storage_offset=None):
    assert input.is_contiguous(), "as_strided counts in the memory of a tensor, and is there for contiguous ones; write what it takes as a permute, a slice or x.unfold(...)"
    offset = 0 if storage_offset is None else storage_offset - input.storage_offset()
    assert offset >= 0, "as_strided is there for elements of the tensor itself, not for those before it"
    assert len(size) == len(stride), "as_strided takes as many strides as extents"
    moving = sorted([d for d in range(len(size)) if stride[d] != 0 and size[d] != 1], key=lambda d: -stride[d])
    part = input.view(-1)
    for at, d in enumerate(moving):
        if at == len(moving) - 1:
            assert offset + (size[d] - 1) * stride[d] < part.shape[at], "as_strided is there for elements of the tensor itself, not for those behind it"
            part = part[..., offset:offset + (size[d] - 1) * stride[d] + 1:stride[d]]
            break
        # As many rows of a stride as there are elements: they begin at the offset, or before it so that the last one fits.
        span = 1
        for inner in moving[at + 1:]:
            span = span + (size[inner] - 1) * stride[inner]
        first = min(offset, part.shape[at] - size[d] * stride[d])
        assert first >= 0 and offset - first + span <= stride[d], "as_strided is there where its elements are rows of the tensor that do not overlap; for windows that do, write x.unfold(dim, size, step)"
        part = torch.narrow(part, at, first, size[d] * stride[d]).unflatten(at, (size[d], stride[d]))
        offset = offset - first
    if len(moving) == 0:
        part = torch.select(part, 0, offset)
    if len(moving) > 1:
        part = part.permute([moving.index(d) for d in sorted(moving)])
    for d in range(len(size)):
        if d not in moving:
            part = part.unsqueeze(d).expand([size[d] if i == d else -1 for i in range(part.dim() + 1)])
    return part

def unfold(input, dimension, size, step):
    if dimension < 0:
        dimension = dimension + input.dim()
    extent = input.shape[dimension]
    count = (extent - size) // step + 1
    if size == step:
        apart = torch.narrow(input, dimension, 0, count * size).unflatten(dimension, (count, size))
        return apart.movedim(dimension + 1, -1)
    place = torch.arange(count).view(-1, 1) * step + torch.arange(size)
    return torch.index_select(input, dimension, place.flatten()).unflatten(dimension, (count, size)).movedim(dimension + 1, -1)

def _unfolded_images(input, kernel_size, dilation=1, padding=0, stride=1):
    assert input.dim() == 4 or input.dim() == 3, "F.unfold needs a tensor of 4 dimensions, (N, C, H, W), or 3 without a batch"
    if input.dim() == 3:
        return _unfolded_images(input.unsqueeze(0), kernel_size, dilation, padding, stride).squeeze(0)
    size = _pair(kernel_size)
    spread = _pair(dilation)
    sides = _pair(padding)
    steps = _pair(stride)
    if sides != (0, 0):
        input = pad(input, [sides[1], sides[1], sides[0], sides[0]])
    if spread == (1, 1):
        windows = unfold(unfold(input, 2, size[0], steps[0]), 3, size[1], steps[1])
    else:
        windows = _spread_windows(_spread_windows(input, 2, size[0], steps[0], spread[0]), 3, size[1], steps[1], spread[1])
    rows = windows.shape[2]
    columns = windows.shape[3]
    made = windows.permute(0, 1, 4, 5, 2, 3).reshape(input.shape[0], input.shape[1] * size[0] * size[1], rows * columns)
    return made.clone() if size == (1, 1) and steps == (1, 1) else made

def _spread_windows(input, dim, size, step, spread):
    count = (input.shape[dim] - spread * (size - 1) - 1) // step + 1
    place = torch.arange(count).view(-1, 1) * step + torch.arange(size) * spread
    return torch.index_select(input, dim, place.flatten()).unflatten(dim, (count, size)).movedim(dim + 1, -1)

def take(input, index):
    return input.reshape(-1)[index]

def _numbered(firsts, ends, dtype):
    # Row by row the places from firsts[row] to ends[row], as a list of rows and one of columns.
    counts = [max(end - first, 0) for first, end in zip(firsts, ends)]
    count = sum(counts)
    if count == 0:
        return torch.zeros(2, 0, dtype=dtype)
    starts = [0]
    for each in counts:
        starts.append(starts[-1] + each)
    place = torch.arange(count)
    # A place's row: how many rows have ended before it.
    row = (place.unsqueeze(1) >= torch.tensor(starts[1:])).long().sum(1)
    shift = torch.tensor([first - start for first, start in zip(firsts, starts)])
    return torch.stack([row, place + shift[row]]).to(dtype)

def tril_indices(row, col, offset=0, dtype=torch.int64, layout=None, device=None):
    return _numbered([0] * row, [min(max(i + offset + 1, 0), col) for i in range(row)], dtype)

def triu_indices(row, col, offset=0, dtype=torch.int64, layout=None, device=None):
    return _numbered([min(max(i + offset, 0), col) for i in range(row)], [col] * row, dtype)

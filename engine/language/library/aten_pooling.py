# SPDX-License-Identifier: GPL-3.0-or-later
# Pooling, resampling and counting as ATen has them.

def _aten_mean_windows(input, dim, wanted):
    extent = input.shape[dim]
    if extent == wanted:
        return input
    if extent % wanted == 0:
        return torch.mean(input.unflatten(dim, (wanted, extent // wanted)), dim=dim + 1)
    parts = []
    for i in range(wanted):
        begin = i * extent // wanted
        parts.append(torch.mean(torch.narrow(input, dim, begin, -(-(i + 1) * extent // wanted) - begin), dim=dim, keepdim=True))
    return torch.cat(parts, dim)

def _aten_adaptive_avg_pool(input, output_size, count):
    wanted = _aten_each(output_size, count)
    rank = input.dim()
    if count == 2 and input.shape[rank - 2] % wanted[0] == 0 and input.shape[rank - 1] % wanted[1] == 0:
        return F.adaptive_avg_pool2d(input, output_size)
    for i in range(count):
        input = _aten_mean_windows(input, rank - count + i, wanted[i])
    return input

def _aten_adaptive_max_pool(input, output_size, count):
    wanted = _aten_each(output_size, count)
    kernel = []
    for i in range(count):
        extent = input.shape[input.dim() - count + i]
        assert extent % wanted[i] == 0, "adaptive_max_pool is there for windows of one size: output_size divides the input's extents"
        kernel.append(extent // wanted[i])
    return _aten_max_pool_places(input, kernel, kernel, 0, 1, False, count)

def _aten_windows(extent, kernel, stride, padding, dilation, ceil_mode):
    reach = extent + 2 * padding - dilation * (kernel - 1) - 1
    count = (reach + (stride - 1 if ceil_mode else 0)) // stride + 1
    if ceil_mode and (count - 1) * stride >= extent + padding:
        count = count - 1
    return count

def _aten_avg_pool(input, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override, count):
    kernel = _aten_each(kernel_size, count)
    step = kernel if not isinstance(stride, int) and len(stride) == 0 else _aten_each(stride, count)
    sides = _aten_each(padding, count)
    if count == 1:
        return F.avg_pool1d(input, kernel[0], step[0], sides[0], ceil_mode, count_include_pad)
    if count == 2 and divisor_override is None:
        return F.avg_pool2d(input, kernel, step, sides, ceil_mode, count_include_pad)
    rank = input.dim()
    total = input
    divisor = None
    for i in range(count):
        dim = rank - count + i
        extent = input.shape[dim]
        made = _aten_windows(extent, kernel[i], step[i], sides[i], 1, ceil_mode)
        first = torch.arange(made) * step[i] - sides[i]
        last = torch.clamp(first + kernel[i], max=extent + sides[i])
        sizes = last - first if count_include_pad else torch.clamp(last, max=extent) - torch.clamp(first, min=0)
        sizes = sizes.view([made if d == dim else 1 for d in range(rank)])
        divisor = sizes if divisor is None else divisor * sizes
        reach = (made - 1) * step[i] + kernel[i]
        total = F.pad(total, [0, 0] * (rank - 1 - dim) + [sides[i], reach - extent - sides[i]])
        total = torch.sum(total.unfold(dim, kernel[i], step[i]), dim=-1)
    return total / (divisor if divisor_override is None else divisor_override)

def _aten_max_pool(input, kernel_size, stride, padding, dilation, ceil_mode, count):
    kernel = _aten_each(kernel_size, count)
    step = kernel if not isinstance(stride, int) and len(stride) == 0 else _aten_each(stride, count)
    sides = _aten_each(padding, count)
    spread = _aten_each(dilation, count)
    if count == 1:
        return F.max_pool1d(input, kernel[0], step[0], sides[0], spread[0], ceil_mode)
    if count == 2:
        return F.max_pool2d(input, kernel, step, sides, spread, ceil_mode)
    flat = F.max_pool2d(input.flatten(-4, -3), kernel[1:], step[1:], sides[1:], spread[1:], ceil_mode)
    deep = flat.unflatten(-3, (-1, input.shape[-3])).movedim(-3, -1)
    shape = deep.shape
    made = F.max_pool1d(deep.reshape(1, -1, shape[-1]), kernel[0], step[0], sides[0], spread[0], ceil_mode)
    return made.view(*shape[:-1], made.shape[-1]).movedim(-1, -3)

def _aten_max_places(input, kernel_size, stride, padding, dilation, ceil_mode, count):
    kernel = _aten_each(kernel_size, count)
    step = kernel if not isinstance(stride, int) and len(stride) == 0 else _aten_each(stride, count)
    sides = _aten_each(padding, count)
    spread = _aten_each(dilation, count)
    rank = input.dim()
    padded = input
    for i in range(count):
        dim = rank - count + i
        extent = input.shape[dim]
        made = _aten_windows(extent, kernel[i], step[i], sides[i], spread[i], ceil_mode)
        reach = (made - 1) * step[i] + spread[i] * (kernel[i] - 1) + 1
        padded = F.pad(padded, [0, 0] * (rank - 1 - dim) + [sides[i], reach - extent - sides[i]], value=float('-inf'))
    best = None
    total = 1
    for k in kernel:
        total = total * k
    for number in range(total):
        rest = number
        part = padded
        place = None
        for i in range(count - 1, -1, -1):
            at = rest % kernel[i]
            rest = rest // kernel[i]
            dim = rank - count + i
            made = _aten_windows(input.shape[dim], kernel[i], step[i], sides[i], spread[i], ceil_mode)
            index = [slice(None)] * dim
            index.append(slice(at * spread[i], at * spread[i] + (made - 1) * step[i] + 1, step[i]))
            part = part[tuple(index)]
            own = (torch.arange(made) * step[i] + at * spread[i] - sides[i]).view([made if d == dim else 1 for d in range(rank)])
            scale = 1
            for j in range(i + 1, count):
                scale = scale * input.shape[rank - count + j]
            place = own * scale if place is None else place + own * scale
        if best is None:
            best = part
            places = place.expand(part.shape)
        else:
            better = torch.logical_or(part > best, torch.isnan(part))
            places = torch.where(better, place, places)
            best = torch.where(better, part, best)
    return places

def _aten_max_pool_places(input, kernel_size, stride, padding, dilation, ceil_mode, count):
    made = _aten_max_pool(input, kernel_size, stride, padding, dilation, ceil_mode, count)
    return made, lambda: _aten_max_places(input, kernel_size, stride, padding, dilation, ceil_mode, count)

def _aten_upsample_aa(input, output_size, scale_factors, mode, align_corners):
    for i in [1, 0]:
        ratio = None if scale_factors is None else scale_factors[i]
        wanted = output_size[i] if output_size is not None else int(input.shape[2 + i] * ratio)
        input = _antialiased(input, 2 + i, wanted, ratio, mode, align_corners)
    return input

def _aten_upsample(input, output_size, scale_factors, mode, align_corners):
    count = input.dim() - 2
    ratios = [None if output_size is not None else scale_factors[i] for i in range(count)]
    wanted = [output_size[i] if ratios[i] is None else int(input.shape[2 + i] * ratios[i]) for i in range(count)]
    return _resampled_along_all(input, wanted, ratios, mode, align_corners)

def _aten_grid_sampler(input, grid, interpolation_mode, padding_mode, align_corners):
    return F.grid_sample(input, grid, ('bilinear', 'nearest', 'bicubic')[interpolation_mode], ('zeros', 'border', 'reflection')[padding_mode], align_corners)

def _aten_embedding_bag(weight, indices, offsets, mode, per_sample_weights, include_last_offset, padding_idx):
    begins = offsets[:-1] if include_last_offset else offsets
    bags = begins.shape[0]
    bag = torch.searchsorted(begins, torch.arange(indices.shape[0]), right=True) - 1
    rows = torch.embedding(weight, indices)
    kept = None
    if padding_idx >= 0:
        kept = (indices != padding_idx).unsqueeze(-1)
    if mode == 2:
        assert kept is None, "an embedding bag of maxima is there without padding_idx"
        index = bag.unsqueeze(-1).expand(rows.shape)
        return torch.scatter_reduce(weight.new_zeros((bags, weight.shape[1])), 0, index, rows, 'amax', include_self=False), None, None, None
    if per_sample_weights is not None:
        rows = rows * per_sample_weights.unsqueeze(-1)
    if kept is not None:
        rows = torch.where(kept, rows, torch.zeros_like(rows))
    total = torch.index_add(weight.new_zeros((bags, weight.shape[1])), 0, bag, rows)
    if mode == 0:
        return total, None, None, None
    ones = weight.new_ones((indices.shape[0], 1))
    if kept is not None:
        ones = torch.where(kept, ones, torch.zeros_like(ones))
    count = torch.index_add(weight.new_zeros((bags, 1)), 0, bag, ones)
    return total / torch.clamp(count, min=1), None, None, None

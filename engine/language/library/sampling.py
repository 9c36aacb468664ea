# SPDX-License-Identifier: GPL-3.0-or-later
# Functions that read images and volumes at places which are computed. The formulas of places are
# those of PyTorch's GridSampler.

def affine_grid(theta, size, align_corners=None):
    spatial = list(size)[2:]
    rank = len(spatial)
    assert rank in (2, 3), "size of affine_grid has 4 or 5 extents: batch, channels and what is sampled"
    assert theta.dim() == 3 and theta.shape[1] == rank and theta.shape[2] == rank + 1, "theta of affine_grid has the shape (N, 2, 3), or (N, 3, 4) for volumes"
    columns = []
    for d in reversed(range(rank)):
        extent = spatial[d]
        if extent > 1:
            place = torch.linspace(-1, 1, extent)
        else:
            place = torch.zeros(extent)
        if not align_corners:
            place = place * ((extent - 1) / extent)
        columns.append(place.to(theta.dtype).view([extent if other == d else 1 for other in range(rank)]))
    made = []
    for row in range(rank):
        terms = theta[:, row].reshape([theta.shape[0]] + [1] * rank + [rank + 1])
        total = terms[..., rank].expand([theta.shape[0]] + spatial)
        for column in range(rank):
            total = total + columns[column] * terms[..., column]
        made.append(total)
    return torch.stack(made, -1)

def _in_pixels(place, extent, align_corners):
    if align_corners:
        return (place + 1) / 2 * (extent - 1)
    return ((place + 1) * extent - 1) / 2

def _brought_inside(place, extent, padding_mode, align_corners):
    if padding_mode == 'zeros':
        return place
    if padding_mode == 'reflection':
        low = 0 if align_corners else -1
        span = (2 * (extent - 1) - low if align_corners else 2 * extent - 1 - low) / 2
        if span == 0:
            return torch.zeros_like(place)
        way = torch.abs(place - low / 2)
        rest = torch.fmod(way, span)
        turns = torch.floor(way / span)
        place = torch.where(torch.fmod(turns, 2) == 0, rest, span - rest) + low / 2
    return torch.clamp(place, 0, extent - 1)

def _read_at(flat, places, extents, shape):
    # places has one tensor of whole numbers (as floats) for each dimension. Outside are zeros.
    at = None
    inside = None
    for place, extent in zip(places, extents):
        here = torch.logical_and(place >= 0, place < extent)
        inside = here if inside is None else torch.logical_and(inside, here)
        index = torch.clamp(place, 0, extent - 1).long()
        at = index if at is None else at * extent + index
    batch = flat.shape[0]
    channels = flat.shape[1]
    index = at.reshape(batch, 1, -1).expand(batch, channels, at[0].numel())
    values = torch.gather(flat, 2, index).reshape([batch, channels] + shape)
    return torch.where(inside.unsqueeze(1), values, torch.zeros_like(values))

def _cubic_weights(part):
    return [_cubic(torch.abs(part - tap), -0.75) for tap in (-1, 0, 1, 2)]

def grid_sample(input, grid, mode='bilinear', padding_mode='zeros', align_corners=None):
    assert mode in ('bilinear', 'nearest', 'bicubic'), "mode of grid_sample is 'bilinear', 'nearest' or 'bicubic'"
    assert padding_mode in ('zeros', 'border', 'reflection'), "padding_mode of grid_sample is 'zeros', 'border' or 'reflection'"
    rank = input.dim() - 2
    assert rank in (2, 3) and grid.dim() == input.dim(), "grid_sample takes images (N, C, H, W) and a grid (N, H, W, 2), or volumes and a grid of 5 dimensions"
    assert grid.shape[-1] == rank, "a grid of grid_sample has as many coordinates as the input has dimensions to sample"
    assert mode != 'bicubic' or rank == 2, "mode='bicubic' of grid_sample takes images"
    extents = list(input.shape)[2:]
    shape = list(grid.shape)[1:-1]
    flat = input.reshape(input.shape[0], input.shape[1], -1)
    places = [_in_pixels(grid[..., rank - 1 - d], extents[d], align_corners) for d in range(rank)]
    if mode == 'bicubic':
        total = None
        starts = [torch.floor(place) for place in places]
        weights = [_cubic_weights(place - start) for place, start in zip(places, starts)]
        for row in range(4):
            line = None
            for column in range(4):
                taps = [starts[0] + (row - 1), starts[1] + (column - 1)]
                taps = [_brought_inside(tap, extent, padding_mode, align_corners) for tap, extent in zip(taps, extents)]
                value = _read_at(flat, taps, extents, shape) * weights[1][column].unsqueeze(1)
                line = value if line is None else line + value
            line = line * weights[0][row].unsqueeze(1)
            total = line if total is None else total + line
        return total
    places = [_brought_inside(place, extent, padding_mode, align_corners) for place, extent in zip(places, extents)]
    if mode == 'nearest':
        return _read_at(flat, [torch.round(place) for place in places], extents, shape)
    starts = [torch.floor(place) for place in places]
    total = None
    for corner in range(2 ** rank):
        taps = []
        weight = None
        for d in range(rank):
            far = (corner >> (rank - 1 - d)) % 2 == 1
            taps.append(starts[d] + 1 if far else starts[d])
            own = places[d] - starts[d] if far else starts[d] + 1 - places[d]
            weight = own if weight is None else weight * own
        value = _read_at(flat, taps, extents, shape) * weight.unsqueeze(1)
        total = value if total is None else total + value
    return total

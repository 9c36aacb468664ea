# SPDX-License-Identifier: GPL-3.0-or-later
# What runs along a dimension: extrema so far, areas, slopes.

def _extrema_so_far(input, dim, greatest):
    # Each step doubles how far a place looks back: Hillis and Steele, 1986. The last of several equal
    # elements counts, and NaN stays.
    if input.dim() == 0:
        return input, torch.zeros_like(input, dtype=torch.int64)
    extent = input.shape[dim]
    lead = [extent if d == dim % input.dim() else 1 for d in range(input.dim())]
    places = torch.arange(extent).view(lead).expand(input.shape)
    values = input
    step = 1
    while step < extent:
        before = torch.narrow(values, dim, 0, extent - step)
        own = torch.narrow(values, dim, step, extent - step)
        stays = own >= before if greatest else own <= before
        if torch.is_floating_point(input):
            stays = torch.logical_or(stays, torch.isnan(own))
        start = torch.narrow(values, dim, 0, step)
        first = torch.narrow(places, dim, 0, step)
        place = torch.where(stays, torch.narrow(places, dim, step, extent - step), torch.narrow(places, dim, 0, extent - step))
        values = torch.cat([start, torch.where(stays, own, before)], dim)
        places = torch.cat([first, place], dim)
        step = 2 * step
    return values, places

def cummax(input, dim):
    return _extrema_so_far(input, dim, True)

def cummin(input, dim):
    return _extrema_so_far(input, dim, False)

def _strips(y, x, dx, dim):
    extent = y.shape[dim]
    sums = torch.narrow(y, dim, 1, extent - 1) + torch.narrow(y, dim, 0, extent - 1)
    if x is None:
        return sums * ((1.0 if dx is None else dx) / 2)
    assert dx is None, "trapezoid takes x or dx, not both"
    if x.dim() == 1:
        x = x.view([x.shape[0] if d == dim % y.dim() else 1 for d in range(y.dim())])
    width = torch.narrow(x, dim, 1, extent - 1) - torch.narrow(x, dim, 0, extent - 1)
    return sums * width / 2

def trapezoid(y, x=None, *, dx=None, dim=-1):
    return torch.sum(_strips(y, x, dx, dim), dim=dim)

def trapz(y, x=None, *, dx=None, dim=-1):
    return trapezoid(y, x, dx=dx, dim=dim)

def cumulative_trapezoid(y, x=None, *, dx=None, dim=-1):
    return torch.cumsum(_strips(y, x, dx, dim), dim)

def _slopes(input, dim, spacing, edge_order):
    extent = input.shape[dim]
    assert extent > edge_order, "gradient needs more elements along a dimension than edge_order"
    at = [torch.narrow(input, dim, place, 1) for place in (0, 1, extent - 2, extent - 1)]
    if edge_order == 1:
        first = (at[1] - at[0]) / spacing
        last = (at[3] - at[2]) / spacing
    else:
        first = (4 * at[1] - 3 * at[0] - torch.narrow(input, dim, 2, 1)) / (2 * spacing)
        last = (3 * at[3] - 4 * at[2] + torch.narrow(input, dim, extent - 3, 1)) / (2 * spacing)
    if extent == 2:
        return torch.cat([first, last], dim)
    inner = (torch.narrow(input, dim, 2, extent - 2) - torch.narrow(input, dim, 0, extent - 2)) / (2 * spacing)
    return torch.cat([first, inner, last], dim)

def gradient(input, *, spacing=1, dim=None, edge_order=1):
    assert edge_order in (1, 2), "edge_order of gradient is 1 or 2"
    if dim is None:
        dims = list(range(input.dim()))
    else:
        dims = [dim] if isinstance(dim, int) else list(dim)
    spacings = list(spacing) if isinstance(spacing, (tuple, list)) else [spacing] * len(dims)
    for each in spacings:
        assert not torch.is_tensor(each), "spacing of gradient is a number, or one for each dimension"
    return tuple([_slopes(input, d, each, edge_order) for d, each in zip(dims, spacings)])

# SPDX-License-Identifier: GPL-3.0-or-later
# Functions that depend on the order of elements along a dimension, built on torch.argsort. NaN is
# greater than all numbers. The order of equal elements is kept.

def sort(input, dim=-1, descending=False, stable=False):
    places = torch.argsort(input, dim=dim, descending=descending, stable=True)
    return torch.gather(input, dim, places), places

def msort(input):
    return sort(input, 0)[0]

def _topk_places(input, k, dim=-1, largest=True, sorted=True):
    return torch.argsort(input, dim=dim, descending=largest, stable=True, _first=k)

def topk(input, k, dim=-1, largest=True, sorted=True):
    places = _topk_places(input, k, dim, largest)
    return torch.gather(input, dim, places), places

def _at_places(input, dim, places, keepdim):
    values = torch.gather(input, dim, places)
    return (values, places) if keepdim else (values.squeeze(dim), places.squeeze(dim))

def median(input, dim=None, keepdim=False):
    if dim is None:
        return median(input.flatten(), 0)[0]
    count = input.shape[dim]
    places = torch.argsort(input, dim=dim, stable=True)
    place = torch.narrow(places, dim, (count - 1) // 2, 1)
    if torch.is_floating_point(input):
        last = torch.gather(input, dim, torch.narrow(places, dim, count - 1, 1))
        place = torch.where(torch.isnan(last), torch.argmax(input, dim=dim, keepdim=True), place)
    return _at_places(input, dim, place, keepdim)

def nanmedian(input, dim=None, keepdim=False):
    if dim is None:
        return nanmedian(input.flatten(), 0)[0]
    if not torch.is_floating_point(input):
        return median(input, dim, keepdim)
    places = torch.argsort(input, dim=dim, stable=True)
    count = torch.sum(torch.logical_not(torch.isnan(input)).long(), dim=dim, keepdim=True)
    middle = torch.maximum((count - 1) // 2, count * 0)
    return _at_places(input, dim, torch.gather(places, dim, middle), keepdim)

def _as_float32(number):
    # The nearest number of 24 digits: Dekker, 1971.
    wide = 536870913.0 * number
    return wide - (wide - number)

def _at_rank(ordered, rank, interpolation):
    low = round(rank) if interpolation == 'nearest' else math.floor(rank)
    below = torch.select(ordered, -1, low)
    if interpolation in ('lower', 'nearest'):
        return below
    above = torch.select(ordered, -1, math.ceil(rank))
    if interpolation == 'higher':
        return above
    return torch.lerp(below, above, 0.5 if interpolation == 'midpoint' else rank - low)

def quantile(input, q, dim=None, keepdim=False, *, interpolation='linear'):
    assert interpolation in ('linear', 'lower', 'higher', 'midpoint', 'nearest'), "interpolation of quantile is 'linear', 'lower', 'higher', 'midpoint' or 'nearest'"
    if dim is None:
        made = quantile(input.flatten(), q, 0, interpolation=interpolation)
        lead = [q.shape[0]] if torch.is_tensor(q) and q.dim() == 1 else []
        return made.reshape(lead + [1] * input.dim()) if keepdim else made
    count = input.shape[dim]
    ordered = torch.movedim(sort(input, dim)[0], dim, -1)
    last = torch.narrow(ordered, -1, count - 1, 1)
    if not torch.is_tensor(q):
        assert 0 <= q <= 1, "q of quantile goes from 0 to 1"
        rank = q * (count - 1)
        if interpolation != 'linear' and input.dtype == torch.float32:
            # As PyTorch works it out: what float32 rounds to a place is at that place.
            rank = _as_float32(_as_float32(q) * (count - 1))
        made = _at_rank(ordered, rank, interpolation)
        made = torch.where(torch.isnan(last), last, made.unsqueeze(-1))
        return torch.movedim(made, -1, dim) if keepdim else made.squeeze(-1)
    assert q.dim() < 2, "q of quantile is a number or a tensor of 1 dimension"
    rank = q * (count - 1)
    if interpolation == 'nearest':
        rank = torch.round(rank)
    low = torch.floor(rank)
    if interpolation == 'higher':
        made = ordered[..., torch.ceil(rank).long()]
    else:
        made = ordered[..., low.long()]
    if interpolation in ('linear', 'midpoint'):
        part = torch.full_like(rank, 0.5) if interpolation == 'midpoint' else rank - low
        made = torch.lerp(made, ordered[..., torch.ceil(rank).long()], part)
    last = last.squeeze(-1) if q.dim() == 0 else last
    made = torch.where(torch.isnan(last), last, made)
    if q.dim() == 0:
        return made.unsqueeze(dim) if keepdim else made
    made = torch.movedim(made, -1, 0)
    return made.unsqueeze(dim + 1 if dim >= 0 else dim) if keepdim else made

def searchsorted(sorted_sequence, input, *, out_int32=False, right=False, side=None, sorter=None):
    if sorter is not None:
        sorted_sequence = torch.gather(sorted_sequence, -1, sorter)
    assert side is None or side == 'left' or side == 'right', "side of searchsorted is 'left' or 'right'"
    assert not right or side != 'left', "right=True and side='left' of searchsorted say opposite things"
    assert torch.is_tensor(input), "searchsorted takes a tensor of what is searched for"
    bounds = sorted_sequence if sorted_sequence.dim() == 1 else sorted_sequence.unsqueeze(-2)
    value = input.unsqueeze(-1)
    behind = bounds > value if right or side == 'right' else bounds >= value
    count = torch.sum(torch.logical_not(behind).long(), dim=-1)
    return count.int() if out_int32 else count

def bucketize(input, boundaries, *, out_int32=False, right=False):
    assert boundaries.dim() == 1, "boundaries of bucketize have one dimension"
    return searchsorted(boundaries, input, out_int32=out_int32, right=right)

def kthvalue(input, k, dim=-1, keepdim=False):
    assert 1 <= k <= input.shape[dim], "k of kthvalue goes from 1 to the extent"
    place = torch.narrow(torch.argsort(input, dim=dim, stable=True, _first=k), dim, k - 1, 1)
    return _at_places(input, dim, place, keepdim)

def nanquantile(input, q, dim=None, keepdim=False, *, interpolation='linear'):
    assert interpolation in ('linear', 'lower', 'higher', 'midpoint', 'nearest'), "interpolation of nanquantile is 'linear', 'lower', 'higher', 'midpoint' or 'nearest'"
    if dim is None:
        made = nanquantile(input.flatten(), q, 0, interpolation=interpolation)
        lead = [q.shape[0]] if torch.is_tensor(q) and q.dim() == 1 else []
        return made.reshape(lead + [1] * input.dim()) if keepdim else made
    if not torch.is_tensor(q):
        assert 0 <= q <= 1, "q of nanquantile goes from 0 to 1"
    else:
        assert q.dim() < 2, "q of nanquantile is a number or a tensor of 1 dimension"
    ordered = torch.movedim(sort(input, dim)[0], dim, -1)
    count = torch.sum(torch.logical_not(torch.isnan(ordered)).long(), dim=-1, keepdim=True)
    rank = (torch.zeros_like(torch.narrow(ordered, -1, 0, 1)) + torch.clamp(count, min=1) - 1) * q
    if interpolation == 'nearest':
        rank = torch.round(rank)
    low = torch.gather(ordered, -1, torch.floor(rank).long())
    high = torch.gather(ordered, -1, torch.ceil(rank).long())
    if interpolation == 'linear':
        made = torch.lerp(low, high, rank - torch.floor(rank))
    elif interpolation == 'midpoint':
        made = torch.lerp(low, high, torch.full_like(rank, 0.5))
    else:
        made = high if interpolation == 'higher' else low
    if not torch.is_tensor(q) or q.dim() == 0:
        return torch.movedim(made, -1, dim) if keepdim else made.squeeze(-1)
    made = torch.movedim(made, -1, 0)
    return made.unsqueeze(dim + 1 if dim >= 0 else dim) if keepdim else made

def isin(elements, test_elements, *, assume_unique=False, invert=False):
    if not torch.is_tensor(test_elements):
        found = elements == test_elements
    elif not torch.is_tensor(elements):
        found = torch.any(test_elements == elements)
    else:
        found = torch.any(elements.unsqueeze(-1) == test_elements.flatten(), -1)
    return torch.logical_not(found) if invert else found

def histc(input, bins=100, min=0, max=0):
    input = input.flatten()
    if min == 0 and max == 0:
        low, high = torch.aminmax(input)
        same = low == high
        low, high = torch.where(same, low - 1, low), torch.where(same, high + 1, high)
    else:
        assert min <= max, "min of histc is at most max"
        low, high = (min - 1, max + 1) if min == max else (min, max)
    inside = torch.logical_and(input >= low, input <= high)
    place = torch.clamp(torch.floor((input - low) / (high - low) * bins), 0, bins - 1)
    place = torch.where(inside, place, torch.zeros_like(place)).long()
    return torch.zeros_like(input[:1].expand(bins)).index_add(0, place, torch.where(inside, torch.ones_like(input), torch.zeros_like(input)))

def mode(input, dim=-1, keepdim=False):
    # The smallest of the most frequent values, and the last place where it occurs.
    if input.dim() == 0:
        return input.clone(), torch.zeros_like(input, dtype=torch.int64)
    places = torch.movedim(torch.argsort(input, dim=dim, stable=True), dim, -1)
    ordered = torch.gather(torch.movedim(input, dim, -1), -1, places)
    at = torch.arange(ordered.shape[-1])
    starts = torch.ones_like(ordered, dtype=torch.bool)
    starts[..., 1:] = ordered[..., 1:] != ordered[..., :-1]
    # The number of equal elements right before each one. The first longest run ends at the first maximum.
    run = at - torch.cummax(torch.where(starts, at, torch.zeros_like(at)), -1)[0]
    place = torch.gather(places, -1, torch.argmax(run, dim=-1, keepdim=True))
    return _at_places(input, dim, torch.movedim(place, -1, dim), keepdim)

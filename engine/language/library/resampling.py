# SPDX-License-Identifier: GPL-3.0-or-later
# Functions that resample signals, images and volumes, one dimension after the other.

def _cubic(distance, a):
    near = ((a + 2) * distance - (a + 3)) * distance * distance + 1
    far = ((a * distance - 5 * a) * distance + 8 * a) * distance - 4 * a
    return torch.where(distance <= 1, near, torch.where(distance < 2, far, torch.zeros_like(far)))

def _along(numbers, input, dim):
    return numbers.to(input.dtype).view([numbers.shape[0] if d == dim else 1 for d in range(input.dim())])

def _nearest(input, dim, wanted, ratio, mode):
    extent = input.shape[dim]
    if mode == 'nearest' and wanted % extent == 0 and (ratio is None or ratio == wanted // extent):
        return repeat_interleave(input, wanted // extent, dim)
    place = torch.arange(wanted)
    if ratio is not None:
        found = torch.floor((place + (0.5 if mode == 'nearest-exact' else 0.0)) * (1 / ratio)).long()
    elif mode == 'nearest':
        found = place * extent // wanted
    else:
        found = (2 * place + 1) * extent // (2 * wanted)
    return torch.index_select(input, dim, torch.clamp(found, max=extent - 1))

def _resampled(input, dim, wanted, ratio, mode, align_corners):
    if mode == 'nearest' or mode == 'nearest-exact':
        return _nearest(input, dim, wanted, ratio, mode)
    extent = input.shape[dim]
    place = torch.arange(wanted)
    if align_corners:
        place = place * ((extent - 1) / (wanted - 1) if wanted > 1 else 0.0)
    else:
        place = (place + 0.5) * (extent / wanted if ratio is None else 1 / ratio) - 0.5
    if mode == 'linear':
        place = torch.clamp(place, min=0)
        low = torch.floor(place)
        part = _along(place - low, input, dim)
        last = torch.clamp(low + 1, max=extent - 1).long()
        return torch.index_select(input, dim, torch.clamp(low, max=extent - 1).long()) * (1 - part) + torch.index_select(input, dim, last) * part
    first = torch.floor(place)
    total = None
    for tap in range(-1, 3):
        weight = _along(_cubic(torch.abs(place - first - tap), -0.75), input, dim)
        part = torch.index_select(input, dim, torch.clamp(first + tap, 0, extent - 1).long()) * weight
        total = part if total is None else total + part
    return total

def _resampled_along_all(input, wanted, ratios, mode, align_corners):
    narrow = mode == 'linear' and input.dtype in (torch.float16, torch.bfloat16)
    result = input.float() if narrow else input  # PyTorch rounds once, at the end
    for i in range(len(wanted)):
        result = _resampled(result, 2 + i, wanted[i], ratios[i], mode, align_corners)
    return result.to(input.dtype) if narrow else result

def _tap(distance, mode):
    if mode == 'bilinear':
        return torch.clamp(1 - distance, min=0)
    if mode == 'bicubic':
        return _cubic(distance, -0.5)
    return torch.where(distance < 3, torch.sinc(distance) * torch.sinc(distance / 3), torch.zeros_like(distance))

def _antialiased(input, dim, wanted, ratio, mode, align_corners):
    extent = input.shape[dim]
    if align_corners:
        scale = (extent - 1) / (wanted - 1) if wanted > 1 else 0.0
    else:
        scale = extent / wanted if ratio is None else 1 / ratio
    wide = max(scale, 1.0)
    reach = {'bilinear': 1.0, 'bicubic': 2.0, 'lanczos': 3.0}[mode] * wide
    center = (torch.arange(wanted, dtype=torch.float64) + 0.5) * scale
    first = torch.clamp(torch.trunc(center - reach + 0.5), min=0)
    last = torch.clamp(torch.trunc(center + reach + 0.5), max=extent)
    total = None
    whole = None
    for tap in range(2 * math.ceil(reach) + 1):
        at = first + tap
        weight = _tap(torch.abs((at - center + 0.5) / wide), mode)
        weight = torch.where(at < last, weight, torch.zeros_like(weight))
        part = torch.index_select(input, dim, torch.clamp(at, max=extent - 1).long()) * _along(weight, input, dim)
        total = part if total is None else total + part
        whole = weight if whole is None else whole + weight
    return total / _along(whole, input, dim)

def interpolate(input, size=None, scale_factor=None, mode='nearest', align_corners=None, recompute_scale_factor=None, antialias=False):
    modes = ('nearest', 'nearest-exact', 'area', 'linear', 'bilinear', 'trilinear', 'bicubic', 'lanczos')
    assert mode in modes, "mode of interpolate must be 'nearest', 'nearest-exact', 'area', 'linear', 'bilinear', 'trilinear', 'bicubic' or 'lanczos'"
    count = input.dim() - 2
    assert 1 <= count <= 3, "interpolate needs an input of 3 to 5 dimensions: batch, channels, and one to three more"
    needed = {'linear': 1, 'bilinear': 2, 'trilinear': 3, 'bicubic': 2, 'lanczos': 2}.get(mode, count)
    assert needed == count, f"mode '{mode}' of interpolate needs an input of {needed + 2} dimensions; this one has {count + 2}"
    assert not antialias or mode in ('bilinear', 'bicubic', 'lanczos'), "antialias of interpolate needs the mode 'bilinear', 'bicubic' or 'lanczos'"
    assert antialias or mode != 'lanczos', "mode 'lanczos' of interpolate needs antialias=True"
    assert align_corners is None or mode in ('linear', 'bilinear', 'trilinear', 'bicubic', 'lanczos'), f"align_corners has no meaning in mode '{mode}' of interpolate; leave it out"
    assert (size is None) != (scale_factor is None), "interpolate needs either size or scale_factor"
    ratios = [None] * count
    if size is None:
        ratios = list(scale_factor) if isinstance(scale_factor, (tuple, list)) else [scale_factor] * count
        assert len(ratios) == count, f"scale_factor of interpolate must have {count} numbers for this input"
        wanted = [int(input.shape[2 + i] * ratios[i]) for i in range(count)]
        if recompute_scale_factor:
            ratios = [None] * count
    else:
        wanted = list(size) if isinstance(size, (tuple, list)) else [size] * count
        assert len(wanted) == count, f"size of interpolate must have {count} numbers for this input"
    if mode == 'area':
        return _aten_adaptive_avg_pool(input, wanted, count)
    if antialias:
        for i in [1, 0]:
            input = _antialiased(input, 2 + i, wanted[i], ratios[i], mode, bool(align_corners))
        return input
    kind = 'linear' if mode in ('linear', 'bilinear', 'trilinear') else 'cubic' if mode == 'bicubic' else mode
    return _resampled_along_all(input, wanted, ratios, kind, bool(align_corners))

def upsample(input, size=None, scale_factor=None, mode='nearest', align_corners=None):
    return interpolate(input, size, scale_factor, mode, align_corners)

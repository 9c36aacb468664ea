// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

namespace fusebench {

/// PyTorch's functions that are several rows, written in the language itself. A row of the op table
/// that is spelled so comes first. Modules: library_modules_text.h.
inline constexpr std::string_view kLibraryFunctions = R"py(
def _usual_dim(input):
    return 0 if input.dim() in (0, 1, 3) else 1

def softmax(input, dim=None, _stacklevel=3, dtype=None):
    if dtype is not None:
        input = input.to(dtype)
    if dim is None:
        dim = _usual_dim(input)
    e = torch.exp(input - torch.amax(input, dim=dim, keepdim=True))
    return e / torch.sum(e, dim=dim, keepdim=True)

def log_softmax(input, dim=None, _stacklevel=3, dtype=None):
    if dtype is not None:
        input = input.to(dtype)
    if dim is None:
        dim = _usual_dim(input)
    shifted = input - torch.amax(input, dim=dim, keepdim=True)
    return shifted - torch.log(torch.sum(torch.exp(shifted), dim=dim, keepdim=True))

def softmin(input, dim=None, _stacklevel=3, dtype=None):
    return softmax(-input, dim, dtype=dtype)

def logsumexp(input, dim, keepdim=False):
    top = torch.amax(input, dim=dim, keepdim=True)
    safe = torch.where(torch.isinf(top), torch.tensor(0.0), top)
    total = torch.log(torch.sum(torch.exp(input - safe), dim=dim, keepdim=keepdim))
    if keepdim:
        return total + safe
    return total + (safe.squeeze(dim) if isinstance(dim, int) else torch.amax(safe, dim=dim))

def _trailing(shape):
    count = 1 if isinstance(shape, int) else len(shape)
    return tuple(range(-count, 0))

def layer_norm(input, normalized_shape, weight=None, bias=None, eps=1e-5):
    dims = _trailing(normalized_shape)
    mean = torch.mean(input, dim=dims, keepdim=True)
    variance = torch.var(input, dim=dims, unbiased=False, keepdim=True)
    result = (input - mean) * torch.rsqrt(variance + eps)
    if weight is not None:
        result = result * weight
    if bias is not None:
        result = result + bias
    return result

def rms_norm(input, normalized_shape, weight=None, eps=None):
    dims = _trailing(normalized_shape)
    if eps is None:
        eps = 1.1920928955078125e-07
    result = input * torch.rsqrt(torch.mean(input * input, dim=dims, keepdim=True) + eps)
    return result if weight is None else result * weight

def _reduction(size_average, reduce, reduction):
    if size_average is None and reduce is None:
        return reduction
    if reduce is not None and not reduce:
        return 'none'
    return 'mean' if size_average is None or size_average else 'sum'

def _reduced(loss, reduction):
    if reduction == 'none':
        return loss
    if reduction == 'sum':
        return torch.sum(loss)
    assert reduction == 'mean', "reduction is 'none', 'mean' or 'sum'"
    return torch.mean(loss)

def embedding(input, weight, padding_idx=None, max_norm=None, norm_type=2.0, scale_grad_by_freq=False, sparse=False):
    assert not scale_grad_by_freq, "embedding is there without scale_grad_by_freq, which divides gradients by how often a row was read"
    assert not sparse, "embedding is there without sparse=True: gradients are dense tensors"
    if max_norm is not None:
        _renormalise(input, weight.detach(), max_norm, norm_type)
    rows = torch.embedding(weight, input)
    if padding_idx is None:
        return rows
    if padding_idx < 0:
        padding_idx = weight.shape[0] + padding_idx
    return torch.where((input != padding_idx).unsqueeze(-1), rows, rows.detach())

def _merged_index(input, dim, indices):
    place = None
    for i, index in enumerate(indices):
        count = input.shape[dim + i]
        own = torch.arange(count)[index]
        place = own if place is None else place * count + own
    return input.flatten(dim, dim + len(indices) - 1), place

def index_put_(input, indices, values, accumulate=False):
    if len(indices) == 1:
        return input._put_by_index(0, indices[0], values, accumulate)
    merged, place = _merged_index(input, 0, indices)
    merged = merged.clone()
    merged._put_by_index(0, place, values, accumulate)
    return input.copy_(merged.view_as(input))

def index_put(input, indices, values, accumulate=False):
    return index_put_(input.clone(), indices, values, accumulate)

def index_fill_(input, dim, index, value):
    assert not torch.is_tensor(value), "index_fill is there with a number, not a tensor, as its value"
    return input._put_by_index(dim, index, value, False)

def index_fill(input, dim, index, value):
    return index_fill_(input.clone(), dim, index, value)

def _renormalise(input, table, max_norm, norm_type):
    read = input.flatten()
    rows = torch.embedding(table, read)
    if norm_type == float('inf'):
        norms = torch.amax(torch.abs(rows), dim=-1, keepdim=True)
    elif norm_type == 1:
        norms = torch.sum(torch.abs(rows), dim=-1, keepdim=True)
    elif norm_type == 2:
        norms = torch.sqrt(torch.sum(rows * rows, dim=-1, keepdim=True))
    else:
        norms = torch.sum(torch.abs(rows) ** norm_type, dim=-1, keepdim=True) ** (1 / norm_type)
    table[read] = torch.where(norms > max_norm, rows * (max_norm / (norms + 1e-7)), rows)

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
    return torch.gather(input.expand(sizes), along, indices.expand(counts))

def mse_loss(input, target, size_average=None, reduce=None, reduction='mean'):
    reduction = _reduction(size_average, reduce, reduction)
    return _reduced((input - target) ** 2, reduction)

def l1_loss(input, target, size_average=None, reduce=None, reduction='mean'):
    reduction = _reduction(size_average, reduce, reduction)
    return _reduced(torch.abs(input - target), reduction)

def smooth_l1_loss(input, target, size_average=None, reduce=None, reduction='mean', beta=1.0):
    reduction = _reduction(size_average, reduce, reduction)
    if beta == 0:
        return l1_loss(input, target, reduction=reduction)
    distance = torch.abs(input - target)
    return _reduced(torch.where(distance < beta, 0.5 * distance * distance / beta, distance - 0.5 * beta), reduction)

def huber_loss(input, target, reduction='mean', delta=1.0, weight=None):
    assert weight is None, "huber_loss is there without weight"
    distance = torch.abs(input - target)
    return _reduced(torch.where(distance < delta, 0.5 * distance * distance, delta * (distance - 0.5 * delta)), reduction)

def binary_cross_entropy(input, target, weight=None, size_average=None, reduce=None, reduction='mean'):
    reduction = _reduction(size_average, reduce, reduction)
    loss = -(target * torch.clamp(torch.log(input), min=-100) + (1 - target) * torch.clamp(torch.log1p(-input), min=-100))
    if weight is not None:
        loss = loss * weight
    return _reduced(loss, reduction)

def binary_cross_entropy_with_logits(input, target, weight=None, size_average=None, reduce=None, reduction='mean', pos_weight=None):
    reduction = _reduction(size_average, reduce, reduction)
    if pos_weight is None:
        loss = torch.clamp(input, min=0) - input * target + torch.log1p(torch.exp(-torch.abs(input)))
    else:
        scale = 1 + (pos_weight - 1) * target
        loss = (1 - target) * input + scale * (torch.log1p(torch.exp(-torch.abs(input))) + torch.clamp(-input, min=0))
    if weight is not None:
        loss = loss * weight
    return _reduced(loss, reduction)

def soft_margin_loss(input, target, size_average=None, reduce=None, reduction='mean'):
    reduction = _reduction(size_average, reduce, reduction)
    return _reduced(torch.log1p(torch.exp(-target * input)), reduction)

def kl_div(input, target, size_average=None, reduce=None, reduction='mean', log_target=False):
    reduction = _reduction(size_average, reduce, reduction)
    if log_target:
        loss = torch.exp(target) * (target - input)
    else:
        loss = torch.where(target > 0, target * torch.log(target), torch.tensor(0.0)) - target * input
    if reduction == 'batchmean':
        return torch.sum(loss) / input.shape[0]
    return _reduced(loss, reduction)

def poisson_nll_loss(input, target, log_input=True, full=False, size_average=None, eps=1e-8, reduce=None, reduction='mean'):
    reduction = _reduction(size_average, reduce, reduction)
    assert not full, "poisson_nll_loss is there without full=True"
    loss = torch.exp(input) - target * input if log_input else input - target * torch.log(input + eps)
    return _reduced(loss, reduction)

def gaussian_nll_loss(input, target, var, full=False, eps=1e-6, reduction='mean'):
    if var.dim() == input.dim() - 1:
        var = var.unsqueeze(-1)
    var = torch.clamp(var, min=eps)
    loss = 0.5 * (torch.log(var) + (input - target) ** 2 / var)
    if full:
        loss = loss + 0.5 * math.log(2 * math.pi)
    return _reduced(loss, reduction)

def hinge_embedding_loss(input, target, margin=1.0, size_average=None, reduce=None, reduction='mean'):
    reduction = _reduction(size_average, reduce, reduction)
    loss = torch.where(target != 1, torch.clamp(margin - input, min=0), torch.tensor(0.0)) + torch.where(target != -1, input, torch.tensor(0.0))
    return _reduced(loss, reduction)

def margin_ranking_loss(input1, input2, target, margin=0.0, size_average=None, reduce=None, reduction='mean'):
    reduction = _reduction(size_average, reduce, reduction)
    return _reduced(torch.clamp(-target * (input1 - input2) + margin, min=0), reduction)

def _norm_of(input, dim, keepdim=False):
    return torch.sqrt(torch.sum(input * input, dim=dim, keepdim=keepdim))

def cosine_similarity(x1, x2, dim=1, eps=1e-8):
    floor1 = torch.clamp(_norm_of(x1, dim), min=eps)
    floor2 = torch.clamp(_norm_of(x2, dim), min=eps)
    return torch.sum(x1 * x2, dim=dim) / (floor1 * floor2)

def pairwise_distance(x1, x2, p=2.0, eps=1e-6, keepdim=False):
    return torch.norm(x1 - x2 + eps, p, dim=-1, keepdim=keepdim)

def _levels(dtype):
    if dtype == torch.quint8 or dtype == torch.uint8:
        return 0, 255
    assert dtype == torch.qint8 or dtype == torch.int8, "levels are torch.qint8 or torch.quint8"
    return -128, 127

class _Quantized:
    def __init__(self, levels, scale, zero_point, axis):
        self.levels = levels
        self.scale = scale
        self.zero_point = zero_point
        self.axis = axis

    def int_repr(self):
        return self.levels if self.axis is None else torch.movedim(self.levels, -1, self.axis)

    def dequantize(self):
        values = (self.levels.float() - self.zero_point) * self.scale
        return values if self.axis is None else torch.movedim(values, -1, self.axis)

def _quantized(input, scale, zero_point, dtype, axis):
    low, high = _levels(dtype)
    if dtype == torch.quint8 or dtype == torch.uint8:
        levels = torch.ops.quantized_decomposed.quantize_per_tensor(input, scale, zero_point, low, high, torch.uint8)
    else:
        levels = torch.ops.quantized_decomposed.quantize_per_tensor(input, scale, zero_point, low, high, torch.int8)
    return _Quantized(levels, scale, zero_point, axis)

def quantize_per_tensor(input, scale, zero_point, dtype):
    return _quantized(input, scale, zero_point, dtype, None)

def quantize_per_channel(input, scales, zero_points, axis, dtype):
    return _quantized(torch.movedim(input, axis, -1), scales, zero_points, dtype, axis)

def dequantize(input):
    return input.dequantize()

def fake_quantize_per_tensor_affine(input, scale, zero_point, quant_min, quant_max):
    level = torch.round(input * (1.0 / scale)) + zero_point
    level = torch.where(level > quant_min, torch.clamp(level, max=quant_max), torch.tensor(float(quant_min)))
    return (level - zero_point) * scale

def fake_quantize_per_channel_affine(input, scale, zero_point, axis, quant_min, quant_max):
    moved = fake_quantize_per_tensor_affine(torch.movedim(input, axis, -1), scale, zero_point, quant_min, quant_max)
    return torch.movedim(moved, -1, axis)

def normalize(input, p=2.0, dim=1, eps=1e-12, out=None):
    assert out is None, "normalize is there without out; write y.copy_(F.normalize(x))"
    if p == 2:
        length = _norm_of(input, dim, True)
    elif p == 1:
        length = torch.sum(torch.abs(input), dim=dim, keepdim=True)
    elif p == float('inf'):
        length = torch.amax(torch.abs(input), dim=dim, keepdim=True)
    else:
        length = torch.sum(torch.abs(input) ** p, dim=dim, keepdim=True) ** (1 / p)
    return input / torch.clamp(length, min=eps)

def _vision_normalize(tensor, mean, std, inplace=False):
    assert torch.is_floating_point(tensor), "normalize takes a tensor of floats"
    if not inplace:
        tensor = tensor.clone()
    mean = torch.as_tensor(mean, dtype=tensor.dtype, device=tensor.device)
    std = torch.as_tensor(std, dtype=tensor.dtype, device=tensor.device)
    if (std == 0).any():
        raise ValueError("std is 0 somewhere, and would be divided by")
    if mean.ndim == 1:
        mean = mean.view(-1, 1, 1)
    if std.ndim == 1:
        std = std.view(-1, 1, 1)
    return tensor.sub_(mean).div_(std)

def chunk(input, chunks, dim=0):
    extent = input.shape[dim]
    size = extent // chunks
    if extent % chunks != 0:
        return split(input, size + 1, dim)
    return tuple([torch.narrow(input, dim, i * size, size) for i in range(chunks)])

def split(tensor, split_size_or_sections, dim=0):
    if isinstance(split_size_or_sections, (list, tuple)):
        parts = []
        start = 0
        for size in split_size_or_sections:
            parts.append(torch.narrow(tensor, dim, start, size))
            start = start + size
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

def dropout(input, p=0.5, training=True, inplace=False):
    assert 0 <= p <= 1, "the probability of dropout is between 0 and 1"
    return torch.dropout(input, p, True) if training and p > 0 else input

def alpha_dropout(input, p=0.5, training=False, inplace=False):
    assert not training or p == 0, "alpha_dropout is there as it is when not training"
    return input

def bernoulli(input, p=None):
    return torch.where(torch.rand_like(input) < (input if p is None else p), torch.ones_like(input), torch.zeros_like(input))

def max_over_dim(input, dim, keepdim=False):
    return torch.amax(input, dim=dim, keepdim=keepdim), torch.argmax(input, dim=dim, keepdim=keepdim)

def min_over_dim(input, dim, keepdim=False):
    return torch.amin(input, dim=dim, keepdim=keepdim), torch.argmin(input, dim=dim, keepdim=keepdim)

def glu(input, dim=-1):
    size = input.shape[dim]
    assert size % 2 == 0, "glu halves a dimension, whose extent has to be even"
    return torch.narrow(input, dim, 0, size // 2) * torch.sigmoid(torch.narrow(input, dim, size // 2, size // 2))

def one_hot(tensor, num_classes=-1):
    assert num_classes > 0, "how many classes one_hot has is written in a program: one_hot(t, 10)"
    return (tensor.unsqueeze(-1) == torch.arange(num_classes)).long()

def _along_channels(tensor, rank):
    return tensor.view(-1, *([1] * (rank - 2))) if rank > 2 else tensor

def batch_norm(input, running_mean, running_var, weight=None, bias=None, training=False, momentum=0.1, eps=1e-5):
    rank = input.dim()
    if training:
        dims = [0] + list(range(2, rank))
        mean = torch.mean(input, dim=dims)
        variance = torch.var(input, dim=dims, unbiased=False)
        if running_mean is not None:
            with torch.no_grad():
                running_mean.mul_(1 - momentum).add_(mean.detach(), alpha=momentum)
                running_var.mul_(1 - momentum).add_(torch.var(input.detach(), dim=dims), alpha=momentum)
        running_mean = mean
        running_var = variance
    result = (input - _along_channels(running_mean, rank)) * torch.rsqrt(_along_channels(running_var, rank) + eps)
    if weight is not None:
        result = result * _along_channels(weight, rank)
    if bias is not None:
        result = result + _along_channels(bias, rank)
    return result

def group_norm(input, num_groups, weight=None, bias=None, eps=1e-5):
    grouped = input.reshape(input.shape[0], num_groups, input.shape[1] // num_groups, -1)
    mean = torch.mean(grouped, dim=(-2, -1), keepdim=True)
    variance = torch.var(grouped, dim=(-2, -1), unbiased=False, keepdim=True)
    result = (grouped - mean) * torch.rsqrt(variance + eps)
    if weight is not None:
        result = result * weight.view(num_groups, -1, 1)
    if bias is not None:
        result = result + bias.view(num_groups, -1, 1)
    return result.reshape(input.shape)

def instance_norm(input, running_mean=None, running_var=None, weight=None, bias=None, use_input_stats=True, momentum=0.1, eps=1e-5):
    assert use_input_stats, "instance_norm is there with the input's own statistics"
    dims = tuple(range(2, input.dim()))
    mean = torch.mean(input, dim=dims, keepdim=True)
    variance = torch.var(input, dim=dims, unbiased=False, keepdim=True)
    result = (input - mean) * torch.rsqrt(variance + eps)
    if weight is not None:
        result = result * _along_channels(weight, input.dim())
    if bias is not None:
        result = result + _along_channels(bias, input.dim())
    return result

def nll_loss(input, target, weight=None, size_average=None, ignore_index=-100, reduce=None, reduction='mean'):
    reduction = _reduction(size_average, reduce, reduction)
    rank = input.dim()
    dim = 1 if rank > 1 else 0
    classes = torch.arange(input.shape[dim])
    if rank > 2:
        classes = classes.view(-1, *([1] * (rank - 2)))
    chosen = target.unsqueeze(dim) == classes
    each = chosen.float()
    if weight is not None:
        each = each * (weight.view(-1, *([1] * (rank - 2))) if rank > 2 else weight)
    each = torch.where((target != ignore_index).unsqueeze(dim), each, torch.tensor(0.0))
    loss = -torch.sum(torch.where(chosen, input * each, torch.tensor(0.0)), dim=dim)
    if reduction == 'none':
        return loss
    if reduction == 'sum':
        return torch.sum(loss)
    assert reduction == 'mean', "reduction is 'none', 'mean' or 'sum'"
    return torch.sum(loss) / torch.sum(torch.sum(each, dim=dim))

def _by_class(weight, rank):
    return weight.view(-1, *([1] * (rank - 2))) if rank > 2 else weight

def _smoothed(logs, target, dim, weight, ignore_index, reduction):
    kept = target != ignore_index
    each = logs if weight is None else logs * _by_class(weight, logs.dim())
    loss = torch.where(kept, -torch.sum(each, dim=dim), torch.tensor(0.0))
    if reduction != 'mean':
        return _reduced(loss, reduction)
    if weight is None:
        return torch.sum(loss) / torch.sum(kept)
    own = weight[torch.where(kept, target, torch.zeros_like(target))]
    return torch.sum(loss) / torch.sum(torch.where(kept, own, torch.tensor(0.0)))

def cross_entropy(input, target, weight=None, size_average=None, ignore_index=-100, reduce=None, reduction='mean', label_smoothing=0.0):
    reduction = _reduction(size_average, reduce, reduction)
    dim = 1 if input.dim() > 1 else 0
    logs = log_softmax(input, dim)
    if not torch.is_floating_point(target):
        own = nll_loss(logs, target, weight=weight, ignore_index=ignore_index, reduction=reduction)
        if label_smoothing == 0:
            return own
        rest = _smoothed(logs, target, dim, weight, ignore_index, reduction)
        return (1 - label_smoothing) * own + rest * (label_smoothing / input.shape[dim])
    if label_smoothing > 0:
        target = target * (1 - label_smoothing) + label_smoothing / input.shape[dim]
    if weight is not None:
        logs = logs * _by_class(weight, input.dim())
    loss = -torch.sum(logs * target, dim=dim)
    if reduction == 'mean':
        return torch.mean(loss)
    return _reduced(loss, reduction)

def _one_group(group, async_op):
    assert group is None, "there is one group, of all ranks: leave group out"
    assert not async_op, "async_op=True is not supported: what overlaps is a variant's option"

def _distributed_all_reduce(tensor, op=torch.distributed.ReduceOp.SUM, group=None, async_op=False):
    _one_group(group, async_op)
    return torch.distributed.nn.functional.all_reduce(tensor, op=op)

def _distributed_broadcast(tensor, src, group=None, async_op=False):
    _one_group(group, async_op)
    return torch.distributed.nn.functional.broadcast(tensor, src=src)

def _distributed_all_gather_into_tensor(output_tensor, input_tensor, group=None, async_op=False):
    _one_group(group, async_op)
    return torch.distributed.nn.functional._all_gather_base(output_tensor, input_tensor)

def _distributed_all_gather(tensor_list, tensor, group=None, async_op=False):
    _one_group(group, async_op)
    count = len(tensor_list)
    room = tensor.unsqueeze(0).expand(count, *tensor.shape)
    rows = torch.distributed.nn.functional._all_gather_base(room, tensor)
    return [rows[i] for i in range(count)]

def _distributed_reduce_scatter_tensor(output, input, op=torch.distributed.ReduceOp.SUM,
                                       group=None, async_op=False):
    _one_group(group, async_op)
    rows = input.reshape(-1, *output.shape)
    return torch.distributed.nn.functional.reduce_scatter(output, rows, op=op)

def _distributed_reduce_scatter(output, input_list, op=torch.distributed.ReduceOp.SUM, group=None,
                                async_op=False):
    _one_group(group, async_op)
    rows = torch.stack(input_list)
    return torch.distributed.nn.functional.reduce_scatter(output, rows, op=op)

def stack(tensors, dim=0):
    count = len(tensors)
    assert count > 0, "stack needs tensors"
    rank = tensors[0].dim() + 1
    if dim < 0:
        dim = dim + rank
    place = torch.arange(count).view([count if d == dim else 1 for d in range(rank)])
    result = tensors[-1].unsqueeze(dim)
    if count == 1:
        return result.clone()
    for i in range(count - 2, -1, -1):
        result = torch.where(place <= i, tensors[i].unsqueeze(dim), result)
    return result

def cat(tensors, dim=0):
    assert len(tensors) > 0, "cat needs tensors"
    rank = tensors[0].dim()
    if dim < 0:
        dim = dim + rank
    extents = [tensor.shape[dim] for tensor in tensors]
    piece = extents[0]
    for extent in extents:
        rest = extent
        while rest != 0:
            piece, rest = rest, piece % rest
    parts = []
    for tensor, extent in zip(tensors, extents):
        if extent == piece:
            parts.append(tensor)
        else:
            for i in range(extent // piece):
                parts.append(torch.narrow(tensor, dim, i * piece, piece))
    assert len(parts) <= 64, "cat is there for tensors whose extents along the dimension have a common divisor that is in them at most 64 times"
    return stack(parts, dim).flatten(dim, dim + 1)

def concat(tensors, dim=0):
    return cat(tensors, dim)

def concatenate(tensors, dim=0):
    return cat(tensors, dim)

def hstack(tensors):
    return cat(tensors, 0 if tensors[0].dim() < 2 else 1)

def vstack(tensors):
    return cat([tensor.unsqueeze(0) for tensor in tensors] if tensors[0].dim() < 2 else tensors, 0)

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

def repeat(input, *sizes):
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
    return input.reshape(apart).expand(spread).reshape(whole)

def tile(input, *dims):
    if len(dims) == 1 and isinstance(dims[0], (tuple, list)):
        dims = dims[0]
    missing = input.dim() - len(dims)
    return repeat(input, [1] * missing + list(dims))

def repeat_interleave(input, repeats, dim=None):
    if dim is None:
        return repeat_interleave(input.flatten(), repeats, 0)
    if dim < 0:
        dim = dim + input.dim()
    shape = list(input.shape)
    whole = list(input.shape)
    shape.insert(dim + 1, repeats)
    whole[dim] = whole[dim] * repeats
    return input.unsqueeze(dim + 1).expand(shape).reshape(whole)

def var_mean(input, dim=None, unbiased=True, keepdim=False, correction=None):
    if correction is not None:
        return torch.var(input, dim=dim, correction=correction, keepdim=keepdim), torch.mean(input, dim=dim, keepdim=keepdim)
    return torch.var(input, dim=dim, unbiased=unbiased, keepdim=keepdim), torch.mean(input, dim=dim, keepdim=keepdim)

def std_mean(input, dim=None, unbiased=True, keepdim=False, correction=None):
    if correction is not None:
        return torch.std(input, dim=dim, correction=correction, keepdim=keepdim), torch.mean(input, dim=dim, keepdim=keepdim)
    return torch.std(input, dim=dim, unbiased=unbiased, keepdim=keepdim), torch.mean(input, dim=dim, keepdim=keepdim)

def embedding_bag(input, weight, offsets=None, max_norm=None, norm_type=2, scale_grad_by_freq=False, mode='mean', sparse=False, per_sample_weights=None, include_last_offset=False, padding_idx=None):
    assert offsets is None and input.dim() == 2, "embedding_bag is there for bags of one size, as rows of a 2-d index without offsets: bags that offsets divide have sizes that depend on data"
    assert padding_idx is None, "embedding_bag is there without padding_idx"
    assert mode in ('mean', 'sum', 'max'), "mode of embedding_bag is 'mean', 'sum' or 'max'"
    assert per_sample_weights is None or mode == 'sum', "per_sample_weights of embedding_bag go with mode='sum'"
    rows = embedding(input, weight, None, max_norm, norm_type, scale_grad_by_freq, sparse)
    if per_sample_weights is not None:
        rows = rows * per_sample_weights.unsqueeze(-1)
    if mode == 'max':
        return torch.amax(rows, dim=1)
    return torch.sum(rows, dim=1) if mode == 'sum' else torch.mean(rows, dim=1)

def scatter_reduce(input, dim, index, src, reduce, include_self=True):
    assert reduce == 'sum' and include_self, "scatter_reduce is there with reduce='sum', where include_self is True; a greatest, least, mean or product of groups write as torch.where(groups == k, src, start) for each k, reduced over a dimension"
    return torch.scatter_add(input, dim, index, src)

def _root_of_squares(squares):
    some = squares > 0
    return torch.where(some, torch.sqrt(torch.where(some, squares, torch.tensor(1.0))), torch.tensor(0.0))

def cdist(x1, x2, p=2.0, compute_mode='use_mm_for_euclid_dist_if_necessary'):
    if p == 2 and compute_mode != 'donot_use_mm_for_euclid_dist':
        first = torch.sum(x1 * x1, dim=-1, keepdim=True)
        second = torch.sum(x2 * x2, dim=-1).unsqueeze(-2)
        return _root_of_squares(torch.clamp(first + second - 2 * torch.matmul(x1, x2.transpose(-2, -1)), min=0))
    return torch.norm(x1.unsqueeze(-2) - x2.unsqueeze(-3), p, dim=-1)

def dist(input, other, p=2):
    return torch.norm(input - other, p)

def _linalg_norm(A, ord=None, dim=None, keepdim=False):
    assert ord is None or ord == 'fro' or not isinstance(ord, str), "ord of torch.linalg.norm is a number"
    of_rows = dim is None and A.dim() == 2 or isinstance(dim, (tuple, list)) and len(dim) == 2
    assert ord is None or ord == 'fro' or not of_rows, "torch.linalg.norm of matrices is there for ord=None, which takes the squares of all elements"
    return torch.norm(A, 2 if ord is None or ord == 'fro' else ord, dim=dim, keepdim=keepdim)

def _window(window_length, periodic, parts, dtype):
    if window_length == 1:
        return torch.ones(1, dtype=dtype)
    turn = torch.arange(window_length) * (2 * math.pi / (window_length if periodic else window_length - 1))
    result = parts[0] - parts[1] * torch.cos(turn)
    if len(parts) > 2:
        result = result + parts[2] * torch.cos(2 * turn)
    return result if dtype is None else result.to(dtype)

def hann_window(window_length, periodic=True, dtype=None, layout=None, device=None, requires_grad=False):
    return _window(window_length, periodic, (0.5, 0.5), dtype)

def hamming_window(window_length, periodic=True, alpha=0.54, beta=0.46, dtype=None, layout=None, device=None, requires_grad=False):
    return _window(window_length, periodic, (alpha, beta), dtype)

def blackman_window(window_length, periodic=True, dtype=None, layout=None, device=None, requires_grad=False):
    return _window(window_length, periodic, (0.42, 0.5, 0.08), dtype)

def diff(input, n=1, dim=-1, prepend=None, append=None):
    assert prepend is None and append is None, "diff is there without prepend and append; put them there with torch.cat"
    for i in range(n):
        extent = input.shape[dim]
        input = torch.narrow(input, dim, 1, extent - 1) - torch.narrow(input, dim, 0, extent - 1)
    return input

def trace(input):
    assert input.dim() == 2, "trace takes a tensor of 2 dimensions"
    return torch.sum(torch.diagonal(input))

def diag_embed(input, offset=0, dim1=-2, dim2=-1):
    assert offset == 0 and dim1 == -2 and dim2 == -1, "diag_embed is there for the main diagonal of the last two dimensions"
    return torch.where(torch.eye(input.shape[-1]) > 0, input.unsqueeze(-1), torch.zeros_like(input).unsqueeze(-1))

def diag(input, diagonal=0):
    if input.dim() == 2:
        return torch.diagonal(input, diagonal).clone()
    assert diagonal == 0, "diag of a vector is there for the main diagonal"
    return diag_embed(input)

def inner(input, other):
    if input.dim() == 1 and other.dim() == 1:
        return torch.dot(input, other)
    if input.dim() == 0 or other.dim() == 0:
        return input * other
    return tensordot(input, other, ([-1], [-1]))

def tensordot(a, b, dims=2):
    if isinstance(dims, int):
        dims = (list(range(a.dim() - dims, a.dim())), list(range(dims)))
    first = [d if d >= 0 else d + a.dim() for d in ((dims[0],) if isinstance(dims[0], int) else dims[0])]
    second = [d if d >= 0 else d + b.dim() for d in ((dims[1],) if isinstance(dims[1], int) else dims[1])]
    assert len(first) == len(second), "tensordot goes over as many dimensions of one tensor as of the other"
    rows = [d for d in range(a.dim()) if d not in first]
    columns = [d for d in range(b.dim()) if d not in second]
    shape = [a.shape[d] for d in rows] + [b.shape[d] for d in columns]
    inside = 1
    for d in first:
        inside = inside * a.shape[d]
    left = a.permute(*rows, *first).reshape(-1, inside)
    right = b.permute(*second, *columns).reshape(inside, -1)
    return torch.mm(left, right).reshape(shape)

def kron(input, other):
    rank = max(input.dim(), other.dim())
    one = [1] * (rank - input.dim()) + list(input.shape)
    two = [1] * (rank - other.dim()) + list(other.shape)
    apart = []
    within = []
    whole = []
    for i, j in zip(one, two):
        apart = apart + [i, 1]
        within = within + [1, j]
        whole.append(i * j)
    return (input.reshape(apart) * other.reshape(within)).reshape(whole)

def cross(input, other, dim=-1):
    assert input.shape[dim] == 3 and other.shape[dim] == 3, "cross is of vectors with 3 elements along dim"
    a = [torch.select(input, dim, i) for i in range(3)]
    b = [torch.select(other, dim, i) for i in range(3)]
    return stack([a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]], dim)

def logspace(start, end, steps, base=10.0, dtype=None, layout=None, device=None, requires_grad=False):
    return base ** torch.linspace(start, end, steps)

def tensor_split(input, indices_or_sections, dim=0):
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

def cov(input, correction=1, fweights=None, aweights=None):
    assert fweights is None and aweights is None, "cov is there without weights"
    assert input.dim() == 2, "cov is there for a tensor of 2 dimensions: variables, observations"
    apart = input - torch.mean(input, dim=1, keepdim=True)
    return torch.matmul(apart, apart.transpose(0, 1)) / (input.shape[1] - correction)

def corrcoef(input):
    each = cov(input)
    spread = torch.sqrt(torch.diagonal(each))
    return torch.clamp(each / spread.unsqueeze(1) / spread, min=-1, max=1)

def triplet_margin_loss(anchor, positive, negative, margin=1.0, p=2, eps=1e-6, swap=False, size_average=None, reduce=None, reduction='mean'):
    reduction = _reduction(size_average, reduce, reduction)
    near = pairwise_distance(anchor, positive, p, eps)
    far = pairwise_distance(anchor, negative, p, eps)
    if swap:
        far = torch.minimum(far, pairwise_distance(positive, negative, p, eps))
    return _reduced(torch.clamp(margin + near - far, min=0), reduction)

def cosine_embedding_loss(input1, input2, target, margin=0.0, size_average=None, reduce=None, reduction='mean'):
    reduction = _reduction(size_average, reduce, reduction)
    alike = torch.sum(input1 * input2, dim=-1)
    lengths = torch.sqrt((torch.sum(input1 * input1, dim=-1) + 1e-12) * (torch.sum(input2 * input2, dim=-1) + 1e-12))
    angle = alike / lengths
    loss = torch.where(target == 1, 1 - angle, torch.tensor(0.0)) + torch.where(target == -1, torch.clamp(angle - margin, min=0), torch.tensor(0.0))
    return _reduced(loss, reduction)

def gumbel_softmax(logits, tau=1, hard=False, eps=1e-10, dim=-1):
    assert not hard, "gumbel_softmax is there with hard=False"
    noise = -torch.log(-torch.log(torch.rand_like(logits)))
    return softmax((logits + noise) / tau, dim)

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
    return apart.permute(*order).reshape(*lead, channels, height * r, width * r)

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
    return apart.permute(*order).reshape(*lead, channels * r * r, height, width)

def channel_shuffle(input, groups):
    shape = list(input.shape)
    apart = input.reshape(shape[0], groups, shape[1] // groups, *shape[2:])
    return apart.transpose(1, 2).reshape(shape)

def _line(input, dim, wanted, corners):
    extent = input.shape[dim]
    place = torch.arange(wanted)
    if corners:
        place = place * ((extent - 1) / (wanted - 1))
    else:
        place = torch.clamp((place + 0.5) * (extent / wanted) - 0.5, min=0)
    low = torch.floor(place)
    part = (place - low).view([wanted if d == dim else 1 for d in range(input.dim())]).to(input.dtype)
    first = low.long()
    last = torch.clamp(low + 1, max=extent - 1).long()
    return torch.index_select(input, dim, first) * (1 - part) + torch.index_select(input, dim, last) * part

def interpolate(input, size=None, scale_factor=None, mode='nearest', align_corners=None, recompute_scale_factor=None, antialias=False):
    assert mode in ('nearest', 'linear', 'bilinear', 'trilinear'), "mode of interpolate is 'nearest', 'linear', 'bilinear' or 'trilinear'"
    assert not antialias, "interpolate is there without antialias"
    count = input.dim() - 2
    extents = [input.shape[2 + i] for i in range(count)]
    if size is None:
        assert scale_factor is not None, "interpolate needs size or scale_factor"
        factors = list(scale_factor) if isinstance(scale_factor, (tuple, list)) else [scale_factor] * count
        for factor in factors:
            assert factor == int(factor), "scale_factor of interpolate is a whole number; write size=(...) for others"
        times = [int(factor) for factor in factors]
        wanted = [extents[i] * times[i] for i in range(count)]
    else:
        wanted = list(size) if isinstance(size, (tuple, list)) else [size] * count
        times = [wanted[i] // extents[i] for i in range(count)]
        for i in range(count):
            assert mode != 'nearest' or wanted[i] == extents[i] * times[i], "interpolate in mode nearest is there where the new size is a multiple of the old one"
    for i in range(count):
        if mode == 'nearest':
            input = repeat_interleave(input, times[i], 2 + i)
        else:
            input = _line(input, 2 + i, wanted[i], bool(align_corners))
    return input

def upsample(input, size=None, scale_factor=None, mode='nearest', align_corners=None):
    return interpolate(input, size, scale_factor, mode, align_corners)

def local_response_norm(input, size, alpha=1e-4, beta=0.75, k=1.0):
    squares = pad(input * input, [0, 0] * (input.dim() - 2) + [size // 2, (size - 1) // 2])
    total = torch.narrow(squares, 1, 0, input.shape[1])
    for i in range(1, size):
        total = total + torch.narrow(squares, 1, i, input.shape[1])
    return input / (total / size * alpha + k) ** beta

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
    assert input.dim() == 4, "F.unfold is there for tensors of 4 dimensions, (N, C, H, W)"
    assert dilation == 1 or dilation == (1, 1), "F.unfold is there without dilation"
    size = _pair(kernel_size)
    sides = _pair(padding)
    steps = _pair(stride)
    if sides != (0, 0):
        input = pad(input, [sides[1], sides[1], sides[0], sides[0]])
    windows = unfold(unfold(input, 2, size[0], steps[0]), 3, size[1], steps[1])
    rows = windows.shape[2]
    columns = windows.shape[3]
    return windows.permute(0, 1, 4, 5, 2, 3).reshape(input.shape[0], input.shape[1] * size[0] * size[1], rows * columns)

def take(input, index):
    return input.reshape(-1)[index]

def _gradients_of(parameters):
    items = [parameters] if torch.is_tensor(parameters) else list(parameters)
    return [p.grad for p in items if p.grad is not None]

def _clip_grad_norm_(parameters, max_norm, norm_type=2.0, error_if_nonfinite=False, foreach=None):
    gradients = _gradients_of(parameters)
    assert len(gradients) > 0, "clip_grad_norm_ needs parameters that have gradients: it stands after backward()"
    with torch.no_grad():
        total = torch.norm(torch.stack([torch.norm(g, norm_type) for g in gradients]), norm_type)
        scale = torch.clamp(max_norm / (total + 1e-6), max=1.0)
        for g in gradients:
            g.mul_(scale)
    return total

def _clip_grad_value_(parameters, clip_value, foreach=None):
    with torch.no_grad():
        for g in _gradients_of(parameters):
            g.clamp_(-clip_value, clip_value)
)py";

}  // namespace fusebench

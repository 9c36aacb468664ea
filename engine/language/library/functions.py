# SPDX-License-Identifier: GPL-3.0-or-later
# PyTorch's functions that are composed of several ops, written in the language itself. An op of the
# table with the same name takes precedence. All files of this folder share one namespace and are
# read in the order that engine/CMakeLists.txt lists them in.

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

def _ends_in(input, shape):
    wanted = (shape,) if isinstance(shape, int) else tuple(shape)
    count = len(wanted)
    assert count <= input.dim(), "normalized_shape may have at most as many extents as the input"
    for i in range(count):
        assert input.shape[i - count] == wanted[i], "normalized_shape must equal the last extents of the input's shape"

def layer_norm(input, normalized_shape, weight=None, bias=None, eps=1e-5):
    if weight is None:
        _ends_in(input, normalized_shape)
    dims = _trailing(normalized_shape)
    mean = torch.mean(input, dim=dims, keepdim=True)
    variance = torch.var(input, dim=dims, unbiased=False, keepdim=True)
    normed = (input - mean) * torch.rsqrt(variance + eps)
    result = normed if weight is None else normed * weight
    if bias is not None:
        result = result + bias
    return _as_input(result, normed)

def rms_norm(input, normalized_shape, weight=None, eps=None):
    if weight is None:
        _ends_in(input, normalized_shape)
    dims = _trailing(normalized_shape)
    if eps is None:
        eps = 1.1920928955078125e-07
    normed = input * torch.rsqrt(torch.mean(input * input, dim=dims, keepdim=True) + eps)
    return normed if weight is None else _as_input(normed * weight, normed)

def embedding(input, weight, padding_idx=None, max_norm=None, norm_type=2.0, scale_grad_by_freq=False, sparse=False):
    assert not sparse, "embedding is there without sparse=True: gradients are dense tensors"
    if max_norm is not None:
        _renormalize(input, weight.detach(), max_norm, norm_type)
    rows = torch.embedding(weight, input)
    if scale_grad_by_freq:
        rows = rows.detach() + (rows - rows.detach()) * (1 / _times_read(input, weight.shape[0])).unsqueeze(-1).to(rows.dtype)
    if padding_idx is None:
        return rows
    if padding_idx < 0:
        padding_idx = weight.shape[0] + padding_idx
    return torch.where((input != padding_idx).unsqueeze(-1), rows, rows.detach())

def _times_read(input, rows):
    # For each index, how often its row is read in this call.
    read = input.flatten()
    counts = torch.zeros(rows).index_add(0, read, torch.ones_like(read, dtype=torch.float32))
    return counts[input]

def _merged_place(input, dim, indices):
    place = None
    for i, index in enumerate(indices):
        count = input.shape[dim + i]
        own = torch.arange(count)[index]
        place = own if place is None else place * count + own
    return place

def _merged_index(input, dim, indices):
    return input.flatten(dim, dim + len(indices) - 1), _merged_place(input, dim, indices)

def index_put_(input, indices, values, accumulate=False):
    if len(indices) == 1:
        return input._put_by_index(0, indices[0], values, accumulate, 1)
    return input._put_by_index(0, _merged_place(input, 0, indices), values, accumulate, len(indices))

def index_put(input, indices, values, accumulate=False):
    return index_put_(input.clone(), indices, values, accumulate)

def index_fill_(input, dim, index, value):
    if torch.is_tensor(value):
        shape = list(input.shape)
        shape[dim] = index.numel()
        return input.index_copy_(dim, index, value.to(input.dtype).expand(shape))
    return input._put_by_index(dim, index, value, False, 1)

def index_fill(input, dim, index, value):
    return index_fill_(input.clone(), dim, index, value)

def _renormalize(input, table, max_norm, norm_type):
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

def cosine_similarity(x1, x2, dim=1, eps=1e-8):
    floor1 = torch.clamp(torch.norm(x1, 2, dim=dim), min=eps)
    floor2 = torch.clamp(torch.norm(x2, 2, dim=dim), min=eps)
    return torch.sum(x1 * x2, dim=dim) / (floor1 * floor2)

def pairwise_distance(x1, x2, p=2.0, eps=1e-6, keepdim=False):
    return torch.norm(x1 - x2 + eps, p, dim=-1, keepdim=keepdim)

def _levels(dtype):
    if dtype == torch.quint8 or dtype == torch.uint8:
        return 0, 255
    assert dtype == torch.qint8 or dtype == torch.int8, "levels are torch.qint8 or torch.quint8"
    return -128, 127

class _Quantized:
    _shown = 'quantized levels, of which .int_repr() or .dequantize() makes a tensor'
    def __init__(self, levels, scale, zero_point, axis):
        self.levels = levels
        self.scale = scale
        self.zero_point = zero_point
        self.axis = axis

    def q_scale(self):
        assert self.axis is None, "levels of several channels have several scales: q_per_channel_scales()"
        return self.scale

    def q_zero_point(self):
        assert self.axis is None, "levels of several channels have several zero points: q_per_channel_zero_points()"
        return self.zero_point

    def q_per_channel_scales(self):
        assert self.axis is not None, "these levels have one scale: q_scale()"
        return self.scale

    def q_per_channel_zero_points(self):
        assert self.axis is not None, "these levels have one zero point: q_zero_point()"
        return self.zero_point

    def q_per_channel_axis(self):
        assert self.axis is not None, "these levels are of no channels"
        return self.axis

    def int_repr(self):
        return self.levels if self.axis is None else torch.movedim(self.levels, -1, self.axis)

    def dequantize(self):
        values = (self.levels.float() - self.zero_point) * self.scale
        return values if self.axis is None else torch.movedim(values, -1, self.axis)

def _quantized(input, scale, zero_point, dtype, axis):
    low, high = _levels(dtype)
    if isinstance(zero_point, int):
        assert zero_point >= low, "zero_point is below the smallest quantized value of this dtype"
        assert zero_point <= high, "zero_point is above the largest quantized value of this dtype"
    if dtype == torch.quint8 or dtype == torch.uint8:
        levels = torch.ops.quantized_decomposed.quantize_per_tensor(input, scale, zero_point, low, high, torch.uint8)
    else:
        levels = torch.ops.quantized_decomposed.quantize_per_tensor(input, scale, zero_point, low, high, torch.int8)
    return _Quantized(levels, scale, zero_point, axis)

def quantize_per_tensor(input, scale, zero_point, dtype):
    return _quantized(input, scale, zero_point, dtype, None)

def quantize_per_channel(input, scales, zero_points, axis, dtype):
    return _quantized(torch.movedim(input, axis, -1), scales, zero_points, dtype, axis)

def dequantize(input=None, tensors=None):
    if tensors is None:
        tensors = input
    if isinstance(tensors, (list, tuple)):
        return tuple([each.dequantize() for each in tensors])
    return tensors.dequantize()

def fake_quantize_per_tensor_affine(input, scale, zero_point, quant_min, quant_max):
    level = torch.round(input * (1.0 / scale)) + zero_point
    level = torch.where(level > quant_min, torch.clamp(level, max=quant_max), torch.tensor(float(quant_min)))
    return (level - zero_point) * scale

def fake_quantize_per_channel_affine(input, scale, zero_point, axis, quant_min, quant_max):
    moved = fake_quantize_per_tensor_affine(torch.movedim(input, axis, -1), scale, zero_point, quant_min, quant_max)
    return torch.movedim(moved, -1, axis)

def normalize(input, p=2.0, dim=1, eps=1e-12, out=None):
    assert out is None, "normalize is there without out; write y.copy_(F.normalize(x))"
    return input / torch.clamp(torch.norm(input, p, dim=dim, keepdim=True), min=eps)

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

def bernoulli(input, p=None):
    return torch.where(torch.rand_like(input) < (input if p is None else p), torch.ones_like(input), torch.zeros_like(input))

def max_over_dim(input, dim, keepdim=False):
    if input.requires_grad:  # the gradient is the first's of equals, not shared
        return _at_places(input, dim, torch.argmax(input, dim=dim, keepdim=True), keepdim)
    return torch.amax(input, dim=dim, keepdim=keepdim), torch.argmax(input, dim=dim, keepdim=keepdim)

def min_over_dim(input, dim, keepdim=False):
    if input.requires_grad:
        return _at_places(input, dim, torch.argmin(input, dim=dim, keepdim=True), keepdim)
    return torch.amin(input, dim=dim, keepdim=keepdim), torch.argmin(input, dim=dim, keepdim=keepdim)

def glu(input, dim=-1):
    size = input.shape[dim]
    assert size % 2 == 0, "glu halves a dimension, whose extent has to be even"
    return torch.narrow(input, dim, 0, size // 2) * torch.sigmoid(torch.narrow(input, dim, size // 2, size // 2))

def one_hot(tensor, num_classes=-1):
    assert num_classes > 0, "how many classes one_hot has is written in a program: one_hot(t, 10)"
    classes = torch.arange(num_classes)
    torch._check_places(tensor, classes, 0, "one_hot: class value {} is not from 0 to " + str(num_classes - 1))
    return (tensor.unsqueeze(-1) == classes).long()

# Forms of torch, whose arguments are others than those of F.

def _torch_layer_norm(input, normalized_shape, weight=None, bias=None, eps=1e-5, cudnn_enable=True):
    return F.layer_norm(input, normalized_shape, weight, bias, eps)

def _torch_group_norm(input, num_groups, weight=None, bias=None, eps=1e-5, cudnn_enabled=True):
    return F.group_norm(input, num_groups, weight, bias, eps)

def _torch_batch_norm(input, weight, bias, running_mean, running_var, training, momentum, eps, cudnn_enabled):
    return F.batch_norm(input, running_mean, running_var, weight, bias, training, momentum, eps)

def _torch_instance_norm(input, weight, bias, running_mean, running_var, use_input_stats, momentum, eps, cudnn_enabled):
    return F.instance_norm(input, running_mean, running_var, weight, bias, use_input_stats, momentum, eps)

def _torch_alpha_dropout(input, p, train):
    return F.alpha_dropout(input, p, train)

def _torch_feature_alpha_dropout(input, p, train):
    return F.feature_alpha_dropout(input, p, train)

def _torch_feature_dropout(input, p, train):
    return F.dropout2d(input, p, train)

# Calls with arguments that the ops of these names lack: see Evaluator::fullerForm().

def _round_to_decimals(input, decimals=0):
    return _aten_round(input, decimals) if decimals != 0 else torch.round(input)

def _gather_with_gradient(input, dim, index, sparse_grad=False):
    return torch.gather(input, dim, index)

def _index_add_multiple(input, dim, index, source, alpha=1):
    return torch.index_add(input, dim, index, source * alpha)

def _embedding_rows(weight, indices, padding_idx=-1, scale_grad_by_freq=False, sparse=False):
    # Unlike F.embedding's, a negative padding_idx is none.
    return F.embedding(indices, weight, None if padding_idx < 0 else padding_idx, scale_grad_by_freq=scale_grad_by_freq, sparse=sparse)

def _masked_fill_by_tensor(input, mask, value):
    assert value.dim() == 0, "masked_fill takes a number or a tensor without dimensions; write torch.where(mask, value, x)"
    return torch.where(mask, value.to(input.dtype), input)

def _both_extents(given):
    return (given, given) if isinstance(given, int) else tuple(given)

def _avg_pool2d_over_divisor(input, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True, divisor_override=None):
    if divisor_override is None:
        return F.avg_pool2d(input, kernel_size, stride, padding, ceil_mode, count_include_pad)
    assert divisor_override != 0, "divisor_override must not be zero"
    size = _both_extents(kernel_size)
    step = size if stride is None else _both_extents(stride)
    beside = _both_extents(padding)
    if ceil_mode:
        # Zeros for the windows that begin inside and end outside.
        more = []
        for i in range(2):
            extent = input.shape[i - 2]
            windows = -(-(extent + 2 * beside[i] - size[i]) // step[i]) + 1
            if (windows - 1) * step[i] >= extent + beside[i]:
                windows = windows - 1
            more.append(max((windows - 1) * step[i] + size[i] - extent - 2 * beside[i], 0))
        input = F.pad(input, (beside[1], beside[1] + more[1], beside[0], beside[0] + more[0]))
        beside = (0, 0)
    return F.avg_pool2d(input, size, step, beside, False, True) * (size[0] * size[1] / divisor_override)

def group_norm(input, num_groups, weight=None, bias=None, eps=1e-5):
    assert input.shape[1] % num_groups == 0, "group_norm's groups must have the same number of channels"
    grouped = input.reshape(input.shape[0], num_groups, input.shape[1] // num_groups, -1)
    mean = torch.mean(grouped, dim=(-2, -1), keepdim=True)
    variance = torch.var(grouped, dim=(-2, -1), unbiased=False, keepdim=True)
    normed = (grouped - mean) * torch.rsqrt(variance + eps)
    result = normed if weight is None else normed * weight.view(num_groups, -1, 1)
    if bias is not None:
        result = result + bias.view(num_groups, -1, 1)
    return _as_input(result, normed).reshape(input.shape)

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

def var_mean(input, dim=None, unbiased=True, keepdim=False, correction=None):
    if correction is not None:
        return torch.var(input, dim=dim, correction=correction, keepdim=keepdim), torch.mean(input, dim=dim, keepdim=keepdim)
    return torch.var(input, dim=dim, unbiased=unbiased, keepdim=keepdim), torch.mean(input, dim=dim, keepdim=keepdim)

def std_mean(input, dim=None, unbiased=True, keepdim=False, correction=None):
    if correction is not None:
        return torch.std(input, dim=dim, correction=correction, keepdim=keepdim), torch.mean(input, dim=dim, keepdim=keepdim)
    return torch.std(input, dim=dim, unbiased=unbiased, keepdim=keepdim), torch.mean(input, dim=dim, keepdim=keepdim)

def embedding_bag(input, weight, offsets=None, max_norm=None, norm_type=2, scale_grad_by_freq=False, mode='mean', sparse=False, per_sample_weights=None, include_last_offset=False, padding_idx=None):
    assert (offsets is None) == (input.dim() == 2), "embedding_bag takes a 2-d index, or a 1-d index with offsets"
    assert mode in ('mean', 'sum', 'max'), "mode of embedding_bag is 'mean', 'sum' or 'max'"
    assert mode != 'max' or not scale_grad_by_freq, "embedding_bag with mode='max' does not support scale_grad_by_freq"
    assert per_sample_weights is None or mode == 'sum', "per_sample_weights of embedding_bag go with mode='sum'"
    if offsets is not None or padding_idx is not None:
        assert max_norm is None and not scale_grad_by_freq and not sparse, "embedding_bag with offsets or padding_idx does not support max_norm, scale_grad_by_freq and sparse"
        if offsets is None:
            offsets = torch.arange(0, input.numel(), input.shape[1])
            input = input.reshape(-1)
            per_sample_weights = None if per_sample_weights is None else per_sample_weights.reshape(-1)
        row = -1 if padding_idx is None else padding_idx if padding_idx >= 0 else weight.shape[0] + padding_idx
        return _aten_embedding_bag(weight, input, offsets, {'sum': 0, 'mean': 1, 'max': 2}[mode], per_sample_weights, include_last_offset, row)[0]
    rows = embedding(input, weight, None, max_norm, norm_type, scale_grad_by_freq, sparse)
    if per_sample_weights is not None:
        rows = rows * per_sample_weights.unsqueeze(-1)
    if mode == 'max':
        return max_over_dim(rows, 1)[0]
    return torch.sum(rows, dim=1) if mode == 'sum' else torch.mean(rows, dim=1)

def _counts_by_index(input, dim, index, src, include_self):
    start = torch.ones_like(input) if include_self else torch.zeros_like(input)
    counts = torch.scatter_add(start, dim, index, torch.ones_like(src))
    return counts if include_self else torch.where(counts == 0, torch.ones_like(counts), counts)

def _start_by_index(input, dim, index, src, reduce, in_place):
    if reduce in ('amax', 'amin') and not torch.is_floating_point(input):
        return input.scatter_(dim, index, src) if in_place else torch.scatter(input, dim, index, src)
    start = {'sum': 0, 'mean': 0, 'prod': 1, 'amax': float('-inf'), 'amin': float('inf')}[reduce]
    return input.scatter_(dim, index, start) if in_place else torch.scatter(input, dim, index, start)

def _scatter_reduced(input, dim, index, src, reduce, include_self, in_place):
    assert reduce in ('sum', 'prod', 'mean', 'amax', 'amin'), "reduce of scatter_reduce is 'sum', 'prod', 'mean', 'amax' or 'amin'"
    start = input if include_self else _start_by_index(input, dim, index, src, reduce, in_place)
    if reduce not in ('sum', 'mean'):
        return start._reduce_by_index(dim, index, src, reduce, in_place)
    total = start.scatter_add_(dim, index, src) if in_place else torch.scatter_add(start, dim, index, src)
    if reduce == 'sum':
        return total
    counts = _counts_by_index(input.detach(), dim, index, src.detach(), include_self)
    if torch.is_floating_point(input):
        return total.div_(counts) if in_place else total / counts
    means = torch.div(total, counts, rounding_mode='floor')
    return input.copy_(means) if in_place else means

def scatter_reduce(input, dim, index, src, reduce, include_self=True):
    return _scatter_reduced(input, dim, index, src, reduce, include_self, False)

def scatter_reduce_(input, dim, index, src, reduce, include_self=True):
    return _scatter_reduced(input, dim, index, src, reduce, include_self, True)

def _scatter_reducing(input, dim, index, src=None, value=None, *, reduce):
    assert reduce in ('add', 'multiply'), "reduce argument must be either add or multiply"
    source = src if src is not None else value
    if not torch.is_tensor(source):
        source = torch.full_like(index, source, dtype=input.dtype)
    return scatter_reduce(input, dim, index, source, 'sum' if reduce == 'add' else 'prod')

def put(input, index, source, accumulate=False):
    made = input.reshape(-1).clone()
    places = index.reshape(-1)
    values = source.reshape(-1)
    assert places.numel() == values.numel(), "put takes as many elements in source as in index"
    places = torch.where(places < 0, places + input.numel(), places)
    if accumulate:
        made.index_add_(0, places, values)
    else:
        made[places] = values
    return made.reshape(input.shape)

def put_(input, index, source, accumulate=False):
    return input.copy_(put(input, index, source, accumulate))

def rsub(input, other, *, alpha=1):
    return other - input if isinstance(alpha, int) and alpha == 1 else other - input * alpha

def positive(input):
    assert input.dtype != torch.bool, "The `+` operator, on a bool tensor is not supported."
    return input

def _wide_index(dim, index, source):
    shape = [1] * source.dim()
    shape[dim] = -1
    return index.view(shape).expand_as(source)

def index_reduce(input, dim, index, source, reduce, include_self=True):
    assert reduce != 'sum', "reduce of index_reduce is 'prod', 'mean', 'amax' or 'amin'; for sums there is index_add"
    return _scatter_reduced(input, dim, _wide_index(dim, index, source), source, reduce, include_self, False)

def index_reduce_(input, dim, index, source, reduce, include_self=True):
    assert reduce != 'sum', "reduce of index_reduce is 'prod', 'mean', 'amax' or 'amin'; for sums there is index_add"
    return _scatter_reduced(input, dim, _wide_index(dim, index, source), source, reduce, include_self, True)

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

def _linalg_norm(A, ord=None, dim=None, keepdim=False, *, dtype=None):
    of_rows = dim is None and A.dim() == 2 or isinstance(dim, (tuple, list)) and len(dim) == 2
    if ord is not None and (of_rows or isinstance(ord, str)):
        return _linalg_matrix_norm(A, ord, (-2, -1) if dim is None else dim, keepdim, dtype=dtype)
    if dtype is not None:
        A = A.to(dtype)
    return torch.norm(A, 2 if ord is None else ord, dim=dim, keepdim=keepdim)

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
    if prepend is not None or append is not None:
        input = torch.cat([part for part in (prepend, input, append) if part is not None], dim)
    for i in range(n):
        extent = input.shape[dim]
        input = torch.narrow(input, dim, 1, extent - 1) - torch.narrow(input, dim, 0, extent - 1)
    return input

def addmv(input, mat, vec, *, beta=1, alpha=1):
    assert input.dtype == mat.dtype, "addmv takes tensors of one dtype; cast one of them"
    made = alpha * torch.mv(mat, vec)
    return made if beta == 0 else beta * input + made

def addbmm(input, batch1, batch2, *, beta=1, alpha=1):
    assert input.dtype == batch1.dtype, "addbmm takes tensors of one dtype; cast one of them"
    made = alpha * torch.einsum('bij,bjk->ik', batch1, batch2)
    return made if beta == 0 else beta * input.to(made.dtype) + made

def addr(input, vec1, vec2, *, beta=1, alpha=1):
    made = alpha * (vec1.unsqueeze(1) * vec2)
    return made if beta == 0 else beta * input + made

def addmm_(input, mat1, mat2, *, beta=1, alpha=1):
    return input.copy_(torch.addmm(input, mat1, mat2, beta=beta, alpha=alpha))

def baddbmm_(input, batch1, batch2, *, beta=1, alpha=1):
    return input.copy_(torch.baddbmm(input, batch1, batch2, beta=beta, alpha=alpha))

def addmv_(input, mat, vec, *, beta=1, alpha=1):
    return input.copy_(addmv(input, mat, vec, beta=beta, alpha=alpha))

def addbmm_(input, batch1, batch2, *, beta=1, alpha=1):
    return input.copy_(addbmm(input, batch1, batch2, beta=beta, alpha=alpha))

class _NumberInfo:
    def __init__(self, dtype, bits, low, high, eps=None, tiny=None):
        self.dtype = dtype
        self.bits = bits
        self.min = low
        self.max = high
        self.eps = eps
        self.tiny = tiny
        self.smallest_normal = tiny

def finfo(type=torch.float32):
    if type == torch.float16:
        return _NumberInfo('float16', 16, -65504.0, 65504.0, 0.0009765625, 6.103515625e-05)
    if type == torch.bfloat16:
        return _NumberInfo('bfloat16', 16, -3.3895313892515355e+38, 3.3895313892515355e+38, 0.0078125, 1.1754943508222875e-38)
    if type == torch.float64:
        return _NumberInfo('float64', 64, -1.7976931348623157e+308, 1.7976931348623157e+308, 2.220446049250313e-16, 2.2250738585072014e-308)
    assert type == torch.float32, "finfo is of a dtype of floats; of integers there is iinfo"
    return _NumberInfo('float32', 32, -3.4028234663852886e+38, 3.4028234663852886e+38, 1.1920928955078125e-07, 1.1754943508222875e-38)

def iinfo(type):
    if type == torch.uint8:
        return _NumberInfo('uint8', 8, 0, 255)
    if type == torch.int8:
        return _NumberInfo('int8', 8, -128, 127)
    if type == torch.int32:
        return _NumberInfo('int32', 32, -2147483648, 2147483647)
    assert type == torch.int64, "iinfo is of a dtype of integers; of floats there is finfo"
    return _NumberInfo('int64', 64, -9223372036854775808, 9223372036854775807)

def isclose(input, other, rtol=1e-05, atol=1e-08, equal_nan=False):
    assert input.dtype == other.dtype, "isclose compares tensors of one dtype; cast one of them"
    assert rtol >= 0 and atol >= 0, "rtol and atol of isclose are 0 or more"
    same = input == other
    if equal_nan and torch.is_floating_point(input):
        same = torch.logical_or(same, torch.logical_and(torch.isnan(input), torch.isnan(other)))
    if rtol == 0 and atol == 0:
        return same
    if not torch.is_floating_point(input):
        input, other = input.float(), other.float()
    apart = torch.abs(input - other)
    near = apart <= atol + torch.abs(rtol * other)
    return torch.logical_or(same, torch.logical_and(near, torch.isfinite(apart)))

def aminmax(input, *, dim=None, keepdim=False):
    if dim is None:
        every = list(range(input.dim()))
        return torch.amin(input, dim=every, keepdim=keepdim), torch.amax(input, dim=every, keepdim=keepdim)
    return torch.amin(input, dim=dim, keepdim=keepdim), torch.amax(input, dim=dim, keepdim=keepdim)

def float_power(input, exponent):
    return torch.pow(input.double() if torch.is_tensor(input) else input, exponent.double() if torch.is_tensor(exponent) else exponent)

def ldexp(input, other):
    dtype = torch.result_type(input, other)
    made = input * 2.0 ** other
    return made.to(dtype) if dtype in (torch.float16, torch.bfloat16) else made

def vdot(input, other):
    return torch.dot(input, other)

def ger(input, vec2):
    return torch.outer(input, vec2)

def adjoint(input):
    return input.transpose(-2, -1)

def logcumsumexp(input, dim):
    if input.dim() == 0:
        return input.clone()
    made = input.float() if input.dtype in (torch.float16, torch.bfloat16) else input
    extent = input.shape[dim]
    step = 1
    # Each element has the sum of twice as many up to itself after each round: Hillis and Steele, 1986.
    while step < extent:
        first = torch.narrow(made, dim, 0, step)
        rest = torch.logaddexp(torch.narrow(made, dim, step, extent - step), torch.narrow(made, dim, 0, extent - step))
        made = cat([first, rest], dim)
        step = 2 * step
    return made.to(input.dtype) if step > 1 else input.clone()

def renorm(input, p, dim, maxnorm):
    others = [d for d in range(input.dim()) if d != (dim if dim >= 0 else dim + input.dim())]
    length = torch.norm(input, p, dim=others, keepdim=True)
    return torch.where(length > maxnorm, input * (maxnorm / (length + 1e-7)), input)

def matrix_power(input, n):
    assert n >= 0, "matrix_power is there with n from 0 on: there are no inverses"
    if n == 1:
        return input.clone()
    if n == 0:
        return torch.eye(input.shape[-1]).to(input.dtype).expand_as(input).clone()
    made = None
    square = input
    while n > 0:
        if n % 2 == 1:
            made = square if made is None else torch.matmul(made, square)
        n = n // 2
        if n > 0:
            square = torch.matmul(square, square)
    return made

def prelu(input, weight):
    if weight.numel() > 1:
        assert input.dim() > 1, "prelu with a slope for each channel takes a tensor of 2 dimensions or more"
        weight = weight.view([-1 if d == 1 else 1 for d in range(input.dim())])
    return torch.where(input > 0, input, weight * input)

def bilinear(input1, input2, weight, bias=None):
    made = torch.einsum('...i,oij,...j->...o', input1, weight, input2)
    return made if bias is None else made + bias

def fill_diagonal_(input, fill_value, wrap=False):
    assert input.dim() >= 2, "fill_diagonal_ needs 2 dimensions or more"
    if input.dim() == 2:
        rows = input.shape[0]
        columns = input.shape[1]
        for first in range(0, rows if wrap else 1, columns + 1):
            torch.diagonal(input, -first).fill_(fill_value)
        return input
    extent = input.shape[0]
    assert all([each == extent for each in input.shape]), "fill_diagonal_ of more than 2 dimensions needs equal extents"
    part = torch.diagonal(input, 0, 0, 1)
    for i in range(input.dim() - 2):
        part = torch.diagonal(part, 0, 0, part.dim() - 1)
    part.fill_(fill_value)
    return input

def trace(input):
    assert input.dim() == 2, "trace takes a tensor of 2 dimensions"
    return torch.sum(torch.diagonal(input))

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
    assert input.dtype == other.dtype, "cross takes tensors of one dtype; cast one of them"
    assert input.shape[dim] == 3 and other.shape[dim] == 3, "cross is of vectors with 3 elements along dim"
    a = [torch.select(input, dim, i) for i in range(3)]
    b = [torch.select(other, dim, i) for i in range(3)]
    return stack([a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]], dim)

def logspace(start, end, steps, base=10.0, dtype=None, layout=None, device=None, requires_grad=False):
    return base ** torch.linspace(start, end, steps, dtype=dtype)

def cov(input, correction=1, fweights=None, aweights=None):
    assert input.dim() <= 2, "cov needs at most 2 dimensions: variables, observations"
    if input.dim() < 2:
        return cov(input.reshape(1, -1), correction, fweights, aweights).reshape([])
    if fweights is None and aweights is None:
        apart = input - torch.mean(input, dim=1, keepdim=True)
        return torch.matmul(apart, apart.transpose(0, 1)) / (input.shape[1] - correction)
    weights = fweights if aweights is None else aweights if fweights is None else fweights * aweights
    weights = weights.to(input.dtype)
    total = torch.sum(weights)
    apart = input - (torch.sum(input * weights, dim=1) / total).unsqueeze(1)
    if aweights is None:
        free = total - correction
    else:
        free = total - correction * torch.sum(weights * aweights) / total
    return torch.matmul(apart * weights, apart.transpose(0, 1)) / torch.clamp(free, min=0)

def corrcoef(input):
    each = cov(input)
    spread = torch.sqrt(torch.diagonal(each))
    return torch.clamp(each / spread.unsqueeze(1) / spread, min=-1, max=1)

def gumbel_softmax(logits, tau=1, hard=False, eps=1e-10, dim=-1):
    noise = -torch.log(-torch.log(torch.rand_like(logits)))
    soft = softmax((logits + noise) / tau, dim)
    if not hard:
        return soft
    index = torch.argmax(soft, dim=dim, keepdim=True)
    return torch.scatter(torch.zeros_like(soft), dim, index, torch.ones_like(soft)) - soft.detach() + soft

def local_response_norm(input, size, alpha=1e-4, beta=0.75, k=1.0):
    squares = pad(input * input, [0, 0] * (input.dim() - 2) + [size // 2, (size - 1) // 2])
    total = torch.narrow(squares, 1, 0, input.shape[1])
    for i in range(1, size):
        total = total + torch.narrow(squares, 1, i, input.shape[1])
    return input / (total / size * alpha + k) ** beta

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

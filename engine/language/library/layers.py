# SPDX-License-Identifier: GPL-3.0-or-later
# Functions for products, convolutions, attention and pooling.

def _softmax_or_zeros(scores):
    # Rows of which a mask leaves nothing are 0, not NaN.
    top = torch.amax(scores, dim=-1, keepdim=True)
    e = torch.exp(scores - torch.where(top == float('-inf'), torch.tensor(0.0), top))
    return e / torch.clamp(torch.sum(e, dim=-1, keepdim=True), min=1)

def scaled_dot_product_attention(query, key, value, attn_mask=None, dropout_p=0.0, is_causal=False, scale=None, enable_gqa=False):
    assert 0 <= dropout_p <= 1, "the probability of dropout must be between 0 and 1"
    if enable_gqa:
        key = torch.repeat_interleave(key, query.shape[-3] // key.shape[-3], -3)
        value = torch.repeat_interleave(value, query.shape[-3] // value.shape[-3], -3)
    weights = torch.matmul(query, key.transpose(-2, -1)) * (query.shape[-1] ** -0.5 if scale is None else scale)
    if is_causal:
        assert attn_mask is None, "scaled_dot_product_attention takes attn_mask or is_causal, not both"
        kept = torch.tril(torch.ones(query.shape[-2], key.shape[-2]))
        weights = torch.where(kept > 0, weights, torch.tensor(float('-inf')))
    if attn_mask is not None:
        if attn_mask.dtype == torch.bool:
            weights = torch.where(attn_mask, weights, torch.tensor(float('-inf')))
        else:
            weights = weights + attn_mask
        return torch.matmul(dropout(_softmax_or_zeros(weights), dropout_p), value)
    return torch.matmul(dropout(softmax(weights, -1), dropout_p), value)

def _pair(value):
    return (value, value) if isinstance(value, int) else tuple(value)

def adaptive_avg_pool2d(input, output_size):
    wanted = _pair(output_size)
    height = input.shape[-2]
    width = input.shape[-1]
    rows = height if wanted[0] is None else wanted[0]
    columns = width if wanted[1] is None else wanted[1]
    if height % rows != 0 or width % columns != 0:
        return _aten_adaptive_avg_pool(input, [rows, columns], 2)
    return F.avg_pool2d(input, (height // rows, width // columns))

def _pooled(input, output_size, windows, average):
    wanted = (output_size,) * windows if output_size is None or isinstance(output_size, int) else tuple(output_size)
    counts = [input.shape[i - windows] if wanted[i] is None else wanted[i] for i in range(windows)]
    size = [input.shape[i - windows] // counts[i] for i in range(windows)]
    if windows == 3 or any([input.shape[i - windows] % counts[i] != 0 for i in range(windows)]):
        return _aten_adaptive_avg_pool(input, counts, windows) if average else _largest_of_windows(input, counts, windows)
    if windows == 1:
        return F.avg_pool1d(input, size[0]) if average else F.max_pool1d(input, size[0])
    return F.avg_pool2d(input, tuple(size)) if average else F.max_pool2d(input, tuple(size))

def adaptive_avg_pool1d(input, output_size):
    return _pooled(input, output_size, 1, True)

def adaptive_max_pool1d(input, output_size, return_indices=False):
    made = _pooled(input, output_size, 1, False)
    return (made, _adaptive_places(input, output_size, 1)) if return_indices else made

def adaptive_max_pool2d(input, output_size, return_indices=False):
    made = _pooled(input, output_size, 2, False)
    return (made, _adaptive_places(input, output_size, 2)) if return_indices else made

def adaptive_avg_pool3d(input, output_size):
    return _pooled(input, output_size, 3, True)

def adaptive_max_pool3d(input, output_size, return_indices=False):
    made = _pooled(input, output_size, 3, False)
    return (made, _adaptive_places(input, output_size, 3)) if return_indices else made

def _adaptive_places(input, output_size, windows):
    wanted = (output_size,) * windows if output_size is None or isinstance(output_size, int) else tuple(output_size)
    counts = [input.shape[i - windows] if wanted[i] is None else wanted[i] for i in range(windows)]
    for i in range(windows):
        assert input.shape[i - windows] % counts[i] == 0, "indices of an adaptive max pool need an output size that divides the input's extents"
    size = [input.shape[i - windows] // counts[i] for i in range(windows)]
    return _aten_max_places(input, size, size, 0, 1, False, windows)

def _largest_of_windows(input, counts, windows):
    for i in range(windows):
        dim = input.dim() - windows + i
        extent = input.shape[dim]
        parts = []
        for k in range(counts[i]):
            begin = k * extent // counts[i]
            parts.append(torch.amax(torch.narrow(input, dim, begin, -(-(k + 1) * extent // counts[i]) - begin), dim=dim, keepdim=True))
        input = torch.cat(parts, dim)
    return input

def max_pool1d_with_indices(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=True):
    return _max_pool_with_places(input, kernel_size, stride, padding, dilation, ceil_mode, 1)

def max_pool2d_with_indices(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=True):
    return _max_pool_with_places(input, kernel_size, stride, padding, dilation, ceil_mode, 2)

def max_pool3d_with_indices(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=True):
    return _max_pool_with_places(input, kernel_size, stride, padding, dilation, ceil_mode, 3)

def _max_pool1d_asked(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False):
    if return_indices:
        return max_pool1d_with_indices(input, kernel_size, stride, padding, dilation, ceil_mode)
    return F.max_pool1d(input, kernel_size, stride, padding, dilation, ceil_mode)

def _max_pool2d_asked(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False):
    if return_indices:
        return max_pool2d_with_indices(input, kernel_size, stride, padding, dilation, ceil_mode)
    return F.max_pool2d(input, kernel_size, stride, padding, dilation, ceil_mode)

def max_pool3d(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False):
    if return_indices:
        return max_pool3d_with_indices(input, kernel_size, stride, padding, dilation, ceil_mode)
    return _aten_max_pool(input, kernel_size, [] if stride is None else stride, padding, dilation, ceil_mode, 3)

def _max_pool_with_places(input, kernel_size, stride, padding, dilation, ceil_mode, windows):
    step = [] if stride is None else stride
    made = _aten_max_pool(input, kernel_size, step, padding, dilation, ceil_mode, windows)
    return made, _aten_max_places(input, kernel_size, step, padding, dilation, ceil_mode, windows)

def _unpooled(input, indices, kernel_size, stride, padding, output_size, windows):
    kernel = _aten_each(kernel_size, windows)
    step = kernel if stride is None else _aten_each(stride, windows)
    sides = _aten_each(padding, windows)
    lead = list(input.shape)[:input.dim() - windows]
    if output_size is None:
        size = [(input.shape[i - windows] - 1) * step[i] - 2 * sides[i] + kernel[i] for i in range(windows)]
    else:
        size = list(output_size)[len(output_size) - windows:]
    count = 1
    for extent in size:
        count = count * extent
    start = input.new_zeros(lead + [count])
    return torch.scatter(start, -1, indices.reshape(lead + [-1]), input.reshape(lead + [-1])).reshape(lead + size)

def max_unpool1d(input, indices, kernel_size, stride=None, padding=0, output_size=None):
    return _unpooled(input, indices, kernel_size, stride, padding, output_size, 1)

def max_unpool2d(input, indices, kernel_size, stride=None, padding=0, output_size=None):
    return _unpooled(input, indices, kernel_size, stride, padding, output_size, 2)

def max_unpool3d(input, indices, kernel_size, stride=None, padding=0, output_size=None):
    return _unpooled(input, indices, kernel_size, stride, padding, output_size, 3)

class Linear(Module):
    def __init__(self, in_features, out_features, bias=True, device=None, dtype=None):
        self.in_features = in_features
        self.out_features = out_features
        self.weight = torch.empty(out_features, in_features)
        self.bias = torch.empty(out_features) if bias else None
        self.reset_parameters()
    def reset_parameters(self):
        nn.init.kaiming_uniform_(self.weight, a=math.sqrt(5))
        if self.bias is not None:
            bound = 1 / math.sqrt(self.in_features) if self.in_features > 0 else 0
            nn.init.uniform_(self.bias, -bound, bound)
    def forward(self, input):
        return F.linear(input, self.weight, self.bias)

class Embedding(Module):
    def __init__(self, num_embeddings, embedding_dim, padding_idx=None, max_norm=None, norm_type=2.0, scale_grad_by_freq=False, sparse=False, device=None, dtype=None):
        assert not sparse, "Embedding is there without sparse=True: gradients are dense tensors"
        if padding_idx is not None and padding_idx < 0:
            padding_idx = num_embeddings + padding_idx
        assert padding_idx is None or 0 <= padding_idx < num_embeddings, "padding_idx of Embedding names a row"
        self.num_embeddings = num_embeddings
        self.embedding_dim = embedding_dim
        self.padding_idx = padding_idx
        self.max_norm = max_norm
        self.norm_type = norm_type
        self.scale_grad_by_freq = scale_grad_by_freq
        self.weight = torch.empty(num_embeddings, embedding_dim)
        self.reset_parameters()
    def reset_parameters(self):
        nn.init.normal_(self.weight)
        if self.padding_idx is not None:
            nn.init._zero_row_(self.weight, self.padding_idx)
    def forward(self, input):
        return F.embedding(input, self.weight, self.padding_idx, self.max_norm, self.norm_type, self.scale_grad_by_freq)

class EmbeddingBag(Module):
    def __init__(self, num_embeddings, embedding_dim, max_norm=None, norm_type=2.0, scale_grad_by_freq=False, mode='mean', sparse=False, _weight=None, include_last_offset=False, padding_idx=None, device=None, dtype=None):
        assert not sparse and _weight is None, "EmbeddingBag does not support sparse and _weight"
        self.scale_grad_by_freq = scale_grad_by_freq
        self.include_last_offset = include_last_offset
        self.padding_idx = padding_idx
        self.max_norm = max_norm
        self.norm_type = norm_type
        self.mode = mode
        self.weight = torch.empty(num_embeddings, embedding_dim)
        nn.init.normal_(self.weight)
    def forward(self, input, offsets=None, per_sample_weights=None):
        return F.embedding_bag(input, self.weight, offsets, self.max_norm, self.norm_type, self.scale_grad_by_freq, self.mode, per_sample_weights=per_sample_weights, include_last_offset=self.include_last_offset, padding_idx=self.padding_idx)

def _sides(padding, windows):
    return (padding,) * (2 * windows) if isinstance(padding, int) else tuple(padding)

class _Pad(Module):
    _mode = 'constant'
    def __init__(self, padding):
        self.padding = _sides(padding, self._windows)
        self.value = 0
    def forward(self, input):
        return F.pad(input, self.padding, self._mode, self.value)

class ConstantPad1d(_Pad):
    _windows = 1
    def __init__(self, padding, value):
        self.padding = _sides(padding, 1)
        self.value = value

class ZeroPad1d(_Pad):
    _windows = 1

class ReflectionPad1d(_Pad):
    _windows = 1
    _mode = 'reflect'

class ReplicationPad1d(_Pad):
    _windows = 1
    _mode = 'replicate'

class CircularPad1d(_Pad):
    _windows = 1
    _mode = 'circular'

class ConstantPad2d(_Pad):
    _windows = 2
    def __init__(self, padding, value):
        self.padding = _sides(padding, 2)
        self.value = value

class ZeroPad2d(_Pad):
    _windows = 2

class ReflectionPad2d(_Pad):
    _windows = 2
    _mode = 'reflect'

class ReplicationPad2d(_Pad):
    _windows = 2
    _mode = 'replicate'

class CircularPad2d(_Pad):
    _windows = 2
    _mode = 'circular'

class ConstantPad3d(_Pad):
    _windows = 3
    def __init__(self, padding, value):
        self.padding = _sides(padding, 3)
        self.value = value

class ZeroPad3d(_Pad):
    _windows = 3

class ReflectionPad3d(_Pad):
    _windows = 3
    _mode = 'reflect'

class ReplicationPad3d(_Pad):
    _windows = 3
    _mode = 'replicate'

class CircularPad3d(_Pad):
    _windows = 3
    _mode = 'circular'

class _Conv(Module):
    def __init__(self, in_channels, out_channels, kernel_size, stride=1, padding=0, dilation=1, groups=1, bias=True, padding_mode='zeros', device=None, dtype=None):
        assert padding_mode in ('zeros', 'reflect', 'replicate', 'circular'), "padding_mode of a convolution is 'zeros', 'reflect', 'replicate' or 'circular'"
        size = (kernel_size,) * self._windows if isinstance(kernel_size, int) else tuple(kernel_size)
        steps = (dilation,) * self._windows if isinstance(dilation, int) else tuple(dilation)
        if padding == 'valid':
            padding = 0
        if padding == 'same':
            for i in range(self._windows):
                assert steps[i] * (size[i] - 1) % 2 == 0, "padding='same' is there for windows of odd size"
            padding = tuple([steps[i] * (size[i] - 1) // 2 for i in range(self._windows)])
        self._sides = None
        if padding_mode != 'zeros':
            sides = (padding,) * self._windows if isinstance(padding, int) else tuple(padding)
            self._mode = padding_mode
            self._sides = ()
            for each in sides:
                self._sides = (each, each) + self._sides
            padding = 0
        self.in_channels = in_channels
        self.out_channels = out_channels
        self.kernel_size = size
        self.stride = (stride,) * self._windows if isinstance(stride, int) else tuple(stride)
        self.padding = (padding,) * self._windows if isinstance(padding, int) else tuple(padding)
        self.dilation = steps
        self.groups = groups
        self.padding_mode = padding_mode
        self.weight = torch.empty((out_channels, in_channels // groups) + size)
        self.bias = torch.empty(out_channels) if bias else None
        self.reset_parameters()

    def reset_parameters(self):
        nn.init.kaiming_uniform_(self.weight, a=math.sqrt(5))
        if self.bias is not None:
            elements = self.in_channels // self.groups
            for each in self.kernel_size:
                elements = elements * each
            bound = 1 / math.sqrt(elements)
            nn.init.uniform_(self.bias, -bound, bound)

    def padded(self, input):
        return input if self._sides is None else F.pad(input, self._sides, self._mode)

class Conv1d(_Conv):
    _windows = 1
    def forward(self, input):
        return self._conv_forward(input, self.weight, self.bias)
    def _conv_forward(self, input, weight, bias):
        return F.conv1d(self.padded(input), weight, bias, self.stride, self.padding, self.dilation, self.groups)

class Conv2d(_Conv):
    _windows = 2
    def forward(self, input):
        return self._conv_forward(input, self.weight, self.bias)
    def _conv_forward(self, input, weight, bias):
        return F.conv2d(self.padded(input), weight, bias, self.stride, self.padding, self.dilation, self.groups)

class MaxPool2d(Module):
    def __init__(self, kernel_size, stride=None, padding=0, dilation=1, return_indices=False, ceil_mode=False):
        self.kernel_size = kernel_size
        self.stride = stride
        self.padding = padding
        self.dilation = dilation
        self.return_indices = return_indices
        self.ceil_mode = ceil_mode
    def forward(self, input):
        if self.return_indices:
            return F.max_pool2d_with_indices(input, self.kernel_size, self.stride, self.padding, self.dilation, self.ceil_mode)
        return F.max_pool2d(input, self.kernel_size, self.stride, self.padding, self.dilation, self.ceil_mode)

class MaxPool1d(MaxPool2d):
    def forward(self, input):
        if self.return_indices:
            return F.max_pool1d_with_indices(input, self.kernel_size, self.stride, self.padding, self.dilation, self.ceil_mode)
        return F.max_pool1d(input, self.kernel_size, self.stride, self.padding, self.dilation, self.ceil_mode)

class MaxPool3d(MaxPool2d):
    def forward(self, input):
        return F.max_pool3d(input, self.kernel_size, self.stride, self.padding, self.dilation, self.ceil_mode, self.return_indices)

class MaxUnpool2d(Module):
    def __init__(self, kernel_size, stride=None, padding=0):
        self.kernel_size = kernel_size
        self.stride = stride
        self.padding = padding
    def forward(self, input, indices, output_size=None):
        return F.max_unpool2d(input, indices, self.kernel_size, self.stride, self.padding, output_size)

class MaxUnpool1d(MaxUnpool2d):
    def forward(self, input, indices, output_size=None):
        return F.max_unpool1d(input, indices, self.kernel_size, self.stride, self.padding, output_size)

class MaxUnpool3d(MaxUnpool2d):
    def forward(self, input, indices, output_size=None):
        return F.max_unpool3d(input, indices, self.kernel_size, self.stride, self.padding, output_size)

class AvgPool2d(Module):
    def __init__(self, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True, divisor_override=None):
        self.kernel_size = kernel_size
        self.stride = stride
        self.padding = padding
        self.ceil_mode = ceil_mode
        self.count_include_pad = count_include_pad
        self.divisor_override = divisor_override
    def forward(self, input):
        return _avg_pool2d_over_divisor(input, self.kernel_size, self.stride, self.padding, self.ceil_mode, self.count_include_pad, self.divisor_override)

class AvgPool1d(AvgPool2d):
    def forward(self, input):
        return F.avg_pool1d(input, self.kernel_size, self.stride, self.padding, self.ceil_mode, self.count_include_pad)

class AdaptiveAvgPool2d(Module):
    def __init__(self, output_size):
        self.output_size = output_size
    def forward(self, input):
        return F.adaptive_avg_pool2d(input, self.output_size)

class AdaptiveAvgPool1d(AdaptiveAvgPool2d):
    def forward(self, input):
        return F.adaptive_avg_pool1d(input, self.output_size)

class AdaptiveAvgPool3d(AdaptiveAvgPool2d):
    def forward(self, input):
        return F.adaptive_avg_pool3d(input, self.output_size)

class AdaptiveMaxPool1d(Module):
    def __init__(self, output_size, return_indices=False):
        self.output_size = output_size
        self.return_indices = return_indices
    def forward(self, input):
        return F.adaptive_max_pool1d(input, self.output_size, self.return_indices)

class AdaptiveMaxPool2d(AdaptiveMaxPool1d):
    def forward(self, input):
        return F.adaptive_max_pool2d(input, self.output_size, self.return_indices)

class AdaptiveMaxPool3d(AdaptiveMaxPool1d):
    def forward(self, input):
        return F.adaptive_max_pool3d(input, self.output_size, self.return_indices)

class Bilinear(Module):
    def __init__(self, in1_features, in2_features, out_features, bias=True, device=None, dtype=None):
        bound = 1 / math.sqrt(in1_features)
        self.weight = torch.empty(out_features, in1_features, in2_features)
        nn.init.uniform_(self.weight, -bound, bound)
        self.bias = None
        if bias:
            self.bias = torch.empty(out_features)
            nn.init.uniform_(self.bias, -bound, bound)
    def forward(self, input1, input2):
        return F.bilinear(input1, input2, self.weight, self.bias)

class Flatten(Module):
    def __init__(self, start_dim=1, end_dim=-1):
        self.start_dim = start_dim
        self.end_dim = end_dim
    def forward(self, input):
        return torch.flatten(input, self.start_dim, self.end_dim)

class Unflatten(Module):
    def __init__(self, dim, unflattened_size):
        self.dim = dim
        self.unflattened_size = unflattened_size
    def forward(self, input):
        return torch.unflatten(input, self.dim, self.unflattened_size)

class PixelShuffle(Module):
    def __init__(self, upscale_factor):
        self.upscale_factor = upscale_factor
    def forward(self, input):
        return F.pixel_shuffle(input, self.upscale_factor)

class PixelUnshuffle(Module):
    def __init__(self, downscale_factor):
        self.downscale_factor = downscale_factor
    def forward(self, input):
        return F.pixel_unshuffle(input, self.downscale_factor)

class ChannelShuffle(Module):
    def __init__(self, groups):
        self.groups = groups
    def forward(self, input):
        return F.channel_shuffle(input, self.groups)

class Upsample(Module):
    def __init__(self, size=None, scale_factor=None, mode='nearest', align_corners=None, recompute_scale_factor=None):
        self.size = size
        self.scale_factor = scale_factor
        self.mode = mode
        self.align_corners = align_corners
    def forward(self, input):
        return F.interpolate(input, self.size, self.scale_factor, self.mode, self.align_corners)

class UpsamplingNearest2d(Upsample):
    pass

class UpsamplingBilinear2d(Upsample):
    def __init__(self, size=None, scale_factor=None):
        super().__init__(size, scale_factor, 'bilinear', True)

class MultiheadAttention(Module):
    def __init__(self, embed_dim, num_heads, dropout=0.0, bias=True, add_bias_kv=False, add_zero_attn=False, kdim=None, vdim=None, batch_first=False, device=None, dtype=None):
        assert embed_dim % num_heads == 0, "embed_dim of MultiheadAttention is a multiple of num_heads"
        self.embed_dim = embed_dim
        self.num_heads = num_heads
        self.dropout = dropout
        self.batch_first = batch_first
        self.add_zero_attn = add_zero_attn
        self.kdim = embed_dim if kdim is None else kdim
        self.vdim = embed_dim if vdim is None else vdim
        self.in_proj_weight = None
        if self.kdim == embed_dim and self.vdim == embed_dim:
            self.in_proj_weight = torch.empty(3 * embed_dim, embed_dim)
            nn.init.xavier_uniform_(self.in_proj_weight)
        else:
            self.q_proj_weight = torch.empty(embed_dim, embed_dim)
            self.k_proj_weight = torch.empty(embed_dim, self.kdim)
            self.v_proj_weight = torch.empty(embed_dim, self.vdim)
            for weight in (self.q_proj_weight, self.k_proj_weight, self.v_proj_weight):
                nn.init.xavier_uniform_(weight)
        self.in_proj_bias = torch.zeros(3 * embed_dim) if bias else None
        self.bias_k = torch.empty(1, 1, embed_dim) if add_bias_kv else None
        self.bias_v = torch.empty(1, 1, embed_dim) if add_bias_kv else None
        if add_bias_kv:
            nn.init.xavier_normal_(self.bias_k)
            nn.init.xavier_normal_(self.bias_v)
        self.out_proj = Linear(embed_dim, embed_dim, bias=bias)
        if bias:
            nn.init.zeros_(self.out_proj.bias)

    def _part(self, input, i):
        bias = None if self.in_proj_bias is None else self.in_proj_bias[i * self.embed_dim:(i + 1) * self.embed_dim]
        if self.in_proj_weight is None:
            weight = (self.q_proj_weight, self.k_proj_weight, self.v_proj_weight)[i]
        else:
            weight = self.in_proj_weight[i * self.embed_dim:(i + 1) * self.embed_dim]
        made = F.linear(input, weight, bias)
        return made.view(made.shape[0], made.shape[1], self.num_heads, -1).transpose(1, 2)

    def _with_more_positions(self, k, v):
        # Appends the positions of add_bias_kv and add_zero_attn to keys and values, and counts them.
        shape = (k.shape[0], self.num_heads, 1, k.shape[3])
        keys, values = [k], [v]
        if self.bias_k is not None:
            keys.append(self.bias_k.view(1, self.num_heads, 1, -1).expand(shape))
            values.append(self.bias_v.view(1, self.num_heads, 1, -1).expand(shape))
        if self.add_zero_attn:
            keys.append(k.new_zeros(shape))
            values.append(v.new_zeros(shape))
        return (k, v, 0) if len(keys) == 1 else (torch.cat(keys, 2), torch.cat(values, 2), len(keys) - 1)

    def forward(self, query, key, value, key_padding_mask=None, need_weights=True, attn_mask=None, average_attn_weights=True, is_causal=False):
        assert query.dim() == 3 or query.dim() == 2, "query of MultiheadAttention must have 3 dimensions, or 2 without a batch"
        if query.dim() == 2:
            batch = 0 if self.batch_first else 1
            padding = None if key_padding_mask is None else key_padding_mask.unsqueeze(0)
            result, weights = self.forward(query.unsqueeze(batch), key.unsqueeze(batch), value.unsqueeze(batch), padding, need_weights, attn_mask, average_attn_weights, is_causal)
            return result.squeeze(batch), None if weights is None else weights.squeeze(0)
        if not self.batch_first:
            query = query.transpose(0, 1)
            key = key.transpose(0, 1)
            value = value.transpose(0, 1)
        q = self._part(query, 0)
        k = self._part(key, 1)
        k, v, more = self._with_more_positions(k, self._part(value, 2))
        if more > 0:  # masks do not hide these positions
            attn_mask = None if attn_mask is None else F.pad(attn_mask, (0, more))
            key_padding_mask = None if key_padding_mask is None else F.pad(key_padding_mask, (0, more))
        scores = torch.matmul(q * (q.shape[-1] ** -0.5), k.transpose(-2, -1))
        if attn_mask is not None:
            if attn_mask.dim() == 3:
                attn_mask = attn_mask.view(scores.shape[0], self.num_heads, scores.shape[2], scores.shape[3])
            scores = scores.masked_fill(attn_mask, float('-inf')) if attn_mask.dtype == torch.bool else scores + attn_mask
        if key_padding_mask is not None:
            padded = key_padding_mask.unsqueeze(1).unsqueeze(1)
            scores = scores.masked_fill(padded, float('-inf')) if key_padding_mask.dtype == torch.bool else scores + padded
        masked = attn_mask is not None or key_padding_mask is not None
        weights = softmax(scores, -1) if need_weights or not masked else _softmax_or_zeros(scores)
        if self.dropout > 0 and self.training:
            weights = F.dropout(weights, self.dropout)
        joined = torch.matmul(weights, v).transpose(1, 2).reshape(query.shape[0], query.shape[1], self.embed_dim)
        result = self.out_proj(joined)
        if not self.batch_first:
            result = result.transpose(0, 1)
        if not need_weights:
            return result, None
        return result, torch.mean(weights, dim=1) if average_attn_weights else weights

class TransformerEncoderLayer(Module):
    def __init__(self, d_model, nhead, dim_feedforward=2048, dropout=0.1, activation=F.relu, layer_norm_eps=1e-5, batch_first=False, norm_first=False, bias=True, device=None, dtype=None):
        self.self_attn = MultiheadAttention(d_model, nhead, dropout, bias, batch_first=batch_first)
        self.linear1 = Linear(d_model, dim_feedforward, bias=bias)
        self.dropout = Dropout(dropout)
        self.linear2 = Linear(dim_feedforward, d_model, bias=bias)
        self.norm1 = LayerNorm(d_model, eps=layer_norm_eps, bias=bias)
        self.norm2 = LayerNorm(d_model, eps=layer_norm_eps, bias=bias)
        self.dropout1 = Dropout(dropout)
        self.dropout2 = Dropout(dropout)
        self.norm_first = norm_first
        if activation == 'relu':
            activation = F.relu
        if activation == 'gelu':
            activation = F.gelu
        self.activation = activation

    def _attend(self, x, mask, padding):
        return self.dropout1(self.self_attn(x, x, x, key_padding_mask=padding, need_weights=False, attn_mask=mask)[0])

    def _feed(self, x):
        return self.dropout2(self.linear2(self.dropout(self.activation(self.linear1(x)))))

    def forward(self, src, src_mask=None, src_key_padding_mask=None, is_causal=False):
        x = src
        if self.norm_first:
            x = x + self._attend(self.norm1(x), src_mask, src_key_padding_mask)
            return x + self._feed(self.norm2(x))
        x = self.norm1(x + self._attend(x, src_mask, src_key_padding_mask))
        return self.norm2(x + self._feed(x))

class TransformerEncoder(Module):
    def __init__(self, encoder_layer, num_layers, norm=None, enable_nested_tensor=True, mask_check=True):
        self.layers = ModuleList([_deepcopy(encoder_layer) for i in range(num_layers)])
        self.norm = norm
    def forward(self, src, mask=None, src_key_padding_mask=None, is_causal=None):
        for layer in self.layers:
            src = layer(src, src_mask=mask, is_causal=bool(is_causal), src_key_padding_mask=src_key_padding_mask)
        return src if self.norm is None else self.norm(src)

class TransformerDecoderLayer(Module):
    def __init__(self, d_model, nhead, dim_feedforward=2048, dropout=0.1, activation=F.relu, layer_norm_eps=1e-5, batch_first=False, norm_first=False, bias=True, device=None, dtype=None):
        self.self_attn = MultiheadAttention(d_model, nhead, dropout, bias, batch_first=batch_first)
        self.multihead_attn = MultiheadAttention(d_model, nhead, dropout, bias, batch_first=batch_first)
        self.linear1 = Linear(d_model, dim_feedforward, bias=bias)
        self.dropout = Dropout(dropout)
        self.linear2 = Linear(dim_feedforward, d_model, bias=bias)
        self.norm1 = LayerNorm(d_model, eps=layer_norm_eps, bias=bias)
        self.norm2 = LayerNorm(d_model, eps=layer_norm_eps, bias=bias)
        self.norm3 = LayerNorm(d_model, eps=layer_norm_eps, bias=bias)
        self.dropout1 = Dropout(dropout)
        self.dropout2 = Dropout(dropout)
        self.dropout3 = Dropout(dropout)
        self.norm_first = norm_first
        if activation == 'relu':
            activation = F.relu
        if activation == 'gelu':
            activation = F.gelu
        self.activation = activation

    def _attend(self, x, mask, padding):
        return self.dropout1(self.self_attn(x, x, x, key_padding_mask=padding, need_weights=False, attn_mask=mask)[0])

    def _look(self, x, memory, mask, padding):
        return self.dropout2(self.multihead_attn(x, memory, memory, key_padding_mask=padding, need_weights=False, attn_mask=mask)[0])

    def _feed(self, x):
        return self.dropout3(self.linear2(self.dropout(self.activation(self.linear1(x)))))

    def forward(self, tgt, memory, tgt_mask=None, memory_mask=None, tgt_key_padding_mask=None, memory_key_padding_mask=None, tgt_is_causal=False, memory_is_causal=False):
        x = tgt
        if self.norm_first:
            x = x + self._attend(self.norm1(x), tgt_mask, tgt_key_padding_mask)
            x = x + self._look(self.norm2(x), memory, memory_mask, memory_key_padding_mask)
            return x + self._feed(self.norm3(x))
        x = self.norm1(x + self._attend(x, tgt_mask, tgt_key_padding_mask))
        x = self.norm2(x + self._look(x, memory, memory_mask, memory_key_padding_mask))
        return self.norm3(x + self._feed(x))

class TransformerDecoder(Module):
    def __init__(self, decoder_layer, num_layers, norm=None):
        self.layers = ModuleList([_deepcopy(decoder_layer) for i in range(num_layers)])
        self.norm = norm
    def forward(self, tgt, memory, tgt_mask=None, memory_mask=None, tgt_key_padding_mask=None, memory_key_padding_mask=None, tgt_is_causal=None, memory_is_causal=False):
        for layer in self.layers:
            tgt = layer(tgt, memory, tgt_mask=tgt_mask, memory_mask=memory_mask, tgt_key_padding_mask=tgt_key_padding_mask, memory_key_padding_mask=memory_key_padding_mask, tgt_is_causal=bool(tgt_is_causal), memory_is_causal=memory_is_causal)
        return tgt if self.norm is None else self.norm(tgt)

def _square_subsequent_mask(sz, device=None, dtype=None):
    return torch.where(torch.arange(sz) > torch.arange(sz).unsqueeze(1), torch.full((sz, sz), float('-inf')), torch.tensor(0.0))

class Unfold(Module):
    def __init__(self, kernel_size, dilation=1, padding=0, stride=1):
        self.kernel_size = kernel_size
        self.dilation = dilation
        self.padding = padding
        self.stride = stride
    def forward(self, input):
        return F.unfold(input, self.kernel_size, self.dilation, self.padding, self.stride)

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

namespace fusebench {

/// Layers that are products, convolutions and pools, in the language itself; see library_text.h,
/// after which this is read.
inline constexpr std::string_view kLibraryLayers = R"py(
def scaled_dot_product_attention(query, key, value, attn_mask=None, dropout_p=0.0, is_causal=False, scale=None, enable_gqa=False):
    assert dropout_p == 0, "scaled_dot_product_attention is there without dropout, as inference has it"
    assert not enable_gqa, "scaled_dot_product_attention is there for as many heads of queries as of keys"
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
    return torch.matmul(softmax(weights, -1), value)

def _pair(value):
    return (value, value) if isinstance(value, int) else tuple(value)

def adaptive_avg_pool2d(input, output_size):
    wanted = _pair(output_size)
    height = input.shape[-2]
    width = input.shape[-1]
    rows = height if wanted[0] is None else wanted[0]
    columns = width if wanted[1] is None else wanted[1]
    assert height % rows == 0 and width % columns == 0, "adaptive_avg_pool2d is there where the output's size divides the input's"
    return F.avg_pool2d(input, (height // rows, width // columns))

class Linear(Module):
    def __init__(self, in_features, out_features, bias=True, device=None, dtype=None):
        self.weight = torch.empty(out_features, in_features)
        nn.init.kaiming_uniform_(self.weight, a=math.sqrt(5))
        self.bias = None
        if bias:
            bound = 1 / math.sqrt(in_features) if in_features > 0 else 0
            self.bias = torch.empty(out_features)
            nn.init.uniform_(self.bias, -bound, bound)
    def forward(self, input):
        return F.linear(input, self.weight, self.bias)

class Embedding(Module):
    def __init__(self, num_embeddings, embedding_dim, padding_idx=None, max_norm=None, norm_type=2.0, scale_grad_by_freq=False, sparse=False, device=None, dtype=None):
        assert not scale_grad_by_freq, "Embedding is there without scale_grad_by_freq, which divides gradients by how often a row was read"
        assert not sparse, "Embedding is there without sparse=True: gradients are dense tensors"
        if padding_idx is not None and padding_idx < 0:
            padding_idx = num_embeddings + padding_idx
        assert padding_idx is None or 0 <= padding_idx < num_embeddings, "padding_idx of Embedding names a row"
        self.num_embeddings = num_embeddings
        self.embedding_dim = embedding_dim
        self.padding_idx = padding_idx
        self.max_norm = max_norm
        self.norm_type = norm_type
        self.weight = torch.empty(num_embeddings, embedding_dim)
        nn.init.normal_(self.weight)
        if padding_idx is not None:
            nn.init._zero_row_(self.weight, padding_idx)
    def forward(self, input):
        return F.embedding(input, self.weight, self.padding_idx, self.max_norm, self.norm_type)

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
        self.stride = stride
        self.padding = padding
        self.dilation = dilation
        self.groups = groups
        self.weight = torch.empty((out_channels, in_channels // groups) + size)
        nn.init.kaiming_uniform_(self.weight, a=math.sqrt(5))
        self.bias = None
        if bias:
            elements = in_channels // groups
            for each in size:
                elements = elements * each
            bound = 1 / math.sqrt(elements)
            self.bias = torch.empty(out_channels)
            nn.init.uniform_(self.bias, -bound, bound)

    def padded(self, input):
        return input if self._sides is None else F.pad(input, self._sides, self._mode)

class Conv1d(_Conv):
    _windows = 1
    def forward(self, input):
        input = self.padded(input)
        return F.conv1d(input, self.weight, self.bias, self.stride, self.padding, self.dilation, self.groups)

class Conv2d(_Conv):
    _windows = 2
    def forward(self, input):
        input = self.padded(input)
        return F.conv2d(input, self.weight, self.bias, self.stride, self.padding, self.dilation, self.groups)

class MaxPool2d(Module):
    def __init__(self, kernel_size, stride=None, padding=0, dilation=1, return_indices=False, ceil_mode=False):
        assert not return_indices, "max_pool2d is there without return_indices"
        self.kernel_size = kernel_size
        self.stride = stride
        self.padding = padding
        self.dilation = dilation
        self.ceil_mode = ceil_mode
    def forward(self, input):
        return F.max_pool2d(input, self.kernel_size, self.stride, self.padding, self.dilation, self.ceil_mode)

class MaxPool1d(MaxPool2d):
    def forward(self, input):
        return F.max_pool1d(input, self.kernel_size, self.stride, self.padding, self.dilation, self.ceil_mode)

class AvgPool2d(Module):
    def __init__(self, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True, divisor_override=None):
        assert divisor_override is None, "avg_pool2d is there without divisor_override"
        self.kernel_size = kernel_size
        self.stride = stride
        self.padding = padding
        self.ceil_mode = ceil_mode
        self.count_include_pad = count_include_pad
    def forward(self, input):
        return F.avg_pool2d(input, self.kernel_size, self.stride, self.padding, self.ceil_mode, self.count_include_pad)

class AvgPool1d(AvgPool2d):
    def forward(self, input):
        return F.avg_pool1d(input, self.kernel_size, self.stride, self.padding, self.ceil_mode, self.count_include_pad)

class AdaptiveAvgPool2d(Module):
    def __init__(self, output_size):
        self.output_size = output_size
    def forward(self, input):
        return F.adaptive_avg_pool2d(input, self.output_size)

class Flatten(Module):
    def __init__(self, start_dim=1, end_dim=-1):
        self.start_dim = start_dim
        self.end_dim = end_dim
    def forward(self, input):
        return torch.flatten(input, self.start_dim, self.end_dim)
)py";

}  // namespace fusebench

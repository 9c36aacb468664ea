# SPDX-License-Identifier: GPL-3.0-or-later
# Pools by a power, and patches put back together, as functions and modules.

def _powered(input, norm_type, average, kernel):
    mean = average(torch.pow(input, norm_type))
    count = 1
    for extent in kernel:
        count = count * extent
    return torch.pow(torch.sign(mean) * torch.relu(torch.abs(mean)) * count, 1.0 / norm_type)

def lp_pool1d(input, norm_type, kernel_size, stride=None, ceil_mode=False):
    kernel = [kernel_size] if isinstance(kernel_size, int) else list(kernel_size)
    return _powered(input, norm_type, lambda p: F.avg_pool1d(p, kernel_size, stride, 0, ceil_mode), kernel)

def lp_pool2d(input, norm_type, kernel_size, stride=None, ceil_mode=False):
    kernel = [kernel_size] * 2 if isinstance(kernel_size, int) else list(kernel_size)
    return _powered(input, norm_type, lambda p: F.avg_pool2d(p, kernel_size, stride, 0, ceil_mode), kernel)

def lp_pool3d(input, norm_type, kernel_size, stride=None, ceil_mode=False):
    kernel = [kernel_size] * 3 if isinstance(kernel_size, int) else list(kernel_size)
    return _powered(input, norm_type, lambda p: F.avg_pool3d(p, kernel_size, stride, 0, ceil_mode), kernel)

class LPPool1d(Module):
    def __init__(self, norm_type, kernel_size, stride=None, ceil_mode=False):
        self.norm_type = norm_type
        self.kernel_size = kernel_size
        self.stride = stride
        self.ceil_mode = ceil_mode
    def forward(self, input):
        return lp_pool1d(input, self.norm_type, self.kernel_size, self.stride, self.ceil_mode)

class LPPool2d(LPPool1d):
    def forward(self, input):
        return lp_pool2d(input, self.norm_type, self.kernel_size, self.stride, self.ceil_mode)

class LPPool3d(LPPool1d):
    def forward(self, input):
        return lp_pool3d(input, self.norm_type, self.kernel_size, self.stride, self.ceil_mode)

def _in_two(given):
    return [given, given] if isinstance(given, int) else list(given)

def fold(input, output_size, kernel_size, dilation=1, padding=0, stride=1):
    assert input.dim() == 2 or input.dim() == 3, "fold takes patches (N, C * kernel, L), or (C * kernel, L)"
    wanted = _in_two(output_size)
    kernel = _in_two(kernel_size)
    dilations = _in_two(dilation)
    paddings = _in_two(padding)
    strides = _in_two(stride)
    patch = kernel[0] * kernel[1]
    assert input.shape[-2] % patch == 0, "the patches of fold have as many rows as channels times places of the kernel"
    counts = [(wanted[d] + 2 * paddings[d] - dilations[d] * (kernel[d] - 1) - 1) // strides[d] + 1 for d in range(2)]
    assert input.shape[-1] == counts[0] * counts[1], "the number of patches of fold does not follow from output_size, kernel_size, dilation, padding and stride"
    return _aten_col2im(input, wanted, kernel, dilations, paddings, strides)

class Fold(Module):
    def __init__(self, output_size, kernel_size, dilation=1, padding=0, stride=1):
        self.output_size = output_size
        self.kernel_size = kernel_size
        self.dilation = dilation
        self.padding = padding
        self.stride = stride
    def forward(self, input):
        return fold(input, self.output_size, self.kernel_size, self.dilation, self.padding, self.stride)

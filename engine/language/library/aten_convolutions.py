# SPDX-License-Identifier: GPL-3.0-or-later
# Convolutions as ATen has them, also transposed and over three dimensions.

def _aten_image_places(extents, kernel_size, dilation, padding, stride):
    places = []
    for i in range(2):
        blocks = (extents[i] + 2 * padding[i] - dilation[i] * (kernel_size[i] - 1) - 1) // stride[i] + 1
        places.append(torch.arange(kernel_size[i]).unsqueeze(1) * dilation[i] + torch.arange(blocks) * stride[i])
    rows = places[0].unsqueeze(1).unsqueeze(3)
    return rows * (extents[1] + 2 * padding[1]) + places[1].unsqueeze(0).unsqueeze(2)

def _aten_im2col(input, kernel_size, dilation, padding, stride):
    batched = input if input.dim() == 4 else input.unsqueeze(0)
    place = _aten_image_places(batched.shape[2:], kernel_size, dilation, padding, stride)
    padded = F.pad(batched, [padding[1], padding[1], padding[0], padding[0]]).flatten(2)
    columns = torch.index_select(padded, 2, place.reshape(-1))
    result = columns.view(batched.shape[0], batched.shape[1] * kernel_size[0] * kernel_size[1], -1)
    return result if input.dim() == 4 else result.squeeze(0)

def _aten_col2im(input, output_size, kernel_size, dilation, padding, stride):
    batched = input if input.dim() == 3 else input.unsqueeze(0)
    place = _aten_image_places(output_size, kernel_size, dilation, padding, stride).reshape(-1)
    values = batched.reshape(batched.shape[0], -1, place.shape[0])
    height = output_size[0] + 2 * padding[0]
    width = output_size[1] + 2 * padding[1]
    whole = torch.zeros_like(values[:, :, :1].expand(values.shape[0], values.shape[1], height * width))
    whole = torch.index_add(whole, 2, place, values).view(values.shape[0], values.shape[1], height, width)
    result = whole[:, :, padding[0]:padding[0] + output_size[0], padding[1]:padding[1] + output_size[1]].contiguous()
    return result if input.dim() == 3 else result.squeeze(0)

def _aten_each(value, count):
    if isinstance(value, int):
        return [value] * count
    return [value[0]] * count if len(value) == 1 else list(value)

def _aten_convolution(input, weight, bias, stride, padding, dilation, transposed, output_padding, groups):
    if transposed:
        return _aten_conv_transpose(input, weight, bias, stride, padding, output_padding, groups, dilation)
    if weight.dim() == 3:
        return F.conv1d(input, weight, bias, stride, padding, dilation, groups)
    if weight.dim() == 4:
        return F.conv2d(input, weight, bias, stride, padding, dilation, groups)
    return _aten_conv3d(input, weight, bias, stride, padding, dilation, groups)

def _aten_conv_padded(input, weight, bias, stride, padding, dilation, groups):
    count = weight.dim() - 2
    spread = _aten_each(dilation, count)
    sides = []
    for i in range(count):
        total = spread[i] * (weight.shape[2 + i] - 1) if padding == 'same' else 0
        sides = [total // 2, total - total // 2] + sides
    if padding == 'same':
        input = F.pad(input, sides)
    return _aten_convolution(input, weight, bias, _aten_each(stride, count), [0] * count, spread, False, None, groups)

def _aten_conv3d(input, weight, bias, stride, padding, dilation, groups):
    stride = _aten_each(stride, 3)
    padding = _aten_each(padding, 3)
    dilation = _aten_each(dilation, 3)
    batched = input if input.dim() == 5 else input.unsqueeze(0)
    if padding[0] != 0:
        batched = F.pad(batched, (0, 0, 0, 0, padding[0], padding[0]))
    count = batched.shape[0]
    depth = (batched.shape[2] - dilation[0] * (weight.shape[2] - 1) - 1) // stride[0] + 1
    total = None
    for k in range(weight.shape[2]):
        begin = k * dilation[0]
        part = batched[:, :, begin:begin + (depth - 1) * stride[0] + 1:stride[0]].transpose(1, 2)
        made = F.conv2d(part.reshape(-1, batched.shape[1], batched.shape[3], batched.shape[4]), weight[:, :, k], None, stride[1:], padding[1:], dilation[1:], groups)
        total = made if total is None else total + made
    if bias is not None:
        total = total + bias.view(-1, 1, 1)
    result = total.view(count, depth, total.shape[1], total.shape[2], total.shape[3]).transpose(1, 2)
    return result if input.dim() == 5 else result.squeeze(0)

def _aten_spread(input, dim, step):
    if step == 1:
        return input
    rank = input.dim()
    spread = F.pad(input.unsqueeze(dim + 1), [0, 0] * (rank - dim - 1) + [0, step - 1])
    shape = list(input.shape)
    shape[dim] = shape[dim] * step
    return torch.narrow(spread.reshape(shape), dim, 0, (input.shape[dim] - 1) * step + 1)

def _aten_conv_transpose(input, weight, bias, stride, padding, output_padding, groups, dilation):
    count = weight.dim() - 2
    stride = _aten_each(stride, count)
    padding = _aten_each(padding, count)
    output_padding = _aten_each(output_padding, count)
    dilation = _aten_each(dilation, count)
    batched = input if input.dim() == weight.dim() else input.unsqueeze(0)
    sides = []
    for i in range(count):
        batched = _aten_spread(batched, 2 + i, stride[i])
        before = dilation[i] * (weight.shape[2 + i] - 1) - padding[i]
        sides = [before, before + output_padding[i]] + sides
    batched = F.pad(batched, sides)
    grouped = weight.view(groups, weight.shape[0] // groups, *weight.shape[1:]).transpose(1, 2)
    turned = torch.flip(grouped.reshape(-1, weight.shape[0] // groups, *weight.shape[2:]), list(range(2, 2 + count)))
    made = _aten_convolution(batched, turned, bias, [1] * count, [0] * count, dilation, False, None, groups)
    return made if input.dim() == weight.dim() else made.squeeze(0)

def _aten_weight_norm(v, g, dim):
    dims = [d for d in range(v.dim()) if d != _aten_dim(dim, v)]
    norm = torch.sqrt(torch.sum(v * v, dim=dims, keepdim=True))
    return v * (g / norm), norm

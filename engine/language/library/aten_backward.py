# SPDX-License-Identifier: GPL-3.0-or-later
# ATen's backward operations, as they occur in the graphs of training steps.

def _aten_gelu_backward(grad, input, approximate):
    if approximate == 'none':
        below = 0.5 * (1 + torch.erf(input * 0.7071067811865476))
        return grad * (below + input * torch.exp(-0.5 * input * input) * 0.3989422804014327)
    inner = 0.7978845608028654 * (input + 0.044715 * input * input * input)
    turned = torch.tanh(inner)
    slope = 0.7978845608028654 * (1 + 0.134145 * input * input)
    return grad * (0.5 * (1 + turned) + 0.5 * input * (1 - turned * turned) * slope)

def _aten_silu_backward(grad, input):
    part = torch.sigmoid(input)
    return grad * part * (1 + input * (1 - part))

def _aten_hardswish_backward(grad, input):
    return torch.where(input <= -3, torch.zeros_like(grad), torch.where(input < 3, grad * (input / 3 + 0.5), grad))

def _aten_elu_backward(grad, alpha, scale, input_scale, is_result, self_or_result):
    below = self_or_result + alpha * scale if is_result else torch.exp(self_or_result * input_scale) * (alpha * scale)
    return torch.where(self_or_result <= 0, grad * input_scale * below, grad * scale)

def _aten_softplus_backward(grad, input, beta, threshold):
    return torch.where(input * beta > threshold, grad, grad * torch.sigmoid(input * beta))

def _aten_glu_backward(grad, input, dim):
    size = input.shape[dim] // 2
    first = torch.narrow(input, dim, 0, size)
    gate = torch.sigmoid(torch.narrow(input, dim, size, size))
    return torch.cat([grad * gate, grad * first * gate * (1 - gate)], dim)

def _aten_normalized_backward(grad, hat, rstd, dims):
    average = torch.mean(grad, dim=dims, keepdim=True)
    along = torch.mean(grad * hat, dim=dims, keepdim=True)
    return rstd * (grad - average - hat * along)

def _aten_summed(input, dims):
    return torch.sum(input, dim=dims) if len(dims) > 0 else input

def _aten_native_layer_norm_backward(grad, input, normalized_shape, mean, rstd, weight, bias, output_mask):
    dims = _trailing(normalized_shape)
    outer = tuple(range(input.dim() - len(dims)))
    hat = (input - mean) * rstd
    inner = grad if weight is None else grad * weight
    return (lambda: _aten_normalized_backward(inner, hat, rstd, dims)) if output_mask[0] else None, (lambda: _aten_summed(grad * hat, outer)) if output_mask[1] else None, (lambda: _aten_summed(grad, outer)) if output_mask[2] else None

def _aten_fused_rms_norm_backward(grad, input, normalized_shape, rstd, weight, output_mask):
    dims = _trailing(normalized_shape)
    outer = tuple(range(input.dim() - len(dims)))
    hat = input * rstd
    inner = grad if weight is None else grad * weight
    return (lambda: rstd * (inner - hat * torch.mean(inner * hat, dim=dims, keepdim=True))) if output_mask[0] else None, (lambda: _aten_summed(grad * hat, outer)) if output_mask[1] else None

def _aten_native_group_norm_backward(grad, input, mean, rstd, weight, N, C, HxW, group, output_mask):
    shape = (N, group, C // group, HxW)
    grouped = grad.reshape(shape)
    hat = (input.reshape(shape) - mean.view(N, group, 1, 1)) * rstd.view(N, group, 1, 1)
    inner = grouped if weight is None else grouped * weight.view(group, -1, 1)
    return (lambda: _aten_normalized_backward(inner, hat, rstd.view(N, group, 1, 1), (-2, -1)).reshape(input.shape)) if output_mask[0] else None, (lambda: torch.sum(grouped * hat, dim=(0, 3)).view(C)) if output_mask[1] else None, (lambda: torch.sum(grouped, dim=(0, 3)).view(C)) if output_mask[2] else None

def _aten_native_batch_norm_backward(grad, input, weight, running_mean, running_var, save_mean, save_invstd, train, eps, output_mask):
    rank = input.dim()
    dims = tuple([0] + list(range(2, rank)))
    mean = _along_channels(save_mean if train else running_mean, rank)
    rstd = _along_channels(save_invstd if train else torch.rsqrt(running_var + eps), rank)
    hat = (input - mean) * rstd
    inner = grad if weight is None else grad * _along_channels(weight, rank)
    def of_input():
        return _aten_normalized_backward(inner, hat, rstd, dims) if train else inner * rstd
    return of_input if output_mask[0] else None, (lambda: torch.sum(grad * hat, dim=dims)) if output_mask[1] else None, (lambda: torch.sum(grad, dim=dims)) if output_mask[2] else None

def _aten_embedding_backward(grad, indices, num_weights, padding_idx):
    rows = grad.reshape(-1, grad.shape[-1])
    if padding_idx >= 0:
        rows = torch.where((indices.reshape(-1) == padding_idx).unsqueeze(-1), torch.zeros_like(rows), rows)
    return torch.index_add(torch.zeros((num_weights, grad.shape[-1]), dtype=grad.dtype), 0, indices.reshape(-1), rows)

def _aten_weight_gradient(grad, input, weight, stride, padding, dilation):
    made = _aten_convolution(input.transpose(0, 1), grad.transpose(0, 1), None, dilation, padding, stride, False, None, 1)
    for i in range(weight.dim() - 2):
        made = torch.narrow(made, 2 + i, 0, weight.shape[2 + i])
    return made.transpose(0, 1)

def _aten_grouped_weight_gradient(grad, input, weight, stride, padding, dilation, groups):
    if groups == 1:
        return _aten_weight_gradient(grad, input, weight, stride, padding, dilation)
    inputs = torch.chunk(input, groups, 1)
    grads = torch.chunk(grad, groups, 1)
    return torch.cat([_aten_weight_gradient(grads[i], inputs[i], weight, stride, padding, dilation) for i in range(groups)], 0)

def _aten_convolution_backward(grad, input, weight, bias_sizes, stride, padding, dilation, transposed, output_padding, groups, output_mask):
    count = weight.dim() - 2
    stride = _aten_each(stride, count)
    padding = _aten_each(padding, count)
    dilation = _aten_each(dilation, count)
    def of_input():
        if transposed:
            return _aten_convolution(grad, weight, None, stride, padding, dilation, False, None, groups)
        left = [input.shape[2 + i] - ((grad.shape[2 + i] - 1) * stride[i] - 2 * padding[i] + dilation[i] * (weight.shape[2 + i] - 1) + 1) for i in range(count)]
        return _aten_conv_transpose(grad, weight, None, stride, padding, left, groups, dilation)
    def of_weight():
        if transposed:
            return _aten_grouped_weight_gradient(input, grad, weight, stride, padding, dilation, groups)
        return _aten_grouped_weight_gradient(grad, input, weight, stride, padding, dilation, groups)
    def of_bias():
        return torch.sum(grad, dim=tuple([0] + list(range(2, 2 + count))))
    return of_input if output_mask[0] else None, of_weight if output_mask[1] else None, of_bias if output_mask[2] else None

def _aten_avg_pool2d_backward(grad, input, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override):
    kernel = _aten_each(kernel_size, 2)
    step = kernel if not isinstance(stride, int) and len(stride) == 0 else _aten_each(stride, 2)
    sides = _aten_each(padding, 2)
    rank = input.dim()
    divisor = None
    for i in range(2):
        dim = rank - 2 + i
        first = torch.arange(grad.shape[dim]) * step[i] - sides[i]
        last = torch.clamp(first + kernel[i], max=input.shape[dim] + sides[i])
        sizes = last - first if count_include_pad else torch.clamp(last, max=input.shape[dim]) - torch.clamp(first, min=0)
        sizes = sizes.view([grad.shape[dim] if d == dim else 1 for d in range(rank)])
        divisor = sizes if divisor is None else divisor * sizes
    total = grad / (divisor if divisor_override is None else divisor_override)
    for i in range(2):
        dim = rank - 2 + i
        spread = _aten_spread(total, dim, step[i])
        extent = input.shape[dim] + 2 * sides[i]
        after = max(extent - spread.shape[dim], 0)
        spread = F.pad(spread, [0, 0] * (rank - 1 - dim) + [kernel[i] - 1, after])
        summed = torch.sum(spread.unfold(dim, kernel[i], 1), dim=-1)
        total = torch.narrow(summed, dim, sides[i], input.shape[dim])
    return total

def _aten_max_pool2d_backward(grad, input, indices):
    whole = torch.zeros_like(input.flatten(-2))
    return torch.scatter_add(whole, -1, indices.flatten(-2), grad.flatten(-2)).view(input.shape)

def _aten_adaptive_avg_pool2d_backward(grad, input):
    for dim in (-2, -1):
        extent = input.shape[dim]
        wanted = grad.shape[dim]
        assert extent % wanted == 0, "_adaptive_avg_pool2d_backward is there for windows of one size"
        grad = torch.repeat_interleave(grad, extent // wanted, dim) / (extent // wanted)
    return grad

def _aten_mse_loss_backward(grad, input, target, reduction):
    return (input - target) * grad * (2.0 / input.numel() if reduction == 1 else 2.0)

def _aten_nll_loss_backward(grad, input, target, weight, reduction, ignore_index, total_weight):
    dim = 0 if input.dim() == 1 else 1
    shape = [input.shape[dim] if d == dim else 1 for d in range(input.dim())]
    hit = (torch.arange(input.shape[dim]).view(shape) == target.unsqueeze(dim)) & (target != ignore_index).unsqueeze(dim)
    weights = hit.to(input.dtype) if weight is None else hit.to(input.dtype) * weight.view(shape)
    if reduction == 1:
        grad = grad / total_weight
    return -weights * (grad.unsqueeze(dim) if reduction == 0 else grad)

def _aten_slice_backward(grad, input_sizes, dim, start, end, step):
    return torch.slice_scatter(torch.zeros(input_sizes, dtype=grad.dtype), grad, dim, start, _aten_end(end), step)

def _aten_attention_backward(grad, query, key, value, out, logsumexp, mask, is_causal, scale):
    if scale is None:
        scale = query.shape[-1] ** -0.5
    weights = torch.exp(_aten_scores(query, key, mask, is_causal, scale) - logsumexp.unsqueeze(-1)).to(query.dtype)
    of_weights = torch.matmul(grad, value.transpose(-2, -1))
    of_scores = weights * (of_weights - torch.sum(grad * out, dim=-1, keepdim=True)) * scale
    return torch.matmul(of_scores, key), torch.matmul(of_scores.transpose(-2, -1), query), torch.matmul(weights.transpose(-2, -1), grad)

def _aten_mish_backward(grad, input):
    turned = torch.tanh(F.softplus(input))
    part = torch.sigmoid(input)
    return grad * (turned + input * part * (1 - turned * turned))

def _aten_smooth_l1_backward(grad, input, target, reduction, beta):
    away = input - target
    slope = torch.where(torch.abs(away) < beta, away / beta, torch.sign(away)) if beta > 0 else torch.sign(away)
    return slope * grad * (1.0 / input.numel() if reduction == 1 else 1.0)

def _aten_huber_backward(grad, input, target, reduction, delta):
    away = torch.clamp(input - target, -delta, delta)
    return away * grad * (1.0 / input.numel() if reduction == 1 else 1.0)

def _aten_added_at(grad, dim, places, extent):
    shape = list(grad.shape)
    shape[dim] = extent
    return torch.index_add(torch.zeros(shape, dtype=grad.dtype), dim, places, grad)

def _aten_upsample_backward(grad, input_size, mode, align_corners):
    for dim in range(2, grad.dim()):
        extent = input_size[dim]
        wanted = grad.shape[dim]
        place = torch.arange(wanted)
        if mode == 'nearest':
            grad = _aten_added_at(grad, dim, place * extent // wanted, extent)
            continue
        if align_corners:
            source = place * ((extent - 1) / (wanted - 1) if wanted > 1 else 0.0)
        else:
            source = torch.clamp((place + 0.5) * (extent / wanted) - 0.5, min=0)
        first = torch.floor(source)
        share = (source - first).to(grad.dtype).view([wanted if d == dim else 1 for d in range(grad.dim())])
        lower = _aten_added_at(grad * (1 - share), dim, first.long(), extent)
        grad = lower + _aten_added_at(grad * share, dim, torch.clamp(first + 1, max=extent - 1).long(), extent)
    return grad

def _aten_pad_backward(grad, input, padding, mode):
    rank = input.dim()
    for i in range(len(padding) // 2):
        dim = rank - 1 - i
        extent = input.shape[dim]
        place = torch.arange(-padding[2 * i], extent + padding[2 * i + 1])
        if mode == 'reflect':
            place = (extent - 1) - torch.abs((extent - 1) - torch.abs(place))
        else:
            place = torch.clamp(place, 0, extent - 1)
        grad = _aten_added_at(grad, dim, place, extent)
    return grad

def _aten_unfold_backward(grad, input_sizes, dim, size, step):
    dim = dim if dim >= 0 else dim + len(input_sizes)
    count = grad.shape[dim]
    place = (torch.arange(count).unsqueeze(1) * step + torch.arange(size)).reshape(-1)
    return _aten_added_at(grad.movedim(-1, dim + 1).flatten(dim, dim + 1), dim, place, input_sizes[dim])

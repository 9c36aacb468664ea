# SPDX-License-Identifier: GPL-3.0-or-later
# Norms, attention and dropout as ATen has them: several results each.

def _aten_safe_softmax(input, dim, dtype):
    if dtype is not None:
        input = input.to(dtype)
    top = torch.amax(input, dim=dim, keepdim=True)
    made = torch.exp(input - torch.where(torch.isinf(top), torch.zeros_like(top), top))
    total = torch.sum(made, dim=dim, keepdim=True)
    return torch.where(total == 0, torch.zeros_like(made), made / total)

def _aten_native_layer_norm(input, normalized_shape, weight, bias, eps):
    dims = _trailing(normalized_shape)
    mean = torch.mean(input, dim=dims, keepdim=True)
    rstd = torch.rsqrt(torch.var(input, dim=dims, unbiased=False, keepdim=True) + eps)
    result = (input - mean) * rstd
    if weight is not None:
        result = result * weight
    if bias is not None:
        result = result + bias
    return result, mean, rstd

def _aten_rms_norm(input, normalized_shape, weight, eps):
    return F.rms_norm(input, normalized_shape, weight, torch.finfo(input.dtype).eps if eps is None else eps)

def _aten_fused_rms_norm(input, normalized_shape, weight, eps):
    if eps is None:
        eps = torch.finfo(input.dtype).eps
    rstd = torch.rsqrt(torch.mean(input * input, dim=_trailing(normalized_shape), keepdim=True) + eps)
    result = input * rstd
    return result if weight is None else result * weight, rstd

def _aten_native_group_norm(input, weight, bias, N, C, HxW, group, eps):
    grouped = input.reshape(N, group, C // group, HxW)
    mean = torch.mean(grouped, dim=(-2, -1), keepdim=True)
    rstd = torch.rsqrt(torch.var(grouped, dim=(-2, -1), unbiased=False, keepdim=True) + eps)
    result = (grouped - mean) * rstd
    if weight is not None:
        result = result * weight.view(group, -1, 1)
    if bias is not None:
        result = result + bias.view(group, -1, 1)
    return result.reshape(input.shape), lambda: mean.view(N, group), lambda: rstd.view(N, group)

def _aten_batch_statistics(input, eps):
    dims = [0] + list(range(2, input.dim()))
    variance = torch.var(input, dim=dims, unbiased=False)
    return torch.mean(input, dim=dims), variance, torch.rsqrt(variance + eps)

def _aten_by_channel(input, mean, rstd, weight, bias):
    rank = input.dim()
    result = (input - _along_channels(mean, rank)) * _along_channels(rstd, rank)
    if weight is not None:
        result = result * _along_channels(weight, rank)
    if bias is not None:
        result = result + _along_channels(bias, rank)
    return _as_input(result, input)

def _aten_native_batch_norm(input, weight, bias, running_mean, running_var, training, momentum, eps):
    if not training:
        rstd = torch.rsqrt(running_var + eps)
        return _aten_by_channel(input, running_mean, rstd, weight, bias), lambda: input.new_empty(0), lambda: input.new_empty(0)
    mean, variance, rstd = _aten_batch_statistics(input, eps)
    if running_mean is not None:
        count = input.numel() // input.shape[1]
        running_mean.mul_(1 - momentum).add_(mean, alpha=momentum)
        running_var.mul_(1 - momentum).add_(variance * (count / (count - 1)), alpha=momentum)
    return _aten_by_channel(input, mean, rstd, weight, bias), mean, rstd

def _aten_native_batch_norm_functional(input, weight, bias, running_mean, running_var, training, momentum, eps):
    if not training:
        rstd = torch.rsqrt(running_var + eps)
        return _aten_by_channel(input, running_mean, rstd, weight, bias), lambda: input.new_empty(0), lambda: input.new_empty(0), running_mean, running_var
    mean, variance, rstd = _aten_batch_statistics(input, eps)
    count = input.numel() // input.shape[1]
    new_mean = mean * momentum + running_mean * (1 - momentum)
    new_var = variance * (momentum * count / (count - 1)) + running_var * (1 - momentum)
    return _aten_by_channel(input, mean, rstd, weight, bias), mean, rstd, new_mean, new_var

def _aten_scores(query, key, mask, is_causal, scale):
    if scale is None:
        scale = query.shape[-1] ** -0.5
    scores = torch.matmul(query, key.transpose(-2, -1)) * scale
    if is_causal:
        rows = torch.arange(query.shape[-2]).unsqueeze(1)
        scores = scores.masked_fill(torch.arange(key.shape[-2]) > rows, float('-inf'))
    if mask is not None:
        scores = scores.masked_fill(torch.logical_not(mask), float('-inf')) if mask.dtype == torch.bool else scores + mask
    return scores

def _aten_scaled_attention(query, key, value, mask, dropout_p, is_causal, scale, enable_gqa):
    if enable_gqa:
        key = torch.repeat_interleave(key, query.shape[-3] // key.shape[-3], -3)
        value = torch.repeat_interleave(value, query.shape[-3] // value.shape[-3], -3)
    return F.scaled_dot_product_attention(query, key, value, mask, dropout_p, is_causal, scale=scale)

def _aten_attention(query, key, value, mask, dropout_p, is_causal, scale):
    made = F.scaled_dot_product_attention(query, key, value, mask, dropout_p, is_causal, scale=scale)
    return made, lambda: torch.logsumexp(_aten_scores(query, key, mask, is_causal, scale).to(torch.promote_types(query.dtype, torch.float32)), -1)

def _aten_attention_math(query, key, value, mask, dropout_p, is_causal, scale, enable_gqa):
    made = _aten_scaled_attention(query, key, value, mask, dropout_p, is_causal, scale, enable_gqa)
    return made, lambda: _aten_safe_softmax(_aten_scores(query, key, mask, is_causal, scale), -1, None)

def _aten_feature_dropout(input, p, train):
    if not train or p == 0:
        return input
    shape = [extent if i < 2 else 1 for i, extent in enumerate(input.shape)]
    return input * (torch.rand(shape) > p).to(input.dtype) / (1 - p)

def _aten_native_dropout(input, p, train):
    if train is False or p == 0:
        return input.clone(), lambda: torch.ones_like(input, dtype=torch.bool)
    kept = torch.rand_like(input) > p
    return input * kept * (1 / (1 - p)), kept

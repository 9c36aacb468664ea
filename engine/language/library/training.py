# SPDX-License-Identifier: GPL-3.0-or-later
# Functions and modules that compute something else in training mode than in evaluation mode.

def _dropped(input, p):
    return torch.dropout(input, p, True) if p < 1 else input * 0.0

def dropout(input, p=0.5, training=True, inplace=False):
    assert 0 <= p <= 1, "the probability of dropout must be between 0 and 1"
    if not training or p == 0:
        return input
    return input.copy_(_dropped(input, p)) if inplace else _dropped(input, p)

def _one_per_feature(input):
    assert input.dim() > 1, "dropout of whole features takes a tensor of 2 dimensions or more"
    return input.new_ones([input.shape[0], input.shape[1]] + [1] * (input.dim() - 2))

def _feature_dropout(input, p, training, inplace, alone):
    assert 0 <= p <= 1, "the probability of dropout must be between 0 and 1"
    if not training or p == 0:
        return input
    if input.dim() == alone:  # without a batch
        kept = _dropped(_one_per_feature(input.unsqueeze(0)), p).squeeze(0)
    else:
        kept = _dropped(_one_per_feature(input), p)
    return input.mul_(kept) if inplace else input * kept

def dropout1d(input, p=0.5, training=True, inplace=False):
    assert input.dim() in (2, 3), "dropout1d takes an input of 2 or 3 dimensions"
    return _feature_dropout(input, p, training, inplace, 2)

def dropout2d(input, p=0.5, training=True, inplace=False):
    return _feature_dropout(input, p, training, inplace, 0)

def dropout3d(input, p=0.5, training=True, inplace=False):
    assert input.dim() in (4, 5), "dropout3d takes an input of 4 or 5 dimensions"
    return _feature_dropout(input, p, training, inplace, 4)

def _alpha_dropped(input, ones, p, inplace):
    # Dropped elements become the least value of SELU; scale and shift keep mean and variance.
    alpha = 1.7580993408473766
    scale = 1 / math.sqrt((alpha * alpha * p + 1) * (1 - p)) if p < 1 else 0.0
    kept = bernoulli(ones * (1 - p))
    shift = (kept - 1) * (alpha * scale) + alpha * scale * p
    made = input * (kept * scale) + shift
    return input.copy_(made) if inplace else made

def alpha_dropout(input, p=0.5, training=False, inplace=False):
    assert 0 <= p <= 1, "the probability of dropout must be between 0 and 1"
    return _alpha_dropped(input, torch.ones_like(input), p, inplace) if training and p > 0 else input

def feature_alpha_dropout(input, p=0.5, training=False, inplace=False):
    assert 0 <= p <= 1, "the probability of dropout must be between 0 and 1"
    return _alpha_dropped(input, _one_per_feature(input), p, inplace) if training and p > 0 else input

def rrelu(input, lower=0.125, upper=0.3333333333333333, training=False, inplace=False):
    if training:
        made = torch.where(input <= 0, input * (lower + (upper - lower) * torch.rand_like(input)), input)
        return input.copy_(made) if inplace else made
    return F.leaky_relu(input, (lower + upper) / 2, inplace=inplace)

def _along_channels(tensor, rank):
    return tensor.view(-1, *([1] * (rank - 2))) if rank > 2 else tensor

def _follow(running, batch, momentum):
    if torch.is_tensor(momentum):
        running.mul_(1 - momentum).add_(batch * momentum)
    else:
        running.mul_(1 - momentum).add_(batch, alpha=momentum)

def _as_input(result, input):
    # Statistics and weights may be wider than a 16-bit float input, whose dtype PyTorch keeps.
    return result.to(input.dtype) if input.dtype in (torch.float16, torch.bfloat16) else result

def batch_norm(input, running_mean, running_var, weight=None, bias=None, training=False, momentum=0.1, eps=1e-5):
    return _batch_norm(input, input.dim(), running_mean, running_var, weight, bias, training, momentum, eps)

def _batch_norm(input, rank, running_mean, running_var, weight, bias, training, momentum, eps):
    if training:
        dims = [0] + list(range(2, rank))
        assert input.numel() > input.shape[1], "batch_norm in training mode needs more than 1 value per channel; call .eval() to use the running statistics"
        mean = torch.mean(input, dim=dims)
        variance = torch.var(input, dim=dims, unbiased=False)
        if running_mean is not None:
            with torch.no_grad():
                _follow(running_mean, mean.detach(), momentum)
                _follow(running_var, torch.var(input.detach(), dim=dims), momentum)
        running_mean = mean
        running_var = variance
    result = (input - _along_channels(running_mean, rank)) * torch.rsqrt(_along_channels(running_var, rank) + eps)
    if weight is not None:
        result = result * _along_channels(weight, rank)
    if bias is not None:
        result = result + _along_channels(bias, rank)
    return _as_input(result, input)

def instance_norm(input, running_mean=None, running_var=None, weight=None, bias=None, use_input_stats=True, momentum=0.1, eps=1e-5):
    assert use_input_stats or running_mean is not None, "instance_norm without running statistics uses the input's own: use_input_stats=True"
    dims = tuple(range(2, input.dim()))
    if use_input_stats:
        assert input.numel() > input.shape[0] * input.shape[1], "instance_norm in training mode needs more than 1 spatial element"
        mean = torch.mean(input, dim=dims, keepdim=True)
        variance = torch.var(input, dim=dims, unbiased=False, keepdim=True)
        if running_mean is not None:
            with torch.no_grad():
                _follow(running_mean, torch.mean(input.detach(), dim=(0,) + dims), momentum)
                _follow(running_var, torch.mean(torch.var(input.detach(), dim=dims), dim=0), momentum)
    else:
        mean = _along_channels(running_mean, input.dim())
        variance = _along_channels(running_var, input.dim())
    result = (input - mean) * torch.rsqrt(variance + eps)
    if weight is not None:
        result = result * _along_channels(weight, input.dim())
    if bias is not None:
        result = result + _along_channels(bias, input.dim())
    return _as_input(result, input)

class _Dropout(Module):
    def __init__(self, p=0.5, inplace=False):
        assert 0 <= p <= 1, "the probability of dropout must be between 0 and 1"
        self.p = p
        self.inplace = inplace
    def forward(self, input):
        if self.p > 0 and self.training:
            return self._drop(input, self.p, True, self.inplace)
        return input

class Dropout(_Dropout):
    _drop = F.dropout

class Dropout1d(_Dropout):
    _drop = F.dropout1d

class Dropout2d(_Dropout):
    _drop = F.dropout2d

class Dropout3d(_Dropout):
    _drop = F.dropout3d

class AlphaDropout(_Dropout):
    _drop = F.alpha_dropout

class FeatureAlphaDropout(_Dropout):
    _drop = F.feature_alpha_dropout

class RReLU(Module):
    def __init__(self, lower=0.125, upper=0.3333333333333333, inplace=False):
        self.lower = lower
        self.upper = upper
        self.inplace = inplace
    def forward(self, input):
        return F.rrelu(input, self.lower, self.upper, self.training, self.inplace)

class _Running(Module):
    # What batch and instance norms have in common: running statistics, and how many batches they are of.
    def __init__(self, num_features, eps, momentum, affine, track_running_stats):
        self.num_features = num_features
        self.eps = eps
        self.momentum = momentum
        self.affine = affine
        self.track_running_stats = track_running_stats
        self.weight = torch.ones(num_features) if affine else None
        self.bias = torch.zeros(num_features) if affine else None
        self.running_mean = None
        self.running_var = None
        self.num_batches_tracked = None
        if track_running_stats:
            self.register_buffer('running_mean', torch.zeros(num_features))
            self.register_buffer('running_var', torch.ones(num_features))
            self.register_buffer('num_batches_tracked', torch.tensor(0))

class _BatchNorm(_Running):
    def __init__(self, num_features, eps=1e-5, momentum=0.1, affine=True, track_running_stats=True, device=None, dtype=None):
        super().__init__(num_features, eps, momentum, affine, track_running_stats)
    def _by_batch(self, input, rank):
        if self.running_mean is None:
            return _batch_norm(input, rank, None, None, self.weight, self.bias, True, 0.0, self.eps)
        if not self.training:
            return _batch_norm(input, rank, self.running_mean, self.running_var, self.weight, self.bias, False, 0.0, self.eps)
        momentum = self.momentum
        if self.num_batches_tracked is not None:
            self.num_batches_tracked.add_(1)
            if momentum is None:
                momentum = 1.0 / self.num_batches_tracked.float()
        return _batch_norm(input, rank, self.running_mean, self.running_var, self.weight, self.bias, True, momentum, self.eps)

class BatchNorm1d(_BatchNorm):
    def forward(self, input):
        rank = input.dim()
        assert rank == 2 or rank == 3, "BatchNorm1d takes an input of 2 or 3 dimensions"
        return self._by_batch(input, rank)

class BatchNorm2d(_BatchNorm):
    def forward(self, input):
        assert input.dim() == 4, "BatchNorm2d takes an input of 4 dimensions"
        return self._by_batch(input, 4)

class BatchNorm3d(_BatchNorm):
    def forward(self, input):
        assert input.dim() == 5, "BatchNorm3d takes an input of 5 dimensions"
        return self._by_batch(input, 5)

class _InstanceNorm(_Running):
    def __init__(self, num_features, eps=1e-5, momentum=0.1, affine=False, track_running_stats=False, device=None, dtype=None):
        super().__init__(num_features, eps, momentum, affine, track_running_stats)
    def forward(self, input):
        if self.running_mean is None:
            return F.instance_norm(input, weight=self.weight, bias=self.bias, eps=self.eps)
        return F.instance_norm(input, self.running_mean, self.running_var, self.weight, self.bias, self.training, self.momentum, self.eps)

class InstanceNorm1d(_InstanceNorm):
    pass

class InstanceNorm2d(_InstanceNorm):
    pass

class InstanceNorm3d(_InstanceNorm):
    pass

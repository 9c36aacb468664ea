# SPDX-License-Identifier: GPL-3.0-or-later
# PyTorch's modules; they call the functions of functions.py.

class Module:
    pass

class _Handle:
    def __init__(self, hooks, hook):
        self.hooks = hooks
        self.hook = hook
    def remove(self):
        if self.hook in self.hooks:
            self.hooks.remove(self.hook)

class Identity(Module):
    def __init__(self, *args, **kwargs):
        pass
    def forward(self, input):
        return input

class _vision_Normalize(Module):
    def __init__(self, mean, std, inplace=False):
        self.mean = mean
        self.std = std
        self.inplace = inplace
    def forward(self, tensor):
        return _vision_normalize(tensor, self.mean, self.std, self.inplace)

class DataParallel(Module):
    def __init__(self, module, device_ids=None, output_device=None, dim=0):
        assert device_ids is None or len(device_ids) < 2, "a program runs on one device: ranks, an option of the experiment, shares a batch among several"
        self.module = module
    def forward(self, *inputs):
        return self.module(*inputs)

class Sequential(Module):
    def __init__(self, *modules):
        first = modules[0] if len(modules) == 1 else None
        if isinstance(first, dict):
            for name in first:
                setattr(self, name, first[name])
        self._items = list(first.values()) if isinstance(first, dict) else list(modules)
    def forward(self, input):
        for module in self._items:
            input = module(input)
        return input
    def __getitem__(self, index):
        found = self._items[index]
        return Sequential(*found) if isinstance(found, list) else found
    def __setitem__(self, index, module):
        self._items[index] = module
    def __len__(self):
        return len(self._items)
    def __iter__(self):
        return self._items
    def append(self, module):
        self._items.append(module)
        return self
    def add_module(self, name, module):
        setattr(self, name, module)
        self._items.append(module)

class ModuleList(Module):
    def __init__(self, modules=None):
        self._items = [] if modules is None else list(modules)
    def __getitem__(self, index):
        return self._items[index]
    def __setitem__(self, index, module):
        self._items[index] = module
    def __len__(self):
        return len(self._items)
    def __iter__(self):
        return self._items
    def append(self, module):
        self._items.append(module)
        return self
    def extend(self, modules):
        self._items.extend(modules)
        return self
    def insert(self, index, module):
        self._items.insert(index, module)
    def __contains__(self, module):
        return module in self._items
    def add_module(self, name, module):
        assert name == str(len(self._items)), "add to a ModuleList with append"
        self._items.append(module)

class ParameterList(ModuleList):
    pass

class ModuleDict(Module):
    def __init__(self, modules=None):
        self._table = {} if modules is None else dict(modules)
    def __getitem__(self, key):
        return self._table[key]
    def __setitem__(self, key, module):
        self._table[key] = module
    def __len__(self):
        return len(self._table)
    def __iter__(self):
        return list(self._table)
    def add_module(self, name, module):
        self._table[name] = module
    def items(self):
        return self._table.items()
    def keys(self):
        return self._table.keys()
    def values(self):
        return self._table.values()
    def get(self, key, default=None):
        return self._table.get(key, default)
    def update(self, modules):
        self._table.update(modules)
    def pop(self, key):
        return self._table.pop(key)
    def __contains__(self, key):
        return key in self._table

class ParameterDict(ModuleDict):
    pass

class GLU(Module):
    def __init__(self, dim=-1):
        self.dim = dim
    def forward(self, input):
        return F.glu(input, self.dim)

class GroupNorm(Module):
    def __init__(self, num_groups, num_channels, eps=1e-5, affine=True, device=None, dtype=None, bias=True):
        self.num_groups = num_groups
        self.num_channels = num_channels
        self.affine = affine
        self.eps = eps
        self.weight = torch.ones(num_channels) if affine else None
        self.bias = torch.zeros(num_channels) if affine and bias else None
    def forward(self, input):
        return F.group_norm(input, self.num_groups, self.weight, self.bias, self.eps)

class LayerNorm(Module):
    def __init__(self, normalized_shape, eps=1e-5, elementwise_affine=True, bias=True, device=None, dtype=None):
        self.normalized_shape = (normalized_shape,) if isinstance(normalized_shape, int) else tuple(normalized_shape)
        self.eps = eps
        self.elementwise_affine = elementwise_affine
        self.weight = torch.ones(self.normalized_shape) if elementwise_affine else None
        self.bias = torch.zeros(self.normalized_shape) if elementwise_affine and bias else None
    def forward(self, input):
        return F.layer_norm(input, self.normalized_shape, self.weight, self.bias, self.eps)

class RMSNorm(Module):
    def __init__(self, normalized_shape, eps=None, elementwise_affine=True, device=None, dtype=None):
        self.normalized_shape = (normalized_shape,) if isinstance(normalized_shape, int) else tuple(normalized_shape)
        self.eps = eps
        self.elementwise_affine = elementwise_affine
        self.weight = torch.ones(self.normalized_shape) if elementwise_affine else None
    def forward(self, input):
        return F.rms_norm(input, self.normalized_shape, self.weight, self.eps)

class Softmax(Module):
    def __init__(self, dim=None):
        self.dim = dim
    def forward(self, input):
        return F.softmax(input, self.dim)

class LogSoftmax(Module):
    def __init__(self, dim=None):
        self.dim = dim
    def forward(self, input):
        return F.log_softmax(input, self.dim)

class CosineSimilarity(Module):
    def __init__(self, dim=1, eps=1e-8):
        self.dim = dim
        self.eps = eps
    def forward(self, x1, x2):
        return F.cosine_similarity(x1, x2, self.dim, self.eps)

class _Loss(Module):
    def __init__(self, size_average=None, reduce=None, reduction='mean'):
        self.reduction = _reduction(size_average, reduce, reduction)

class MSELoss(_Loss):
    def forward(self, input, target):
        return F.mse_loss(input, target, reduction=self.reduction)

class L1Loss(_Loss):
    def forward(self, input, target):
        return F.l1_loss(input, target, reduction=self.reduction)

class SmoothL1Loss(Module):
    def __init__(self, size_average=None, reduce=None, reduction='mean', beta=1.0):
        self.reduction = _reduction(size_average, reduce, reduction)
        self.beta = beta
    def forward(self, input, target):
        return F.smooth_l1_loss(input, target, reduction=self.reduction, beta=self.beta)

class HuberLoss(Module):
    def __init__(self, reduction='mean', delta=1.0):
        self.reduction = reduction
        self.delta = delta
    def forward(self, input, target):
        return F.huber_loss(input, target, reduction=self.reduction, delta=self.delta)

class CrossEntropyLoss(Module):
    def __init__(self, weight=None, size_average=None, ignore_index=-100, reduce=None, reduction='mean', label_smoothing=0.0):
        self.weight = weight
        self.ignore_index = ignore_index
        self.reduction = _reduction(size_average, reduce, reduction)
        self.label_smoothing = label_smoothing
    def forward(self, input, target):
        return F.cross_entropy(input, target, self.weight, ignore_index=self.ignore_index, reduction=self.reduction, label_smoothing=self.label_smoothing)

class NLLLoss(Module):
    def __init__(self, weight=None, size_average=None, ignore_index=-100, reduce=None, reduction='mean'):
        self.weight = weight
        self.ignore_index = ignore_index
        self.reduction = _reduction(size_average, reduce, reduction)
    def forward(self, input, target):
        return F.nll_loss(input, target, self.weight, ignore_index=self.ignore_index, reduction=self.reduction)

class BCELoss(Module):
    def __init__(self, weight=None, size_average=None, reduce=None, reduction='mean'):
        self.weight = weight
        self.reduction = _reduction(size_average, reduce, reduction)
    def forward(self, input, target):
        return F.binary_cross_entropy(input, target, self.weight, reduction=self.reduction)

class BCEWithLogitsLoss(Module):
    def __init__(self, weight=None, size_average=None, reduce=None, reduction='mean', pos_weight=None):
        self.weight = weight
        self.reduction = _reduction(size_average, reduce, reduction)
        self.pos_weight = pos_weight
    def forward(self, input, target):
        return F.binary_cross_entropy_with_logits(input, target, self.weight, reduction=self.reduction, pos_weight=self.pos_weight)

class KLDivLoss(Module):
    def __init__(self, size_average=None, reduce=None, reduction='mean', log_target=False):
        self.reduction = _reduction(size_average, reduce, reduction)
        self.log_target = log_target
    def forward(self, input, target):
        return F.kl_div(input, target, reduction=self.reduction, log_target=self.log_target)

class ReLU(Module):
    def __init__(self, inplace=False):
        self.inplace = inplace
    def forward(self, input):
        return F.relu(input, inplace=True) if self.inplace else F.relu(input)

class LeakyReLU(Module):
    def __init__(self, negative_slope=0.01, inplace=False):
        self.negative_slope = negative_slope
        self.inplace = inplace
    def forward(self, input):
        return F.leaky_relu(input, self.negative_slope, inplace=self.inplace)

class ELU(Module):
    def __init__(self, alpha=1.0, inplace=False):
        self.alpha = alpha
        self.inplace = inplace
    def forward(self, input):
        return F.elu(input, self.alpha, inplace=self.inplace)

class CELU(Module):
    def __init__(self, alpha=1.0, inplace=False):
        self.alpha = alpha
        self.inplace = inplace
    def forward(self, input):
        return F.celu(input, self.alpha, inplace=self.inplace)

class GELU(Module):
    def __init__(self, approximate='none'):
        self.approximate = approximate
    def forward(self, input):
        return F.gelu(input, approximate=self.approximate)

class PReLU(Module):
    def __init__(self, num_parameters=1, init=0.25, device=None, dtype=None):
        self.num_parameters = num_parameters
        self.weight = torch.full((num_parameters,), float(init))
    def forward(self, input):
        return F.prelu(input, self.weight)

class PoissonNLLLoss(Module):
    def __init__(self, log_input=True, full=False, size_average=None, eps=1e-8, reduce=None, reduction='mean'):
        self.log_input = log_input
        self.full = full
        self.eps = eps
        self.reduction = _reduction(size_average, reduce, reduction)
    def forward(self, log_input, target):
        return F.poisson_nll_loss(log_input, target, self.log_input, self.full, eps=self.eps, reduction=self.reduction)

class MultiMarginLoss(Module):
    def __init__(self, p=1, margin=1.0, weight=None, size_average=None, reduce=None, reduction='mean'):
        self.p = p
        self.margin = margin
        self.weight = weight
        self.reduction = _reduction(size_average, reduce, reduction)
    def forward(self, input, target):
        return F.multi_margin_loss(input, target, self.p, self.margin, self.weight, reduction=self.reduction)

class MultiLabelSoftMarginLoss(Module):
    def __init__(self, weight=None, size_average=None, reduce=None, reduction='mean'):
        self.weight = weight
        self.reduction = _reduction(size_average, reduce, reduction)
    def forward(self, input, target):
        return F.multilabel_soft_margin_loss(input, target, self.weight, reduction=self.reduction)

class TripletMarginWithDistanceLoss(Module):
    def __init__(self, *, distance_function=None, margin=1.0, swap=False, reduction='mean'):
        self.distance_function = distance_function
        self.margin = margin
        self.swap = swap
        self.reduction = reduction
    def forward(self, anchor, positive, negative):
        return F.triplet_margin_with_distance_loss(anchor, positive, negative, distance_function=self.distance_function, margin=self.margin, swap=self.swap, reduction=self.reduction)

class Hardtanh(Module):
    def __init__(self, min_val=-1.0, max_val=1.0, inplace=False):
        self.min_val = min_val
        self.max_val = max_val
        self.inplace = inplace
    def forward(self, input):
        return F.hardtanh(input, self.min_val, self.max_val, inplace=self.inplace)

class Softplus(Module):
    def __init__(self, beta=1.0, threshold=20.0):
        self.beta = beta
        self.threshold = threshold
    def forward(self, input):
        return F.softplus(input, self.beta, self.threshold)

class Threshold(Module):
    def __init__(self, threshold, value, inplace=False):
        self.threshold = threshold
        self.value = value
        self.inplace = inplace
    def forward(self, input):
        return F.threshold(input, self.threshold, self.value, inplace=self.inplace)

class Softshrink(Module):
    def __init__(self, lambd=0.5):
        self.lambd = lambd
    def forward(self, input):
        return F.softshrink(input, self.lambd)

class Hardshrink(Module):
    def __init__(self, lambd=0.5):
        self.lambd = lambd
    def forward(self, input):
        return F.hardshrink(input, self.lambd)

class _Plain(Module):
    def __init__(self, inplace=False):
        self.inplace = inplace
    def forward(self, input):
        return self.apply_to(input, inplace=True) if self.inplace else self.apply_to(input)

class ReLU6(_Plain):
    apply_to = F.relu6

class SELU(_Plain):
    apply_to = F.selu

class SiLU(_Plain):
    apply_to = F.silu

class Mish(_Plain):
    apply_to = F.mish

class Hardsigmoid(_Plain):
    apply_to = F.hardsigmoid

class Hardswish(_Plain):
    apply_to = F.hardswish

class Sigmoid(_Plain):
    apply_to = torch.sigmoid

class Tanh(_Plain):
    apply_to = torch.tanh

class LogSigmoid(_Plain):
    apply_to = F.logsigmoid

class Softsign(_Plain):
    apply_to = F.softsign

class Tanhshrink(_Plain):
    apply_to = F.tanhshrink

class Softmin(Module):
    def __init__(self, dim=None):
        self.dim = dim
    def forward(self, input):
        return F.softmin(input, self.dim)

class Softmax2d(Module):
    def forward(self, input):
        return F.softmax(input, -3)

class PairwiseDistance(Module):
    def __init__(self, p=2.0, eps=1e-6, keepdim=False):
        self.p = p
        self.eps = eps
        self.keepdim = keepdim
    def forward(self, x1, x2):
        return F.pairwise_distance(x1, x2, self.p, self.eps, self.keepdim)

class SoftMarginLoss(_Loss):
    def forward(self, input, target):
        return F.soft_margin_loss(input, target, reduction=self.reduction)

class GaussianNLLLoss(Module):
    def __init__(self, full=False, eps=1e-6, reduction='mean'):
        self.full = full
        self.eps = eps
        self.reduction = reduction
    def forward(self, input, target, var):
        return F.gaussian_nll_loss(input, target, var, self.full, self.eps, self.reduction)

class MarginRankingLoss(Module):
    def __init__(self, margin=0.0, size_average=None, reduce=None, reduction='mean'):
        self.margin = margin
        self.reduction = _reduction(size_average, reduce, reduction)
    def forward(self, input1, input2, target):
        return F.margin_ranking_loss(input1, input2, target, self.margin, reduction=self.reduction)

class HingeEmbeddingLoss(Module):
    def __init__(self, margin=1.0, size_average=None, reduce=None, reduction='mean'):
        self.margin = margin
        self.reduction = _reduction(size_average, reduce, reduction)
    def forward(self, input, target):
        return F.hinge_embedding_loss(input, target, self.margin, reduction=self.reduction)

class CosineEmbeddingLoss(Module):
    def __init__(self, margin=0.0, size_average=None, reduce=None, reduction='mean'):
        self.margin = margin
        self.reduction = _reduction(size_average, reduce, reduction)
    def forward(self, input1, input2, target):
        return F.cosine_embedding_loss(input1, input2, target, self.margin, reduction=self.reduction)

class TripletMarginLoss(Module):
    def __init__(self, margin=1.0, p=2.0, eps=1e-6, swap=False, size_average=None, reduce=None, reduction='mean'):
        self.margin = margin
        self.p = p
        self.eps = eps
        self.swap = swap
        self.reduction = _reduction(size_average, reduce, reduction)
    def forward(self, anchor, positive, negative):
        return F.triplet_margin_loss(anchor, positive, negative, self.margin, self.p, self.eps, self.swap, reduction=self.reduction)

class LocalResponseNorm(Module):
    def __init__(self, size, alpha=1e-4, beta=0.75, k=1.0):
        self.size = size
        self.alpha = alpha
        self.beta = beta
        self.k = k
    def forward(self, input):
        return F.local_response_norm(input, self.size, self.alpha, self.beta, self.k)

# SPDX-License-Identifier: GPL-3.0-or-later
# PyTorch's loss functions.

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

def _weighted(errors, weight, reduction):
    assert tuple(weight.shape) == tuple(errors.shape), "weight has the shape of the input"
    errors = errors * weight
    return torch.sum(errors) / torch.sum(weight) if reduction == 'mean' else _reduced(errors, reduction)

def mse_loss(input, target, size_average=None, reduce=None, reduction='mean', weight=None):
    reduction = _reduction(size_average, reduce, reduction)
    if weight is not None:
        return _weighted((input - target) ** 2, weight, reduction)
    return _reduced((input - target) ** 2, reduction)

def l1_loss(input, target, size_average=None, reduce=None, reduction='mean', weight=None):
    reduction = _reduction(size_average, reduce, reduction)
    if weight is not None:
        return _weighted(torch.abs(input - target), weight, reduction)
    return _reduced(torch.abs(input - target), reduction)

def smooth_l1_loss(input, target, size_average=None, reduce=None, reduction='mean', beta=1.0):
    reduction = _reduction(size_average, reduce, reduction)
    if beta == 0:
        return l1_loss(input, target, reduction=reduction)
    difference = input - target
    distance = torch.abs(difference)
    return _reduced(torch.where(distance < beta, 0.5 * difference * difference / beta, distance - 0.5 * beta), reduction)

def huber_loss(input, target, reduction='mean', delta=1.0, weight=None):
    difference = input - target
    distance = torch.abs(difference)
    errors = torch.where(distance < delta, 0.5 * difference * difference, delta * (distance - 0.5 * delta))
    if weight is not None:
        assert tuple(weight.shape) == tuple(errors.shape), "weight has the shape of the input"
        errors = errors * weight
    return _reduced(errors, reduction)

def _of_one_shape(input, target):
    assert input.dim() == target.dim(), "the target must have as many dimensions as the input"
    for i in range(input.dim()):
        assert input.shape[i] == target.shape[i], "the target must have the input's shape"

def _slope_of_entropy(input, target):
    return (input - target) / torch.clamp((1 - input) * input, min=1e-12)

def binary_cross_entropy(input, target, weight=None, size_average=None, reduce=None, reduction='mean'):
    reduction = _reduction(size_average, reduce, reduction)
    _of_one_shape(input, target)
    steady = input.requires_grad
    fixed = input.detach() if steady else input
    loss = -(target * torch.clamp(torch.log(fixed), min=-100) + (1 - target) * torch.clamp(torch.log1p(-fixed), min=-100))
    if steady:
        # The derivatives of the logarithms are infinite where the input is 0 or 1, whatever they are
        # clamped to; PyTorch's gradient and its derivative are these.
        slope = 0.5 * (_slope_of_entropy(input, target.detach()) + _slope_of_entropy(fixed, target.detach()))
        loss = loss + (input - fixed) * slope
    if weight is not None:
        loss = loss * weight
    return _reduced(loss, reduction)

def binary_cross_entropy_with_logits(input, target, weight=None, size_average=None, reduce=None, reduction='mean', pos_weight=None):
    reduction = _reduction(size_average, reduce, reduction)
    _of_one_shape(input, target)
    if pos_weight is None:
        loss = (1 - target) * input - F.logsigmoid(input)
    else:
        loss = (1 - target) * input - (1 + (pos_weight - 1) * target) * F.logsigmoid(input)
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
        loss = torch.xlogy(target, target) - target * input
    if reduction == 'batchmean':
        return torch.sum(loss) / input.shape[0]
    return _reduced(loss, reduction)

def poisson_nll_loss(input, target, log_input=True, full=False, size_average=None, eps=1e-8, reduce=None, reduction='mean'):
    reduction = _reduction(size_average, reduce, reduction)
    loss = torch.exp(input) - target * input if log_input else input - target * torch.log(input + eps)
    if full:
        stirling = target * torch.log(target) - target + 0.5 * torch.log(2 * math.pi * target)
        loss = loss + torch.where(target <= 1, torch.zeros_like(stirling), stirling)
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

def nll_loss(input, target, weight=None, size_average=None, ignore_index=-100, reduce=None, reduction='mean'):
    reduction = _reduction(size_average, reduce, reduction)
    rank = input.dim()
    dim = 1 if rank > 1 else 0
    classes = torch.arange(input.shape[dim])
    if rank > 2:
        classes = classes.view(-1, *([1] * (rank - 2)))
    kept = target != ignore_index
    place = _class_places(target, kept)
    chosen = torch.logical_and(place.unsqueeze(dim) == classes, kept.unsqueeze(dim))
    each = None if weight is None else _by_class(weight, rank)
    own = input if each is None else input * each
    loss = -torch.sum(torch.where(chosen, own, torch.tensor(0.0)), dim=dim)
    _check_classes(place, input, dim, 'nll_loss')
    if reduction != 'mean':
        return _reduced(loss, reduction)
    if each is None:
        return torch.sum(loss) / torch.sum(torch.sum(chosen.float(), dim=dim)).long()
    return torch.sum(loss) / torch.sum(torch.sum(torch.where(chosen, each, torch.tensor(0.0)), dim=dim))

def _class_places(target, kept):
    # Class 0 stands for what is ignored, so that every place is one.
    return torch.where(kept, target, torch.zeros_like(target))

def _check_classes(place, input, dim, name):
    torch._check_places(place, input, dim, name + ": target {} is out of bounds of the classes, dimension " + str(dim) + " of its input")

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

def _of_classes(input, target, dim, weight, ignore_index, reduction):
    shifted = input - torch.amax(input, dim=dim, keepdim=True)
    total = torch.log(torch.sum(torch.exp(shifted), dim=dim))
    count = input.shape[dim]
    named = target.long()
    kept = named != ignore_index
    place = _class_places(named, kept)
    classes = torch.arange(count)
    if input.dim() > 2:
        classes = classes.view(-1, *([1] * (input.dim() - 2)))
    chosen = place.unsqueeze(dim) == classes
    own = torch.sum(torch.where(chosen, shifted, torch.tensor(0.0)), dim=dim)
    loss = torch.where(kept, total - own, torch.tensor(0.0))
    _check_classes(place, input, dim, 'cross_entropy')
    if weight is not None:
        each = torch.sum(torch.where(chosen, _by_class(weight, input.dim()), torch.tensor(0.0)), dim=dim)
        each = torch.where(kept, each, torch.tensor(0.0))
        loss = loss * each
    if reduction != 'mean':
        return _reduced(loss, reduction)
    return torch.sum(loss) / (torch.sum(kept.float()).long() if weight is None else torch.sum(each))

def cross_entropy(input, target, weight=None, size_average=None, ignore_index=-100, reduce=None, reduction='mean', label_smoothing=0.0):
    reduction = _reduction(size_average, reduce, reduction)
    dim = 1 if input.dim() > 1 else 0
    if not torch.is_floating_point(target) and label_smoothing == 0:
        return _of_classes(input, target, dim, weight, ignore_index, reduction)
    logs = log_softmax(input, dim)
    if not torch.is_floating_point(target):
        own = nll_loss(logs, target, weight=weight, ignore_index=ignore_index, reduction=reduction)
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

def triplet_margin_loss(anchor, positive, negative, margin=1.0, p=2, eps=1e-6, swap=False, size_average=None, reduce=None, reduction='mean'):
    reduction = _reduction(size_average, reduce, reduction)
    near = pairwise_distance(anchor, positive, p, eps)
    far = pairwise_distance(anchor, negative, p, eps)
    if swap:
        far = torch.minimum(far, pairwise_distance(positive, negative, p, eps))
    return _reduced(torch.clamp(margin + near - far, min=0), reduction)

def multi_margin_loss(input, target, p=1, margin=1.0, weight=None, size_average=None, reduce=None, reduction='mean'):
    reduction = _reduction(size_average, reduce, reduction)
    assert input.dim() == 2 or input.dim() == 1, "input of multi_margin_loss must have 2 dimensions, or 1 without a batch"
    if input.dim() == 1:
        made = multi_margin_loss(input.unsqueeze(0), target.reshape(1) if torch.is_tensor(target) else torch.tensor([target]), p, margin, weight, reduction=reduction)
        return made.reshape([])
    torch._check_places(target, input, 1, "multi_margin_loss: target {} is out of bounds of the classes, dimension 1 of its input")
    own = torch.gather(input, 1, target.unsqueeze(1))
    loss = torch.clamp(margin - own + input, min=0)
    if p != 1:
        loss = loss ** p
    if weight is not None:
        loss = loss * weight[target].unsqueeze(1)
    others = torch.arange(input.shape[1]) != target.unsqueeze(1)
    return _reduced(torch.sum(torch.where(others, loss, torch.tensor(0.0)), dim=1) / input.shape[1], reduction)

def multilabel_soft_margin_loss(input, target, weight=None, size_average=None, reduce=None, reduction='mean'):
    reduction = _reduction(size_average, reduce, reduction)
    loss = -(target * F.logsigmoid(input) + (1 - target) * F.logsigmoid(-input))
    if weight is not None:
        loss = loss * weight
    return _reduced(torch.mean(loss, dim=-1), reduction)

def triplet_margin_with_distance_loss(anchor, positive, negative, *, distance_function=None, margin=1.0, swap=False, reduction='mean'):
    measure = pairwise_distance if distance_function is None else distance_function
    near = measure(anchor, positive)
    far = measure(anchor, negative)
    if swap:
        far = torch.minimum(far, measure(positive, negative))
    return _reduced(torch.clamp(margin + near - far, min=0), reduction)

def cosine_embedding_loss(input1, input2, target, margin=0.0, size_average=None, reduce=None, reduction='mean'):
    reduction = _reduction(size_average, reduce, reduction)
    alike = torch.sum(input1 * input2, dim=-1)
    lengths = torch.sqrt((torch.sum(input1 * input1, dim=-1) + 1e-12) * (torch.sum(input2 * input2, dim=-1) + 1e-12))
    angle = alike / lengths
    loss = torch.where(target == 1, 1 - angle, torch.tensor(0.0)) + torch.where(target == -1, torch.clamp(angle - margin, min=0), torch.tensor(0.0))
    return _reduced(loss, reduction)

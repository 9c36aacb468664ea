# SPDX-License-Identifier: GPL-3.0-or-later
# x[mask]. How many elements a mask selects depends on data, so a program computes at every element. The mask
# then chooses the elements that are written back, or that a reduction combines.

class _SelectedSizes:
    _shown = 'the shape of what a mask selects'
    def __init__(self, of):
        self.of = of
    def __len__(self):
        return self.of.dim()
    def __getitem__(self, index):
        return self.of.size(index)
    def __iter__(self):
        return iter([self.of.size(i) for i in range(self.of.dim())])

class _Selected:
    _shown = 'what a mask selects, whose size depends on data'
    def __init__(self, whole, mask, over, before, after, at):
        self.whole = whole  # every element; those that are not selected hold 1 when they are read
        self.mask = mask
        self.over = over  # the mask with a dimension of 1 for each dimension after it
        self.before = before  # how many dimensions come before those of the mask
        self.after = after  # how many come after them
        self.at = at  # how many ops there were when the mask was read

    def _with(self, whole):
        if not torch.is_tensor(whole):
            return tuple([self._with(each) for each in whole])
        after = whole.dim() - self.before - self.mask.dim()
        over = self.over
        for i in range(after - self.after):
            over = over.unsqueeze(-1)
        for i in range(self.after - after):
            over = over.squeeze(-1)
        return _Selected(whole, self.mask, over, self.before, after, self.at)
    def _next_to(self, other):
        if isinstance(other, _Selected):
            if other.after != self.after or not torch._same_mask(self.mask, self.at, other.mask):
                torch._refuse_selection()
            return other.whole
        return other
    def _lifted(self, function, places, names):
        given = [self._next_to(each) for each in places]
        named = {key: self._inner(names[key]) if key == 'dim' else self._next_to(names[key]) for key in names}
        wholes = [self.whole] + [each.whole for each in list(places) + list(names.values()) if isinstance(each, _Selected)]
        return self._with(torch._elementwise(lambda: function(*given, **named), self.before + self.mask.dim(), wholes))
    def _method(self, name, places, names):
        if name in _along_a_dim and len(places) > 0:
            places = (self._inner(places[0]),) + tuple(places[1:])
        return self._lifted(getattr(self.whole, name), places, names)
    def _function(self, name, function, places, names):
        if name in _selected_losses:
            return _selected_loss(function, name, places, names)
        if name in _along_a_dim and len(places) > 1 and isinstance(places[0], _Selected):
            places = (places[0], places[0]._inner(places[1])) + tuple(places[2:])
        return self._lifted(function, places, names)
    def _inner(self, dim):
        # A dimension after the selected one, counted from the end.
        if isinstance(dim, (tuple, list)):
            return [self._inner(each) for each in dim]
        if dim is None:
            return dim
        from_end = dim if dim < 0 else dim - self.dim()
        if from_end < -self.after:
            torch._refuse_selection()
        return from_end
    def _is_chosen(self, dim):
        return not isinstance(dim, (tuple, list)) and (dim if dim >= 0 else dim + self.dim()) == self.before
    def _chosen_dims(self):
        return [i - self.after - self.mask.dim() for i in range(self.mask.dim())]
    def _or(self, value):
        return torch.where(self.over, self.whole, value)
    def _zeroed(self):
        return self._or(False if self.whole.dtype == torch.bool else 0)
    def _count(self):
        return self.mask.sum() * (self.whole.numel() // self.mask.numel())
    def _need_any(self, name):
        assert self.mask.any(), name + " of what a mask selects: the mask selects no elements"

    def __add__(self, other):
        return self._lifted(lambda a, b: a + b, (self, other), {})
    def __radd__(self, other):
        return self._lifted(lambda a, b: a + b, (other, self), {})
    def __sub__(self, other):
        return self._lifted(lambda a, b: a - b, (self, other), {})
    def __rsub__(self, other):
        return self._lifted(lambda a, b: a - b, (other, self), {})
    def __mul__(self, other):
        return self._lifted(lambda a, b: a * b, (self, other), {})
    def __rmul__(self, other):
        return self._lifted(lambda a, b: a * b, (other, self), {})
    def __truediv__(self, other):
        return self._lifted(lambda a, b: a / b, (self, other), {})
    def __rtruediv__(self, other):
        return self._lifted(lambda a, b: a / b, (other, self), {})
    def __floordiv__(self, other):
        return self._lifted(lambda a, b: a // b, (self, other), {})
    def __mod__(self, other):
        return self._lifted(lambda a, b: a % b, (self, other), {})
    def __pow__(self, other):
        return self._lifted(lambda a, b: a ** b, (self, other), {})
    def __rpow__(self, other):
        return self._lifted(lambda a, b: a ** b, (other, self), {})
    def __matmul__(self, other):
        return self._lifted(lambda a, b: a @ b, (self, other), {})
    def __and__(self, other):
        return self._lifted(lambda a, b: a & b, (self, other), {})
    def __or__(self, other):
        return self._lifted(lambda a, b: a | b, (self, other), {})
    def __eq__(self, other):
        return self._lifted(lambda a, b: a == b, (self, other), {})
    def __ne__(self, other):
        return self._lifted(lambda a, b: a != b, (self, other), {})
    def __lt__(self, other):
        return self._lifted(lambda a, b: a < b, (self, other), {})
    def __le__(self, other):
        return self._lifted(lambda a, b: a <= b, (self, other), {})
    def __gt__(self, other):
        return self._lifted(lambda a, b: a > b, (self, other), {})
    def __ge__(self, other):
        return self._lifted(lambda a, b: a >= b, (self, other), {})
    def __iadd__(self, other):
        return self._set(self + other)
    def __isub__(self, other):
        return self._set(self - other)
    def __imul__(self, other):
        return self._set(self * other)
    def __itruediv__(self, other):
        return self._set(self / other)
    def __ipow__(self, other):
        return self._set(self ** other)
    def _set(self, made):
        self.whole = made.whole.to(self.whole.dtype)
        return self
    def __neg__(self):
        return self._lifted(lambda a: -a, (self,), {})
    def __invert__(self):
        return self._lifted(lambda a: ~a, (self,), {})

    @property
    def shape(self):
        return _SelectedSizes(self)
    @property
    def ndim(self):
        return self.dim()
    @property
    def dtype(self):
        return self.whole.dtype
    @property
    def device(self):
        return self.whole.device
    @property
    def requires_grad(self):
        return self.whole.requires_grad
    @property
    def data(self):
        return self._with(self.whole.detach())
    def __len__(self):
        return self.size(0)
    def dim(self):
        return self.before + 1 + self.after
    def size(self, dim=None):
        if dim is None:
            return self.shape
        from_end = dim if dim < 0 else dim - self.dim()
        if from_end == -1 - self.after:
            return self.mask.sum().item()
        return self.whole.size(from_end if from_end >= -self.after else from_end - self.mask.dim() + 1)
    def numel(self):
        return self._count().item()
    def nelement(self):
        return self.numel()

    def unsqueeze(self, dim):
        from_end = dim if dim < 0 else dim - self.dim() - 1
        if from_end < -1 - self.after:
            torch._refuse_selection()
        return self._with(self.whole.unsqueeze(from_end))
    def squeeze(self, dim):
        return self._with(self.whole.squeeze(self._inner(dim)))
    def view(self, *sizes):
        # In one dimension the order of its elements is the same.
        if self.before + self.after > 0 or sizes not in ((-1,), ([-1],), ((-1,),)):
            torch._refuse_selection()
        return self
    def reshape(self, *sizes):
        return self.view(*sizes)
    def flatten(self):
        return self.view(-1)
    def contiguous(self):
        return self

    def sum(self, dim=None, keepdim=False, dtype=None):
        of = self if dtype is None else self._with(self.whole.to(dtype))
        if dim is None:
            return of._zeroed().sum()
        if not of._is_chosen(dim):
            return of._lifted(lambda a: torch.sum(a, dim=of._inner(dim), keepdim=keepdim), (of,), {})
        made = of._zeroed().sum(dim=of._chosen_dims())
        return made.unsqueeze(of.before) if keepdim else made
    def mean(self, dim=None, keepdim=False, dtype=None):
        of = self if dtype is None else self._with(self.whole.to(dtype))
        if dim is None:
            return of.sum() / of._count()
        if not of._is_chosen(dim):
            return of._lifted(lambda a: torch.mean(a, dim=of._inner(dim), keepdim=keepdim), (of,), {})
        return of.sum(dim, keepdim) / of.mask.sum()
    def var(self, dim=None, unbiased=True, keepdim=False, correction=None):
        less = correction if correction is not None else 1 if unbiased else 0
        if dim is None:
            apart = self._with((self.whole - self.mean()) ** 2)
            return apart.sum() / (self._count() - less)
        if not self._is_chosen(dim):
            return self._lifted(lambda a: torch.var(a, dim=self._inner(dim), correction=less, keepdim=keepdim), (self,), {})
        mean = self.mean(dim)
        for i in range(self.mask.dim()):
            mean = mean.unsqueeze(self.before)
        apart = self._with((self.whole - mean) ** 2)
        return apart.sum(dim, keepdim) / (self.mask.sum() - less)
    def std(self, dim=None, unbiased=True, keepdim=False, correction=None):
        made = self.var(dim, unbiased, keepdim, correction)
        return made.sqrt()
    def norm(self, p=2, dim=None, keepdim=False):
        if dim is None:
            assert p == 'fro' or p > 0, "the norm of what a mask selects has an order above 0"
            return torch.norm(self._zeroed(), p)
        return self._lifted(lambda a: torch.norm(a, p, dim=self._inner(dim), keepdim=keepdim), (self,), {})
    def prod(self):
        return self._or(1).prod()
    def any(self, dim=None, keepdim=False):
        if dim is not None:
            return self._lifted(lambda a: torch.any(a, dim=self._inner(dim), keepdim=keepdim), (self,), {})
        return self._zeroed().any()
    def all(self, dim=None, keepdim=False):
        if dim is not None:
            return self._lifted(lambda a: torch.all(a, dim=self._inner(dim), keepdim=keepdim), (self,), {})
        return self._or(True if self.whole.dtype == torch.bool else 1).all()
    def _most(self):
        self._need_any('max')
        return self._or(-math.inf if self.whole.is_floating_point() else self.whole.min())
    def _least(self):
        self._need_any('min')
        return self._or(math.inf if self.whole.is_floating_point() else self.whole.max())
    def amax(self, dim=None, keepdim=False):
        if dim is None:
            return self._most().amax()
        if self._is_chosen(dim) and not keepdim:
            return self._most().amax(dim=self._chosen_dims())
        return self._lifted(lambda a: torch.amax(a, dim=self._inner(dim), keepdim=keepdim), (self,), {})
    def amin(self, dim=None, keepdim=False):
        if dim is None:
            return self._least().amin()
        if self._is_chosen(dim) and not keepdim:
            return self._least().amin(dim=self._chosen_dims())
        return self._lifted(lambda a: torch.amin(a, dim=self._inner(dim), keepdim=keepdim), (self,), {})
    def max(self, dim=None, keepdim=False):
        if dim is None:
            return self._most().max()
        if isinstance(dim, _Selected):
            return self._lifted(torch.maximum, (self, dim), {})
        return self._lifted(lambda a: torch.max(a, dim=self._inner(dim), keepdim=keepdim), (self,), {})
    def min(self, dim=None, keepdim=False):
        if dim is None:
            return self._least().min()
        if isinstance(dim, _Selected):
            return self._lifted(torch.minimum, (self, dim), {})
        return self._lifted(lambda a: torch.min(a, dim=self._inner(dim), keepdim=keepdim), (self,), {})
    def argmax(self, dim=None, keepdim=False):
        if dim is None:
            torch._refuse_selection()
        return self._lifted(lambda a: torch.argmax(a, dim=self._inner(dim), keepdim=keepdim), (self,), {})
    def argmin(self, dim=None, keepdim=False):
        if dim is None:
            torch._refuse_selection()
        return self._lifted(lambda a: torch.argmin(a, dim=self._inner(dim), keepdim=keepdim), (self,), {})

def masked_select(input, mask):
    if mask.dim() != input.dim():
        torch._refuse_selection()
    return input[mask]

_along_a_dim = ('softmax', 'log_softmax', 'cumsum', 'cumprod', 'logsumexp', 'argsort')
_selected_losses = ('mse_loss', 'l1_loss', 'smooth_l1_loss', 'huber_loss', 'binary_cross_entropy', 'binary_cross_entropy_with_logits', 'soft_margin_loss', 'cross_entropy', 'nll_loss')

def _selected_loss(function, name, places, names):
    named = dict(names)
    both = list(places)
    for key in ('input', 'target'):
        if key in named:
            both.append(named.pop(key))
    input, target = both[0], both[1]
    reduction = named['reduction'] if 'reduction' in named else 'mean'
    if not isinstance(input, _Selected) or not isinstance(target, _Selected):
        torch._refuse_selection()
    if name in ('cross_entropy', 'nll_loss'):
        # The loss ignores the elements that are not selected.
        if reduction == 'none' or input.before > 0 or input.after != 1 or target.after != 0 or not torch._same_mask(input.mask, input.at, target.mask):
            torch._refuse_selection()
        ignored = named['ignore_index'] if 'ignore_index' in named else -100
        wanted = target._or(ignored).reshape(-1)
        return function(input.whole.flatten(0, -2), wanted, *both[2:], **named)
    if len([each for each in both[2:] if each is not None]) > 0 or named.get('weight') is not None or named.get('pos_weight') is not None:
        torch._refuse_selection()
    named['reduction'] = 'none'
    each = input._lifted(lambda a, b: function(a, b, **named), (input, target), {})
    return each if reduction == 'none' else each.sum() if reduction == 'sum' else each.mean()

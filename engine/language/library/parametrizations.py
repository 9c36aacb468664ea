# SPDX-License-Identifier: GPL-3.0-or-later
# Weights that are computed from others where they are read.

def _normed(v, dims):
    return torch.linalg.vector_norm(v, 2, dims, keepdim=True)

def _other_dims(v, dim):
    if dim is None or dim == -1:
        return [d for d in range(v.dim())]
    return [d for d in range(v.dim()) if d != dim]

def _size_of_norm(v, dim):
    dims = _other_dims(v, dim)
    return tuple([1 if d in dims else v.shape[d] for d in range(v.dim())])

class _WeightNorm(Module):
    def __init__(self, weight, dim):
        self.dim = dim
        self.original0 = torch.ones(_size_of_norm(weight, dim))
        self.original1 = weight
    def value(self, module):
        return self.original1 * (self.original0 / _normed(self.original1, _other_dims(self.original1, self.dim)))

class _Parametrization(Module):
    def __init__(self, weight):
        self.original = weight
        self._items = []
    def value(self, module):
        found = self.original
        for each in self._items:
            found = each(found)
        return found

def _computes(module, name, function):
    # Reading the attribute calls the function with the module.
    if not hasattr(module, '_computed'):
        module._computed = {}
    module._computed[name] = function

def _parametrized(module, name, made):
    delattr(module, name)
    if not hasattr(module, 'parametrizations'):
        module.parametrizations = ModuleDict()
    module.parametrizations[name] = made
    _computes(module, name, made.value)
    return module

def _new_weight_norm(module, name='weight', dim=0):
    return _parametrized(module, name, _WeightNorm(getattr(module, name), dim))

def _old_weight_norm(module, name='weight', dim=0):
    made = _WeightNorm(getattr(module, name), dim)
    delattr(module, name)
    setattr(module, name + '_g', made.original0)
    setattr(module, name + '_v', made.original1)
    _computes(module, name, made.value)
    return module

def _register_parametrization(module, tensor_name, parametrization, unsafe=False):
    if not hasattr(module, 'parametrizations') or tensor_name not in module.parametrizations:
        _parametrized(module, tensor_name, _Parametrization(getattr(module, tensor_name)))
    module.parametrizations[tensor_name]._items.append(parametrization)
    return module

class _SpectralNorm(Module):
    # The vectors start with equal elements. PyTorch starts with random ones, and the new form iterates 15 times.
    def __init__(self, weight, n_power_iterations, dim, eps):
        assert n_power_iterations > 0, "n_power_iterations of spectral_norm is at least 1"
        assert -weight.dim() <= dim < weight.dim(), "dim of spectral_norm names a dimension of the weight"
        self.n_power_iterations = n_power_iterations
        self.dim = dim if dim >= 0 else dim + weight.dim()
        self.eps = eps
        if weight.dim() > 1:
            rows = weight.shape[self.dim]
            columns = weight.numel() // rows
            self.register_buffer('_u', torch.full((rows,), rows ** -0.5))
            self.register_buffer('_v', torch.full((columns,), columns ** -0.5))

    def forward(self, weight):
        if weight.dim() == 1:
            return F.normalize(weight, dim=0, eps=self.eps)
        matrix = _matrix_of_weight(weight, self.dim)
        if self.training:
            _power_iterations(matrix, self._u, self._v, self.n_power_iterations, self.eps, True)
        return _over_norm(weight, matrix, self._u, self._v)

def _matrix_of_weight(weight, dim):
    return torch.movedim(weight, dim, 0).flatten(1)

def _power_iterations(matrix, u, v, count, eps, u_first):
    with torch.no_grad():
        for _ in range(count):
            if u_first:
                u.copy_(F.normalize(torch.mv(matrix, v), dim=0, eps=eps))
            v.copy_(F.normalize(torch.mv(matrix.t(), u), dim=0, eps=eps))
            if not u_first:
                u.copy_(F.normalize(torch.mv(matrix, v), dim=0, eps=eps))

def _over_norm(weight, matrix, u, v):
    # Later calls change the vectors in place, so gradients need copies.
    return weight / torch.dot(u.clone(), torch.mv(matrix, v.clone()))

def _new_spectral_norm(module, name='weight', n_power_iterations=1, eps=1e-12, dim=None):
    weight = getattr(module, name)
    return _register_parametrization(module, name, _SpectralNorm(weight, n_power_iterations, 0 if dim is None else dim, eps))

class _OldSpectralNorm(_SpectralNorm):
    def value(self, module):
        weight = getattr(module, self.name + '_orig')
        u, v = getattr(module, self.name + '_u'), getattr(module, self.name + '_v')
        matrix = _matrix_of_weight(weight, self.dim)
        if module.training:
            _power_iterations(matrix, u, v, self.n_power_iterations, self.eps, False)
        return _over_norm(weight, matrix, u, v)

def _old_spectral_norm(module, name='weight', n_power_iterations=1, eps=1e-12, dim=None):
    weight = getattr(module, name)
    assert weight.dim() > 1, "nn.utils.spectral_norm takes a weight of 2 dimensions or more; use nn.utils.parametrizations.spectral_norm"
    made = _OldSpectralNorm(weight, n_power_iterations, 0 if dim is None else dim, eps)
    made.name = name
    delattr(module, name)
    setattr(module, name + '_orig', weight)
    module.register_buffer(name + '_u', made._u)
    module.register_buffer(name + '_v', made._v)
    _computes(module, name, made.value)
    return module

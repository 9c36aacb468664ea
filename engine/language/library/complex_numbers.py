# SPDX-License-Identifier: GPL-3.0-or-later
# Complex numbers as two tensors of one shape. No dtype holds them: a program makes them and takes them
# apart again, as rotary embeddings do.

def _parts(value):
    return (value.real, value.imag) if isinstance(value, _Complex) else (value, None)

def _complex_pair(real, imag):
    # Both parts are tensors, or both are numbers: 2j is a pair of numbers.
    if torch.is_tensor(real) and not torch.is_tensor(imag):
        imag = torch.full_like(real, imag)
    elif torch.is_tensor(imag) and not torch.is_tensor(real):
        real = torch.full_like(imag, real)
    return _Complex(real, imag)

class _Complex:
    _shown = 'complex numbers, of which torch.view_as_real makes a tensor'
    def __init__(self, real, imag):
        self.real = real
        self.imag = imag

    @property
    def shape(self):
        return self.real.shape

    @property
    def ndim(self):
        return self.real.dim()

    @property
    def device(self):
        return self.real.device

    @property
    def dtype(self):
        return torch.complex128 if self.real.dtype == torch.float64 else torch.complex64

    @property
    def T(self):
        return _Complex(self.real.T, self.imag.T)

    @property
    def mH(self):
        return _Complex(self.real.mT, -self.imag.mT)

    def __len__(self):
        return len(self.real)
    def __getitem__(self, index):
        return _Complex(self.real[index], self.imag[index])
    def __neg__(self):
        return _Complex(-self.real, -self.imag)
    def __add__(self, other):
        real, imag = _parts(other)
        if imag is None:
            imag = torch.zeros_like(real) if torch.is_tensor(real) else 0
        return _complex_pair(self.real + real, self.imag + imag)
    def __radd__(self, other):
        return self + other
    def __sub__(self, other):
        return self + -other
    def __rsub__(self, other):
        return -self + other
    def __mul__(self, other):
        real, imag = _parts(other)
        if imag is None:
            return _complex_pair(self.real * real, self.imag * real)
        return _complex_pair(self.real * real - self.imag * imag, self.real * imag + self.imag * real)
    def __rmul__(self, other):
        return self * other
    def __truediv__(self, other):
        real, imag = _parts(other)
        if imag is None:
            return _complex_pair(self.real / real, self.imag / real)
        square = real * real + imag * imag
        return _complex_pair((self.real * real + self.imag * imag) / square, (self.imag * real - self.real * imag) / square)
    def __rtruediv__(self, other):
        square = self.real * self.real + self.imag * self.imag
        return _complex_pair(other * self.real / square, -other * self.imag / square)
    def __matmul__(self, other):
        real, imag = _parts(other)
        assert imag is not None, "both factors of a product of complex matrices are complex"
        return _Complex(self.real @ real - self.imag @ imag, self.real @ imag + self.imag @ real)
    def __setitem__(self, index, value):
        real, imag = _parts(value)
        self.real[index] = real
        self.imag[index] = 0 if imag is None else imag
    def __iadd__(self, other):
        return self.copy_(self + other)
    def __isub__(self, other):
        return self.copy_(self - other)
    def __imul__(self, other):
        return self.copy_(self * other)
    def __itruediv__(self, other):
        return self.copy_(self / other)
    def copy_(self, other):
        real, imag = _parts(other)
        self.real.copy_(real)
        self.imag.copy_(torch.zeros_like(self.imag) if imag is None else imag)
        return self
    def add_(self, other):
        return self.copy_(self + other)
    def sub_(self, other):
        return self.copy_(self - other)
    def mul_(self, other):
        return self.copy_(self * other)
    def div_(self, other):
        return self.copy_(self / other)
    def zero_(self):
        return self.copy_(torch.zeros_like(self.real))
    def zeros_like(self, **names):
        return _complex_made('zeros_like', torch.zeros_like, (self.real,), _of_parts(names, self))
    def empty_like(self, **names):
        return self.zeros_like(**names)
    def ones_like(self, **names):
        return _complex_made('ones_like', torch.ones_like, (self.real,), _of_parts(names, self))
    def full_like(self, value, **names):
        return _complex_made('full_like', torch.full_like, (self.real, value), _of_parts(names, self))
    def rand_like(self, **names):
        return _complex_made('rand_like', torch.rand_like, (self.real,), _of_parts(names, self))
    def randn_like(self, **names):
        return _complex_made('randn_like', torch.randn_like, (self.real,), _of_parts(names, self))
    def new_zeros(self, *sizes, **names):
        return _complex_made('zeros', torch.zeros, sizes, _of_parts(names, self))
    def new_ones(self, *sizes, **names):
        return _complex_made('ones', torch.ones, sizes, _of_parts(names, self))
    def new_empty(self, *sizes, **names):
        return self.new_zeros(*sizes, **names)
    def Parameter(self, requires_grad=True):
        return _Complex(nn.Parameter(self.real, requires_grad=requires_grad), nn.Parameter(self.imag, requires_grad=requires_grad))
    def __pow__(self, exponent):
        assert isinstance(exponent, int) and exponent > 0, "a power of complex numbers has a whole exponent above 0"
        made = self
        for i in range(exponent - 1):
            made = made * self
        return made
    def matmul(self, other):
        return self @ other

    def _both(self, name, places, names):
        return _Complex(getattr(self.real, name)(*places, **names), getattr(self.imag, name)(*places, **names))
    def reshape(self, *places, **names):
        return self._both('reshape', places, names)
    def view(self, *places, **names):
        return self._both('view', places, names)
    def unsqueeze(self, *places, **names):
        return self._both('unsqueeze', places, names)
    def squeeze(self, *places, **names):
        return self._both('squeeze', places, names)
    def transpose(self, *places, **names):
        return self._both('transpose', places, names)
    def permute(self, *places, **names):
        return self._both('permute', places, names)
    def expand(self, *places, **names):
        return self._both('expand', places, names)
    def expand_as(self, other):
        return self.expand(other.shape)
    def flatten(self, *places, **names):
        return self._both('flatten', places, names)
    def narrow(self, *places, **names):
        return self._both('narrow', places, names)
    def select(self, *places, **names):
        return self._both('select', places, names)
    def repeat(self, *places, **names):
        return self._both('repeat', places, names)
    def index_select(self, *places, **names):
        return self._both('index_select', places, names)
    def contiguous(self, *places, **names):
        return self._both('contiguous', places, names)
    def clone(self):
        return self._both('clone', (), {})
    def detach(self):
        return self._both('detach', (), {})
    def sum(self, *places, **names):
        return self._both('sum', places, names)
    def mean(self, *places, **names):
        return self._both('mean', places, names)
    def size(self, *places):
        return self.real.size(*places)
    def dim(self):
        return self.real.dim()
    def numel(self):
        return self.real.numel()
    def to(self, *places, **names):
        for dtype in list(places) + list(names.values()):
            if dtype == torch.complex128 and self.dtype != torch.complex128:
                return _Complex(self.real.double(), self.imag.double())
            if dtype == torch.complex64 and self.dtype != torch.complex64:
                return _Complex(self.real.float(), self.imag.float())
        return self
    def cfloat(self):
        return self.to(torch.complex64)
    def cdouble(self):
        return self.to(torch.complex128)
    def cuda(self, *places, **names):
        return self
    def cpu(self):
        return self
    def type_as(self, other):
        return self if isinstance(other, _Complex) else self.real
    def is_complex(self):
        return True
    def is_floating_point(self):
        return False

    def conj(self):
        return _Complex(self.real, -self.imag)
    def resolve_conj(self):
        return self
    def abs(self):
        return torch.hypot(self.real, self.imag)
    def angle(self):
        return torch.atan2(self.imag, self.real)
    def exp(self):
        return polar(torch.exp(self.real), self.imag)
    def log(self):
        return _Complex(torch.log(self.abs()), self.angle())
    def square(self):
        return self * self
    def view_as_real(self):
        return torch.stack([self.real, self.imag], -1)
    def _joined(self, name, items, dim=0):
        join = torch.cat if name == 'cat' else torch.stack
        return _Complex(join([each.real for each in items], dim), join([each.imag for each in items], dim))

def _part_dtype(dtype):
    return torch.float64 if dtype == torch.complex128 else torch.float32

def _of_parts(names, like):
    # The arguments with the dtype of complex numbers that they give, or that of others.
    return dict(names, dtype=names['dtype'] if names.get('dtype') is not None else like.dtype)

def _complex_made(name, function, places, names):
    # torch.zeros(4, dtype=torch.cfloat) and the other functions that make tensors.
    assert name in ('rand', 'rand_like', 'randn', 'randn_like', 'zeros', 'ones', 'empty', 'full', 'eye', 'arange', 'linspace', 'tensor', 'as_tensor', 'zeros_like', 'ones_like', 'empty_like', 'full_like', 'new_zeros', 'new_ones', 'new_full', 'new_empty'), name + " makes no complex numbers here; write torch.complex(real, imag) of two tensors"
    own = dict(names, dtype=_part_dtype(names['dtype']))
    if len(places) > 0 and isinstance(places[0], _Complex):
        places = (places[0].real,) + tuple(places[1:])
    if name in ('full', 'full_like') and isinstance(places[-1], _Complex):
        whole = tuple(places[:-1])
        return _Complex(function(*whole, places[-1].real, **own), function(*whole, places[-1].imag, **own))
    real = function(*places, **own)
    if name in ('rand', 'rand_like'):
        return _Complex(real, function(*places, **own))
    if name in ('randn', 'randn_like'):
        # Real and imaginary part have half of the variance each.
        return _Complex(real * math.sqrt(0.5), function(*places, **own) * math.sqrt(0.5))
    return _Complex(real, torch.zeros_like(real))

def _to_complex(tensor, dtype):
    real = tensor.to(_part_dtype(dtype))
    return _Complex(real, torch.zeros_like(real))

def complex(real, imag):
    assert real.shape == imag.shape, "complex takes a real and an imaginary part of one shape"
    return _Complex(real, imag)

def polar(abs, angle):
    return _Complex(abs * torch.cos(angle), abs * torch.sin(angle))

def view_as_complex(input):
    assert input.shape[-1] == 2, "view_as_complex takes pairs: the last dimension has the extent 2"
    return _Complex(input[..., 0], input[..., 1])

def is_complex(input):
    return False

def real(input):
    return input

def conj(input):
    return input

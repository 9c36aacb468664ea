# SPDX-License-Identifier: GPL-3.0-or-later
# Complex numbers as two tensors of one shape. No dtype holds them: a program makes them and takes them
# apart again, as rotary embeddings do.

def _parts(value):
    return (value.real, value.imag) if isinstance(value, _Complex) else (value, None)

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
        return _Complex(self.real + real, self.imag + (torch.zeros_like(self.imag) if imag is None else imag))
    def __radd__(self, other):
        return self + other
    def __sub__(self, other):
        return self + -other
    def __rsub__(self, other):
        return -self + other
    def __mul__(self, other):
        real, imag = _parts(other)
        if imag is None:
            return _Complex(self.real * real, self.imag * real)
        return _Complex(self.real * real - self.imag * imag, self.real * imag + self.imag * real)
    def __rmul__(self, other):
        return self * other
    def __truediv__(self, other):
        real, imag = _parts(other)
        if imag is None:
            return _Complex(self.real / real, self.imag / real)
        square = real * real + imag * imag
        return _Complex((self.real * real + self.imag * imag) / square, (self.imag * real - self.real * imag) / square)
    def __rtruediv__(self, other):
        square = self.real * self.real + self.imag * self.imag
        return _Complex(other * self.real / square, -other * self.imag / square)
    def __matmul__(self, other):
        real, imag = _parts(other)
        assert imag is not None, "both factors of a product of complex matrices are complex"
        return _Complex(self.real @ real - self.imag @ imag, self.real @ imag + self.imag @ real)
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
        return self
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

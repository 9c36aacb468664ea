# SPDX-License-Identifier: GPL-3.0-or-later
"""Every op stated a second time, in arbitrary precision and apart from the op table.

Operands come as mpfr numbers that hold a float32 exactly; results are as accurate as the precision of
the gmpy2 context (see make_values.py). Each op names its domain: where its points are drawn from.
Finite operands only: infinities and NaN are PyTorch's to decide (see specials.txt)."""

import gmpy2
from gmpy2 import mpfr

INF = mpfr("inf")
NAN = mpfr("nan")
FLOAT32_MAX = float.fromhex("0x1.fffffep127")

# Kinds of domain: how one operand's points are drawn (make_values.py draws them).
ALL = "all"                     # every float32, exponents evenly
POSITIVE = "positive"           # every float32 from 0 up
SMALL = "small"                 # [-12, 12], and a share of ALL
UNIT = "unit"                   # [-1, 1], also close to its ends
OPEN_UNIT = "open unit"         # (0, 1), also close to its ends
FROM_ONE = "from one"           # [1, inf), also close to 1
ABOVE_MINUS_ONE = "above -1"    # (-1, inf)
ANGLE = "angle"                 # [-100, 100], near multiples of pi / 2, and a share of ALL
EXPONENT = "exponent"           # [-110, 110], and a share of SMALL
TERM = "term"                   # [0.001, 1000]: sums of such do not cancel
WEIGHT = "weight"               # [0, 1]
TRUTH = "truth"                 # 0 or 1
WHOLE = "whole"                 # small whole numbers, halves, and a share of ALL


class Op:
    def __init__(self, function, domains, parameters, truth):
        self.function = function
        self.domains = domains
        self.parameters = parameters  # tuples of values, each tried on a share of the points
        self.truth = truth


OPS = {}


def op(*domains, parameters=((),), name=None, truth=False):
    def register(function):
        OPS[name or function.__name__.rstrip("_")] = Op(function, domains, parameters, truth)
        return function
    return register


def pi():
    return gmpy2.const_pi()


def whole_below(q):
    return gmpy2.floor(q)


# --- arithmetic ------------------------------------------------------------------------------------

@op(ALL, ALL)
def add(a, b):
    return a + b


@op(ALL, ALL)
def sub(a, b):
    return a - b


@op(ALL, ALL)
def mul(a, b):
    return a * b


@op(ALL, ALL)
def div(a, b):
    if b == 0:
        return NAN if a == 0 else gmpy2.copy_sign(INF, a) * gmpy2.copy_sign(mpfr(1), b)
    return a / b


def exact_quotient(a, b):
    """a / b as an exact fraction."""
    return gmpy2.mpq(a) / gmpy2.mpq(b)


@op(ALL, ALL)
def floor_divide(a, b):
    if b == 0:
        return div(a, b)
    q = exact_quotient(a, b)
    return mpfr(q.numerator // q.denominator)


@op(ALL, ALL)
def trunc_divide(a, b):
    if b == 0:
        return div(a, b)
    q = exact_quotient(a, b)
    whole = abs(q.numerator) // q.denominator
    return mpfr(whole if q > 0 else -whole)


@op(ALL, ALL)
def remainder(a, b):
    if b == 0:
        return NAN
    q = exact_quotient(a, b)
    return mpfr(gmpy2.mpq(a) - gmpy2.mpq(b) * (q.numerator // q.denominator))


@op(ALL, ALL)
def fmod(a, b):
    if b == 0:
        return NAN
    q = exact_quotient(a, b)
    whole = abs(q.numerator) // q.denominator
    return mpfr(gmpy2.mpq(a) - gmpy2.mpq(b) * (whole if q > 0 else -whole))


@op(ALL)
def neg(a):
    return -a


@op(ALL)
def abs_(a):
    return -a if a < 0 else a


@op(ALL)
def sign(a):
    return mpfr(1) if a > 0 else mpfr(-1) if a < 0 else mpfr(0)


@op(ALL, ALL)
def copysign(a, b):
    size = -a if gmpy2.is_signed(a) else a
    return -size if gmpy2.is_signed(b) else size


@op(ALL, ALL, parameters=((1.0,), (2.0,), (-0.3,)))
def add_scaled(a, b, alpha):
    return a + alpha * b


@op(ALL, ALL, parameters=((1.0,), (2.0,), (-0.3,)))
def sub_scaled(a, b, alpha):
    return a - alpha * b


@op(TERM, TERM, TERM, parameters=((1.0,), (0.7,)))
def addcmul(a, b, c, value):
    return a + value * b * c


@op(TERM, TERM, TERM, parameters=((1.0,), (0.7,)))
def addcdiv(a, b, c, value):
    return a + value * b / c


@op(TERM, TERM, WEIGHT)
def lerp(a, b, weight):
    return a + weight * (b - a)


@op(ALL)
def clone(a):
    return a


@op(ALL)
def float_(a):
    return a


# --- comparisons -----------------------------------------------------------------------------------

@op(WHOLE, WHOLE, truth=True)
def lt(a, b):
    return a < b


@op(WHOLE, WHOLE, truth=True)
def le(a, b):
    return not a > b


@op(WHOLE, WHOLE, truth=True)
def gt(a, b):
    return b < a


@op(WHOLE, WHOLE, truth=True)
def ge(a, b):
    return not a < b


@op(WHOLE, WHOLE, truth=True)
def eq(a, b):
    return a - b == 0


@op(WHOLE, WHOLE, truth=True)
def ne(a, b):
    return a - b != 0


@op(WHOLE, WHOLE, truth=True)
def logical_and(a, b):
    return bool(a) and bool(b)


@op(WHOLE, WHOLE, truth=True)
def logical_or(a, b):
    return bool(a) or bool(b)


@op(WHOLE, WHOLE, truth=True)
def logical_xor(a, b):
    return bool(a) != bool(b)


@op(WHOLE, truth=True)
def logical_not(a):
    return not a


@op(ALL, truth=True)
def isnan(a):
    return gmpy2.is_nan(a)


@op(ALL, truth=True)
def isinf(a):
    return gmpy2.is_infinite(a)


@op(ALL, truth=True)
def isposinf(a):
    return a == INF


@op(ALL, truth=True)
def isneginf(a):
    return a == -INF


@op(ALL, truth=True)
def isfinite(a):
    return gmpy2.is_finite(a)


@op(ALL, truth=True)
def signbit(a):
    return gmpy2.is_signed(a)


@op(WHOLE, truth=True, name="bool")
def not_zero(a):
    return a != 0


# --- selection -------------------------------------------------------------------------------------

@op(TRUTH, ALL, ALL)
def where(condition, a, b):
    return a if condition else b


@op(ALL, TRUTH, parameters=((0.25,), (-float("inf"),)))
def masked_fill(a, mask, value):
    return value if mask else a


@op(WHOLE, WHOLE)
def maximum(a, b):
    return max(a, b)


@op(WHOLE, WHOLE)
def minimum(a, b):
    return min(a, b)


@op(WHOLE, WHOLE)
def fmax(a, b):
    return max(a, b)


@op(WHOLE, WHOLE)
def fmin(a, b):
    return min(a, b)


@op(SMALL, parameters=((-1.0, 1.0), (-float("inf"), 2.5), (0.0, float("inf"))))
def clamp(a, low, high):
    return min(max(a, low), high)


@op(SMALL, parameters=((0.25,), (-3.0,)))
def clamp_min(a, low):
    return max(a, low)


@op(SMALL, parameters=((0.25,), (-3.0,)))
def clamp_max(a, high):
    return min(a, high)


@op(ALL, parameters=((0.0, FLOAT32_MAX, -FLOAT32_MAX), (1.0, 2.0, 3.0)))
def nan_to_num(a, nan, posinf, neginf):
    return a


@op(WHOLE, WHOLE)
def heaviside(a, at_zero):
    return mpfr(0) if a < 0 else at_zero if a == 0 else mpfr(1)


# --- powers ----------------------------------------------------------------------------------------

def real_power(a, b):
    """C's pow at finite operands."""
    if b == 0 or a == 1:
        return mpfr(1)
    whole = gmpy2.is_integer(b)
    odd = whole and int(b) % 2 == 1
    if a == 0:
        size = INF if b < 0 else mpfr(0)
        return -size if odd and gmpy2.is_signed(a) else size
    if a < 0 and not whole:
        return NAN
    size = gmpy2.exp(b * gmpy2.log(abs(a)))
    return -size if a < 0 and odd else size


@op(POSITIVE, EXPONENT)
def pow(a, b):
    return real_power(a, b)


@op(ALL)
def square(a):
    return a * a


@op(ALL)
def cube(a):
    return a * a * a


@op(POSITIVE)
def sqrt(a):
    return gmpy2.sqrt(a)


@op(POSITIVE)
def rsqrt(a):
    return INF * gmpy2.copy_sign(mpfr(1), a) if a == 0 else 1 / gmpy2.sqrt(a)


@op(ALL)
def reciprocal(a):
    return gmpy2.copy_sign(INF, a) if a == 0 else 1 / a


@op(ALL, ALL)
def hypot(a, b):
    return gmpy2.sqrt(a * a + b * b)


# --- exponentials ----------------------------------------------------------------------------------

@op(EXPONENT)
def exp(a):
    return gmpy2.exp(a)


@op(EXPONENT)
def exp2(a):
    return gmpy2.exp2(a)


@op(EXPONENT)
def expm1(a):
    return gmpy2.expm1(a)


@op(POSITIVE)
def log(a):
    return gmpy2.log(a)


@op(POSITIVE)
def log2(a):
    return gmpy2.log2(a)


@op(POSITIVE)
def log10(a):
    return gmpy2.log10(a)


@op(ABOVE_MINUS_ONE)
def log1p(a):
    return gmpy2.log1p(a)


@op(SMALL, SMALL)
def logaddexp(a, b):
    high, low = max(a, b), min(a, b)
    return high + gmpy2.log1p(gmpy2.exp(low - high))


@op(SMALL, SMALL)
def logaddexp2(a, b):
    high, low = max(a, b), min(a, b)
    return high + gmpy2.log1p(gmpy2.exp2(low - high)) / gmpy2.log(mpfr(2))


@op(OPEN_UNIT, parameters=((-float("inf"),), (0.25,), (2.0 ** -20,)))
def logit(a, eps):
    # The eps tried are such that 1 - eps is a float32, too.
    if not gmpy2.is_infinite(eps):
        a = min(max(a, eps), 1 - eps)
    if a == 1 or a == 0:
        return INF if a == 1 else -INF
    return gmpy2.log(a) - gmpy2.log1p(-a)


@op(SMALL, POSITIVE)
def xlogy(a, b):
    return mpfr(0) if a == 0 else a * gmpy2.log(b)


# --- trigonometry ----------------------------------------------------------------------------------

@op(ANGLE)
def sin(a):
    return gmpy2.sin(a)


@op(ANGLE)
def cos(a):
    return gmpy2.cos(a)


@op(ANGLE)
def tan(a):
    return gmpy2.tan(a)


@op(UNIT)
def asin(a):
    return gmpy2.asin(a)


@op(UNIT)
def acos(a):
    return gmpy2.acos(a)


@op(ALL)
def atan(a):
    return gmpy2.atan(a)


@op(ALL, ALL)
def atan2(a, b):
    return gmpy2.atan2(a, b)


@op(ANGLE)
def sinc(a):
    if a == 0:
        return mpfr(1)
    if gmpy2.is_integer(a):
        return mpfr(0)
    return gmpy2.sin(pi() * a) / (pi() * a)


@op(ALL)
def deg2rad(a):
    return a * pi() / 180


@op(ALL)
def rad2deg(a):
    return a * 180 / pi()


# --- hyperbolic ------------------------------------------------------------------------------------

@op(EXPONENT)
def sinh(a):
    return gmpy2.sinh(a)


@op(EXPONENT)
def cosh(a):
    return gmpy2.cosh(a)


@op(SMALL)
def tanh(a):
    return gmpy2.tanh(a)


@op(ALL)
def asinh(a):
    return gmpy2.asinh(a)


@op(FROM_ONE)
def acosh(a):
    return gmpy2.acosh(a)


@op(UNIT)
def atanh(a):
    return gmpy2.copy_sign(INF, a) if abs(a) == 1 else gmpy2.atanh(a)


# --- special ---------------------------------------------------------------------------------------

@op(SMALL)
def erf(a):
    return gmpy2.erf(a)


@op(SMALL)
def erfc(a):
    return gmpy2.erfc(a)


# --- rounding --------------------------------------------------------------------------------------

@op(WHOLE)
def floor(a):
    return gmpy2.floor(a)


@op(WHOLE)
def ceil(a):
    return gmpy2.ceil(a)


@op(WHOLE)
def trunc(a):
    return gmpy2.trunc(a)


@op(WHOLE)
def round_(a):
    return gmpy2.rint(a)  # the context rounds halves to even


@op(WHOLE)
def frac(a):
    return a - gmpy2.trunc(a)


# --- activations -----------------------------------------------------------------------------------

def logistic(a):
    return 1 / (1 + gmpy2.exp(-a))


@op(SMALL)
def relu(a):
    return max(a, mpfr(0))


@op(SMALL)
def relu6(a):
    return min(max(a, mpfr(0)), mpfr(6))


@op(SMALL, parameters=((0.01,), (0.2,)))
def leaky_relu(a, slope):
    return a if a > 0 else a * slope


@op(EXPONENT, parameters=((1.0,), (0.3,)))
def elu(a, alpha):
    return a if a > 0 else alpha * gmpy2.expm1(a)


SELU_ALPHA = mpfr("1.6732632423543772848170429916717", 120)
SELU_SCALE = mpfr("1.0507009873554804934193349852946", 120)


@op(EXPONENT)
def selu(a):
    return SELU_SCALE * (a if a > 0 else SELU_ALPHA * gmpy2.expm1(a))


@op(EXPONENT, parameters=((1.0,), (0.3,), (5.0,)))
def celu(a, alpha):
    return a if a > 0 else alpha * gmpy2.expm1(a / alpha)


@op(SMALL)
def gelu(a):
    return a / 2 * gmpy2.erfc(-a / gmpy2.sqrt(mpfr(2)))


@op(SMALL)
def gelu_tanh(a):
    inner = gmpy2.sqrt(2 / pi()) * (a + mpfr("0.044715") * a * a * a)
    return a * logistic(2 * inner)


@op(EXPONENT)
def silu(a):
    return a * logistic(a)


@op(EXPONENT)
def mish(a):
    return a * gmpy2.tanh(gmpy2.log1p(gmpy2.exp(a)))


@op(EXPONENT)
def sigmoid(a):
    return logistic(a)


@op(EXPONENT)
def logsigmoid(a):
    return a - gmpy2.log1p(gmpy2.exp(a)) if a < 0 else -gmpy2.log1p(gmpy2.exp(-a))


@op(EXPONENT, parameters=((1.0, 20.0), (2.5, 20.0), (0.3, 5.0)))
def softplus(a, beta, threshold):
    # In float32, as PyTorch does, decides which branch is taken; both are the same there to 1e-9.
    return a if a * beta > threshold else gmpy2.log1p(gmpy2.exp(a * beta)) / beta


@op(ALL)
def softsign(a):
    return a / (1 + abs(a))


@op(SMALL, parameters=((-1.0, 1.0), (-2.0, 0.5)))
def hardtanh(a, low, high):
    return min(max(a, low), high)


@op(SMALL)
def hardsigmoid(a):
    return min(max(a + 3, mpfr(0)), mpfr(6)) / 6


@op(SMALL)
def hardswish(a):
    return a * min(max(a + 3, mpfr(0)), mpfr(6)) / 6


@op(SMALL, parameters=((0.5,), (2.0,)))
def hardshrink(a, width):
    return mpfr(0) if -width <= a <= width else a


@op(SMALL, parameters=((0.5,), (2.0,)))
def softshrink(a, by):
    return a - by if a > by else a + by if a < -by else mpfr(0)


@op(SMALL)
def tanhshrink(a):
    return a - gmpy2.tanh(a)


@op(SMALL, parameters=((0.1, 20.0), (-1.0, 0.0)))
def threshold(a, above, value):
    return a if a > above else value


# --- reductions of a list of elements --------------------------------------------------------------

REDUCTIONS = {}


def reduction(*orders):
    """`orders`: values of the parameter p to try; none: there is no such parameter."""
    def add(function):
        REDUCTIONS[function.__name__.rstrip("_")] = (function, orders or (None,))
        return function
    return add


def numbers_of(elements):
    return [x for x in elements if not gmpy2.is_nan(x)]


@reduction()
def sum_(elements):
    return sum(elements, mpfr(0))


@reduction()
def mean(elements):
    return sum(elements, mpfr(0)) / len(elements)


@reduction()
def amax(elements):
    return max(elements)


@reduction()
def amin(elements):
    return min(elements)


@reduction()
def prod(elements):
    product = mpfr(1)
    for x in elements:
        product *= x
    return product


@reduction()
def var(elements):
    middle = mean(elements)
    return sum(((x - middle) ** 2 for x in elements), mpfr(0)) / (len(elements) - 1)


@reduction()
def std(elements):
    return gmpy2.sqrt(var(elements))


@reduction()
def argmax(elements):
    return mpfr(elements.index(max(elements)))


@reduction()
def argmin(elements):
    return mpfr(elements.index(min(elements)))


@reduction()
def any_(elements):
    return mpfr(1 if [x for x in elements if x != 0] else 0)


@reduction()
def all_(elements):
    return mpfr(0 if [x for x in elements if x == 0] else 1)


@reduction()
def count_nonzero(elements):
    return mpfr(len([x for x in elements if x != 0]))


@reduction()
def nansum(elements):
    return sum(numbers_of(elements), mpfr(0))


@reduction()
def nanmean(elements):
    numbers = numbers_of(elements)
    return sum(numbers, mpfr(0)) / len(numbers)


@reduction(2.0, 1.0, 0.0, float("inf"), -float("inf"), 3.0, 0.5, -1.5, 7.25)
def norm(elements, p):
    sizes = [abs(x) for x in elements]
    if p == 0:
        return mpfr(len([x for x in sizes if x != 0]))
    if gmpy2.is_infinite(p):
        return max(sizes) if p > 0 else min(sizes)
    if p < 0 and min(sizes) == 0:
        return mpfr(0)
    total = sum((gmpy2.exp(p * gmpy2.log(x)) if x != 0 else mpfr(0) for x in sizes), mpfr(0))
    return gmpy2.exp(gmpy2.log(total) / p) if total != 0 else mpfr(0)

# SPDX-License-Identifier: GPL-3.0-or-later
# Functions of torch.special that are not ops of the table. They compute in float64, so that a float32
# result is off by its own rounding only, even where terms cancel. Gradients follow from the formulas.

def _by_double(input, function):
    made = function(input.double())
    return made.to(input.dtype if torch.is_floating_point(input) else torch.float32)

def _polynomial(x, coefficients):
    # Lowest power first.
    total = coefficients[-1]
    for coefficient in reversed(coefficients[:-1]):
        total = total * x + coefficient
    return total

def _stirling(z):
    # The logarithm of Gamma(z) for z of at least 8: DLMF 5.11.1.
    inverse = 1 / z
    tail = _polynomial(inverse * inverse, [1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188, -691 / 360360, 1 / 156, -3617 / 122400, 43867 / 244188])
    return (z - 0.5) * (torch.log(z) - 1) + (0.41893853320467274178 + inverse * tail)

# lgamma(1 + y) / (y (y - 1)) as a polynomial of y - 1/2. tests/engine/accuracy/gamma_polynomial.py prints it.
_LOG_GAMMA = [0.4831289505409809, -0.14595989591430608, 0.06291140107456494, -0.031308487501009494, 0.016797098631185916, -0.009425622448625905, 0.005446457844650585, -0.003212074069736748, 0.0019229161355079497, -0.0011644146716071257, 0.0007115223848906008, -0.00043799193485690124, 0.00027127505354773154, -0.00016892719402703723, 0.00010564474884131882, -6.609271409301556e-05, 4.1635136148902716e-05, -2.7356444761067124e-05, 1.734263784459851e-05, -8.07952925042159e-06, 5.129828644815147e-06, -7.970873319492813e-06, 5.1046182161001864e-06]

def _log_gamma_below_8(z):
    # The recurrence leads to a number between 1 and 2. The factors keep the digits around both zeros.
    whole = torch.floor(z)
    y = z - whole
    one = torch.ones_like(z)
    product = torch.where(whole < 1, z, one)
    for k in range(1, 7):
        product = product * torch.where(whole > k, z - k, one)
    log = torch.log(product)
    return y * (y - 1) * _polynomial(y - 0.5, _LOG_GAMMA) + torch.where(whole < 1, -log, log)

def _log_gamma(x):
    behind = x < 0
    size = torch.where(behind, -x, x)
    z = torch.where(behind, 1 + size, size)
    low = z < 8
    near = _log_gamma_below_8(torch.where(low, z, torch.ones_like(z)))
    made = torch.where(low, near, _stirling(torch.where(low, torch.full_like(z, 8.0), z)))
    # Gamma(-x) Gamma(1 + x) = -pi / sin(pi x): DLMF 5.5.3. All numbers above 2^53 are whole.
    apart = torch.where(torch.isinf(size), torch.zeros_like(x), size - torch.round(size))
    sine = torch.sin(math.pi * torch.where(behind, apart, torch.full_like(x, 0.5)))
    return torch.where(behind, torch.log(math.pi / torch.abs(sine)) - torch.where(size < 2.0 ** 53, made, torch.zeros_like(made)), made)

def lgamma(input):
    return _by_double(input, _log_gamma)

def _digamma(x):
    behind = x < 0
    z = torch.where(behind, 1 - x, x)
    low = z < 8
    # The recurrence from z to z + 8. Terms at the same distance from both ends are added as one fraction.
    near = torch.where(low, z, torch.ones_like(z))
    pair = near * (near + 7)
    others = (2 * near + 7) * ((3 * pair + 56) * pair + 252) / ((pair + 6) * (pair + 10) * (pair + 12))
    steps = 1 / near + (1 / (near + 7) + others)
    # DLMF 5.11.2.
    far = torch.where(low, z + 8, z)
    inverse = 1 / far
    square = inverse * inverse
    tail = _polynomial(square, [1 / 12, -1 / 120, 1 / 252, -1 / 240, 1 / 132, -691 / 32760, 1 / 12, -3617 / 8160, 43867 / 14364, -174611 / 6600])
    made = torch.log(far) - (0.5 * inverse + square * tail) - torch.where(low, steps, torch.zeros_like(steps))
    # Reflection: DLMF 5.5.4. The function has no value at a negative whole number.
    apart = x - torch.round(x)
    apart = torch.where(behind, torch.where(apart == 0, torch.full_like(x, math.nan), apart), torch.full_like(x, 0.25))
    return torch.where(behind, made - math.pi / torch.tan(math.pi * apart), made)

def digamma(input):
    return _by_double(input, _digamma)

def _off_by(y, x, side):
    # erf(y) - x. Near -1 and 1, erfc keeps the digits.
    return torch.where(torch.abs(x) < 0.5, torch.erf(y) - x, side * ((1 - side * x) - torch.erfc(side * y)))

_HALF_ROOT_PI = 0.88622692545275801365

def _inverse_error(x, steps):
    inside = torch.abs(x) < 1
    at = torch.where(inside, x, torch.zeros_like(x))
    side = torch.where(x < 0, -torch.ones_like(x), torch.ones_like(x))
    given = at.detach()
    # Winitzki's approximation has an error of 0.2 %. Halley's iteration triples the number of digits.
    log = torch.log((1 - given) * (1 + given))
    half = 2 / (math.pi * 0.147) + 0.5 * log
    y = torch.copysign(torch.sqrt(torch.clamp(torch.sqrt(half * half - log / 0.147) - half, min=0)), given)
    for k in range(steps):
        step = _off_by(y, given, side) * _HALF_ROOT_PI * torch.exp(y * y)
        y = y - step / (1 + y * step)
    # Gradients flow through two of Newton's steps: after these, derivatives up to the third are right.
    for k in range(2):
        y = y - _off_by(y, at, side) * _HALF_ROOT_PI * torch.exp(y * y)
    beyond = torch.where(torch.abs(x) == 1, torch.full_like(x, math.inf), torch.full_like(x, math.nan))
    return torch.where(inside, y, torch.where(inside, torch.ones_like(x), x) * beyond)

def erfinv(input):
    return _by_double(input, lambda x: _inverse_error(x, 2 if input.dtype == torch.float64 else 1))

def polygamma(n, input):
    assert n >= 0, "n of polygamma is 0 or more"
    assert n < 4, "polygamma with n of 4 or more is not supported yet; take the gradient of torch.polygamma(3, x)"
    if n == 0:
        return digamma(input)
    x = input.double()
    with torch.enable_grad():
        made = _digamma(x)
        for i in range(n):
            made = torch.autograd.grad(made.sum(), x, create_graph=True)[0]
    return made.to(input.dtype if torch.is_floating_point(input) else torch.float32)

def erfinv_(input):
    return input.copy_(erfinv(input))

def lgamma_(input):
    return input.copy_(lgamma(input))

def digamma_(input):
    return input.copy_(digamma(input))

def mvlgamma(input, p):
    assert p >= 1, "p of mvlgamma is 1 or more"
    def total(x):
        made = _log_gamma(x)
        for i in range(1, p):
            made = made + _log_gamma(x - 0.5 * i)
        return made + p * (p - 1) / 4 * math.log(math.pi)
    return _by_double(input, total)

def _special_entr(input):
    x = input if torch.is_floating_point(input) else input.float()
    return 0 - torch.xlogy(x, torch.clamp(x, min=0))

def _special_ndtr(input):
    return _by_double(input, lambda x: 0.5 * torch.erfc(x * -0.70710678118654752440))

# inputs: a (3, 4), b (3, 4), c (4, 3)
# accepted: yes
import torch


class Reflection:
    def __init__(self, slope, offset):
        self.slope = slope
        self.offset = offset

    def __matmul__(self, other):
        return Reflection(self.slope @ other.slope, self.slope @ other.offset + self.offset)

    def __rmul__(self, x):
        return x * self.offset

    def __neg__(self):
        return Reflection(-self.slope, -self.offset)


def f(a, b, c):
    z = torch.complex(a, b)
    w = torch.polar(a.abs() + 0.5, b)
    product = torch.mul(z, w) - z / w + 2 * w
    joined = torch.cat([z, w.conj()], dim=1)[:, 1:6]
    wave = (torch.exp(-z) * torch.conj(z)).real
    square = z @ torch.complex(c, -c)
    both = -(Reflection(a @ c, b) @ Reflection(c.T @ a.T, a))
    return (
        torch.view_as_real(product),
        torch.view_as_real(joined),
        wave,
        torch.abs(z) + torch.angle(w),
        torch.real(square) + torch.imag(square),
        z.sum(0).abs(),
        (w**3).imag,
        both.offset + 3 * both,
        torch.view_as_real(1 / w),
        torch.view_as_complex(torch.view_as_real(z)).imag,
    )

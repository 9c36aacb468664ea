# torch: 2
import torch
from torch.autograd import functional
from torch.func import jvp, linearize


def f(x, t, w):
    def layer(v):
        return torch.tanh(w @ v) * v[:3]

    def energy(v, m):
        return {"sum": (m * v.sin()).sum(), "rows": (m * m) @ v}

    y, along = jvp(layer, (x,), (t,))
    value, both = torch.func.jvp(energy, (x, w), (t, w.cos()))
    z, push = linearize(layer, x)
    kept, slope, aux = jvp(lambda v: (v.exp(), v * 2), (x,), (t,), has_aux=True)
    second = jvp(torch.func.grad(lambda v: (v ** 3).sum()), (x,), (t,))[1]
    rows = functional.jacobian(layer, x), functional.hessian(lambda v: layer(v).sum(), x), functional.jacobian(lambda v, m: m @ v, (x, w))[1]
    third = functional.jvp(layer, x, t)[1], functional.vjp(lambda v, m: m @ v, (x, w), y)[1][0]
    mixed = functional.hessian(lambda v, m: (m @ v).exp().sum(), (x, w))[1][0]
    return *rows, *third, mixed, y, along, value["rows"], both["sum"], both["rows"], z, push(t) + push(x), kept, slope, aux, second


x = torch.rand(5)
t = torch.linspace(-1, 1, 5)
w = torch.rand(3, 5)
print([each.shape for each in f(x, t, w)])

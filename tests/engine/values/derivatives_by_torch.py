#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""PyTorch's gradients of expressions, at kinks and elsewhere: writes derivatives.txt next to this file.

A block of lines an expression: "= EXPRESSION", then "x NUMBERS" and "y NUMBERS", the gradients by the operands of the sum of
its elements times 1, 2, 3, ...; "none" where the expression does not depend on the operand or PyTorch has no derivative.
Computed in float64; operands are X and Y, of shape (2, 5), numbers are float.hex.
"""
import os

import torch
import torch.nn.functional as F

X = [-3.0, -1.0, -0.5, 0.0, 0.25, 0.5, 1.0, 2.0, 3.0, 6.0]
Y = [1.0, -1.0, -0.5, 0.0, 0.5, 0.25, 2.0, 2.0, -3.0, 0.125]
ONE = ["-x", "x.abs()", "x + 1", "2 - x", "x * 3", "x / 4", "2 / x", "x % 4", "x ** 2", "x ** 3", "x ** 2.5", "x ** -1", "2 ** x",
       "x.sign()", "torch.square(x)", "torch.sqrt(x)", "torch.rsqrt(x)", "torch.reciprocal(x)", "torch.exp(x)", "torch.exp2(x)",
       "torch.expm1(x)", "torch.log(x)", "torch.log2(x)", "torch.log10(x)", "torch.log1p(x)", "torch.logit(x)",
       "torch.logit(x, eps=0.3)", "torch.sin(x)", "torch.cos(x)", "torch.tan(x)", "torch.asin(x / 4)", "torch.acos(x / 8)",
       "torch.atan(x)", "torch.sinc(x)", "torch.deg2rad(x)", "torch.rad2deg(x)", "torch.sinh(x)", "torch.cosh(x)", "torch.tanh(x)",
       "torch.asinh(x)", "torch.acosh(x)", "torch.atanh(x)", "torch.erf(x)", "torch.erfc(x)", "torch.erfinv(x / 8)", "torch.erfinv(x / 4)", "torch.lgamma(x + 0.375)", "torch.lgamma(x)",
       "torch.digamma(x + 0.375)", "torch.polygamma(1, x + 0.375)", "torch.floor(x)", "torch.ceil(x)",
       "torch.trunc(x)", "torch.round(x)", "torch.frac(x)", "x.clone()", "x.double()", "torch.relu(x)", "F.relu6(x)",
       "F.leaky_relu(x, 0.2)", "F.elu(x)", "F.elu(x, 0.5)", "F.selu(x)", "F.celu(x, 0.7)", "F.gelu(x)", "F.gelu(x, approximate='tanh')",
       "F.silu(x)", "F.mish(x)", "torch.sigmoid(x)", "F.logsigmoid(x)", "F.softplus(x)", "F.softplus(x, 2, 3)", "F.softsign(x)",
       "F.hardtanh(x)", "F.hardsigmoid(x)", "F.hardswish(x * 0.99)", "F.hardshrink(x)", "F.softshrink(x)", "F.tanhshrink(x)",
       "F.threshold(x, 0.25, 7.0)", "torch.clamp(x, -1, 2)", "torch.clamp_min(x, 0.5)", "torch.clamp_max(x, 0.5)",
       "torch.nan_to_num(1 / x)", "torch.masked_fill(x, x > 1, 2)", "torch.where(x > 0, x * x, -x)", "torch.fmod(x, 2)",
       "x.sum()", "x.sum(dim=1)", "x.mean()", "x.mean(dim=0, keepdim=True)", "x.amax()", "torch.round(x).amax(dim=1)",
       "torch.relu(x).amin(dim=0)", "torch.relu(x).amin()", "x.prod()", "(x + 0.125).prod()", "x.prod(dim=1)", "x.var()",
       "x.var(dim=1, correction=0)", "x.std(dim=0)", "(x * 0).std(dim=1, keepdim=True) + x", "torch.nansum(torch.log(x))",
       "torch.nanmean(torch.log(x + 0.125))", "x.norm()", "(x * 0).norm() + x.sum()", "x.norm(p=1)", "x.norm(p=0)", "x.norm(p=3)",
       "x.norm(p=1.5, dim=1)", "x.norm(p=float('inf'))", "torch.round(x).norm(p=float('inf'), dim=0)", "x.norm(p=float('-inf'), dim=1)",
       "x.abs().norm(p=float('-inf'))",
       "torch.round(x, decimals=1)", "torch.masked_fill(x, x > 1, x.sum())", "torch.gather(x, 1, torch.tensor([[0, 4], [2, 2]]), sparse_grad=False)",
       "torch.embedding(x, torch.tensor([1, 0, 1]), 1)"]
TWO = ["x + y", "x - y", "x * y", "x / y", "x % y", "torch.fmod(x, y)", "torch.pow(x, y)", "torch.add(x, y, alpha=2)",
       "torch.sub(x, y, alpha=3)", "torch.addcmul(x, y, x, value=0.5)", "torch.addcdiv(x, y, x + 0.125, value=0.5)",
       "torch.lerp(x, y, 0.25)", "torch.lerp(x, y, x / 4)", "torch.copysign(x, y)", "torch.hypot(x, y)", "torch.atan2(x, y)",
       "torch.logaddexp(x, y)", "torch.logaddexp2(x, y)", "torch.xlogy(x, y)", "torch.maximum(x, y)", "torch.minimum(x, y)",
       "torch.fmax(x, y)", "torch.fmin(x, y)", "torch.where(x > y, x, y)", "torch.div(x, y, rounding_mode='trunc') + x",
       "x * y.sum(dim=1, keepdim=True)", "x.t() * y.sum()", "(x - x.mean()) / (y.std() + x)", "torch.softmax(x * y, dim=1)",
       "x.mm(y.t())", "torch.matmul(x.t(), y)", "torch.matmul(x, y.sum(dim=0))", "F.linear(x, y)", "F.linear(x, y, y.sum(dim=1))",
       "torch.addmm(x.sum(), x, y.t(), beta=0.5, alpha=2)", "torch.einsum('ij,kj->ik', x, y)", "torch.mv(x, y.sum(dim=0))",
       "torch.outer(x.sum(dim=1), y.sum(dim=0))", "torch.dot(x.sum(dim=0), y.sum(dim=0))",
       "torch.bmm(x.unsqueeze(0), y.t().unsqueeze(0))", "torch.matmul(x.view(2, 1, 5), y.t())", "torch.cumsum(x * y, dim=1)",
       "torch.tril(x * y)", "torch.triu(x, diagonal=1) * y",
       "x[:, 1:3] * y[1, ::3]", "x[0] * y[:, 1::2][1, -1]", "x.narrow(1, 2, 3) * y.select(1, 4).unsqueeze(1)",
       "x.chunk(2, dim=0)[1] * y.split([2, 3], dim=1)[0].sum()", "x.unbind(0)[0] * y.unbind(0)[1]", "x.diagonal(1) * y.t().diagonal()",
       "x.flip(1) * y[..., -2:-1]", "x.t()[1:4, None].expand(3, 2, 2) * y[:, :2]", "torch.roll(x, 2, 1) * torch.cat([y[1:], x[:1]])",
       "torch.baddbmm(x.sum(dim=0), x.unsqueeze(0), y.t().unsqueeze(0).matmul(x.unsqueeze(0)), beta=0.5, alpha=2)",
       "x.index_add(0, torch.tensor([1, 1]), y, alpha=3)", "torch.masked_fill(x, y > 0, y.sum())", "F.mse_loss(x, y, weight=y)",
       "F.l1_loss(x, y, reduction='sum', weight=y)", "F.huber_loss(x, y, weight=y)", "x.as_strided((2, 3), (5, 2)) * y[:, :3]",
       "x.as_strided((2, 2, 2), (5, 2, 1), 1) * y[:, 1:3].unsqueeze(2)"]
# Windows go over the products of all pairs, in these shapes; weights and biases are made of x and y.
PAIRS = "torch.outer(x.view(10), y.view(10)).view(%s)"
WINDOWS = [("2, 2, 5, 5", "F.conv2d({}, y.view(1, 2, 1, 5))"), ("2, 1, 5, 10", "F.conv2d({}, x.view(5, 1, 2, 1), stride=2, padding=1)"),
           ("2, 1, 5, 10", "F.conv2d({}, x.view(5, 1, 1, 2), stride=(1, 3), padding=(0, 2), dilation=(1, 2))"),
           ("1, 4, 5, 5", "F.conv2d({}, y.view(2, 1, 5).expand(2, 2, 5).reshape(2, 2, 1, 5), x.sum(dim=1), padding=1, groups=2)"),
           ("4, 5, 5", "F.conv2d({}, x.view(1, 2, 5).expand(2, 2, 5).reshape(4, 1, 5, 1), padding=(3, 0), groups=4)"),
           ("2, 5, 10", "F.conv1d({}, y.view(1, 5, 2), stride=2, padding=1)"),
           ("2, 2, 25", "F.conv1d({}, x.view(2, 1, 5), y.sum(dim=1), dilation=2, groups=2)"),
           ("1, 1, 10, 10", "F.max_pool2d({}, 3, stride=2, padding=1)"), ("1, 1, 10, 10", "F.max_pool2d(torch.relu({}), 2)"),
           ("4, 5, 5", "F.max_pool2d(torch.relu({}), 2, 1, dilation=2, ceil_mode=True)"),
           ("1, 2, 50", "F.max_pool1d({}, 4, stride=3, padding=2)"), ("1, 2, 50", "F.max_pool1d(torch.log(x).view(1, 2, 5), 3, stride=1)"),
           ("1, 1, 10, 10", "F.avg_pool2d({}, 3, stride=2, padding=1)"),
           ("1, 1, 10, 10", "F.avg_pool2d({}, 3, stride=2, padding=1, ceil_mode=True)"),
           ("4, 5, 5", "F.avg_pool2d({}, (2, 3), ceil_mode=True, padding=(1, 0), count_include_pad=False)"),
           ("1, 2, 50", "F.avg_pool1d({}, 4, stride=3, padding=2)"),
           ("1, 1, 10, 10", "F.avg_pool2d({}, 3, stride=2, padding=1, ceil_mode=True, divisor_override=4)"), ("1, 1, 10, 10", "F.adaptive_avg_pool2d({}, 5)")]


def tensor(values):
    return torch.tensor(values, dtype=torch.float64).reshape(2, 5).requires_grad_()


def gradients(expression):
    x, y = tensor(X), tensor(Y)
    result = eval(expression, {"torch": torch, "F": F, "x": x, "y": y})
    weights = torch.arange(1, result.numel() + 1, dtype=torch.float64).reshape(result.shape)
    return torch.autograd.grad((result * weights).sum(), [x, y], allow_unused=True)


def main():
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "derivatives.txt"), "w") as file:
        file.write("# By PyTorch %s; see derivatives_by_torch.py.\n" % torch.__version__.split("+")[0])
        for expression in ONE + TWO + [call.format(PAIRS % shape) for shape, call in WINDOWS]:
            file.write("= %s\n" % expression)
            for name, gradient in zip("xy", gradients(expression)):
                numbers = "none" if gradient is None else " ".join(value.hex() for value in gradient.flatten().tolist())
                file.write("%s %s\n" % (name, numbers))


if __name__ == "__main__":
    main()

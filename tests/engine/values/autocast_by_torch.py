#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The types that PyTorch's autocast uses for ops: writes autocast.txt next to this file.

"cuda KIND NAMES" and "cpu NAMES": the ops that autocast knows; on the CPU PyTorch does not say as what, which the lines after
them show: "= EXPRESSION", then for operands of each type the result's within torch.autocast("cpu", dtype=torch.bfloat16), or
"error". Operands are x and y, of shape (3, 3), and c, classes.
"""
import os
import re

import torch
import torch.nn.functional as F

EXPRESSIONS = ["x @ y", "x.mm(y)", "torch.matmul(x, y[0])", "x.mv(y[0])", "torch.dot(x[0], y[0])", "torch.outer(x[0], y[0])",
               "torch.addmm(x, x, y)", "torch.bmm(x[None], y[None])", "F.linear(x, y)", "F.linear(x, y, y[0])",
               "torch.baddbmm(x[None], x[None], y[None])", "torch.einsum('ij,jk->ik', x, y)", "torch.einsum('ij,ij->ij', x, y)",
               "F.conv1d(x[None], y[..., None])", "F.conv2d(x[None, ..., None], y[..., None, None])", "F.max_pool1d(x, 2)",
               "F.scaled_dot_product_attention(x, y, x)", "x + y", "x * 2", "torch.exp(x)", "torch.log(x)", "x ** 2", "x.sum()", "x.mean()",
               "x.prod()", "x.prod(dim=1)", "x.norm()", "x.cumsum(0)", "torch.softmax(x, 0)", "F.log_softmax(x, 0)",
               "F.layer_norm(x, (3,))", "F.group_norm(x, 3)", "F.gelu(x)", "F.softplus(x)", "F.mse_loss(x, y)", "F.l1_loss(x, y)",
               "F.smooth_l1_loss(x, y)", "F.huber_loss(x, y)", "F.cross_entropy(x, c)", "F.nll_loss(x, c)", "F.kl_div(x, y)",
               "F.binary_cross_entropy_with_logits(x, y)", "F.soft_margin_loss(x, y)", "F.poisson_nll_loss(x, y)",
               "F.hinge_embedding_loss(x, y)", "F.margin_ranking_loss(x, y, y)", "torch.stack([x, y])", "F.cosine_similarity(x, y)",
               "F.mse_loss(x @ y, y)", "(x @ y).sum() + x.sum()", "torch.where(x > 0, x @ y, x)", "torch.relu(x @ y) @ y",
               "x.trace()", "torch.cdist(x, y)", "torch.dist(x, y)", "torch.renorm(x, 2, 0, 1.0)", "torch.quantile(x, 0.5, 0)",
               "F.prelu(x, y[0, :1])", "torch.addbmm(x, x[None], y[None])", "torch.addmv(x[0], x, y[0])", "torch.addr(x, x[0], y[0])",
               "F.bilinear(x, y, x[None])", "F.triplet_margin_loss(x, y, x + 1)", "F.cosine_embedding_loss(x, y, x[0])",
               "F.multi_margin_loss(x, c)", "x.topk(2)[0]", "torch.sort(x, 0)[0]"]


def listed(kind, macro, text):
    body = text[text.index("#define " + macro):]
    body = body[:re.search(r"[^\\]\n", body).start() + 1]
    return "cuda %s %s\n" % (kind, " ".join(sorted(set(re.findall(r"_\((\w+)", body)))))


def result(expression, dtype):
    x = (torch.arange(9).reshape(3, 3) / 8 + 0.25).to(dtype)
    names = {"torch": torch, "F": F, "x": x, "y": x.t().contiguous(), "c": torch.tensor([0, 2, 1])}
    try:
        with torch.autocast("cpu", dtype=torch.bfloat16):
            return str(eval(expression, names).dtype)[6:]
    except RuntimeError:
        return "error"


def main():
    with open(os.path.join(os.path.dirname(torch.__file__), "include/ATen/autocast_mode.h")) as file:
        header = file.read()
    known = torch._C._dispatch_get_registrations_for_dispatch_key("AutocastCPU")
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "autocast.txt"), "w") as file:
        file.write("# By PyTorch %s; see autocast_by_torch.py.\n" % torch.__version__.split("+")[0])
        file.write(listed("lower", "AT_FORALL_LOWER_PRECISION_FP", header))
        file.write(listed("single", "AT_FORALL_FP32(", header))
        file.write(listed("single", "AT_FORALL_FP32_SET_OPT_DTYPE", header))
        file.write(listed("widest", "AT_FORALL_PROMOTE", header))
        file.write("cpu %s\n" % " ".join(sorted({name[6:].split(".")[0] for name in known if name.startswith("aten::")})))
        for expression in EXPRESSIONS:
            types = (torch.float32, torch.bfloat16, torch.float64)
            file.write("= %s\n%s\n" % (expression, " ".join(result(expression, dtype) for dtype in types)))


if __name__ == "__main__":
    main()

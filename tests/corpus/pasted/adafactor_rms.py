import torch


def _rms(tensor):
    return tensor.norm(2) / (tensor.numel() ** 0.5)


def _approx_sq_grad(exp_avg_sq_row, exp_avg_sq_col):
    r_factor = (exp_avg_sq_row / exp_avg_sq_row.mean(dim=-1, keepdim=True)).rsqrt_().unsqueeze(-1)
    c_factor = exp_avg_sq_col.unsqueeze(-2).rsqrt()
    return torch.mul(r_factor, c_factor)


def adafactor(grad, row, col, beta2t=0.8, clip=1.0, eps=1e-30):
    update = grad ** 2 + eps
    row = row.mul(beta2t).add(update.mean(dim=-1), alpha=1.0 - beta2t)
    col = col.mul(beta2t).add(update.mean(dim=-2), alpha=1.0 - beta2t)
    update = _approx_sq_grad(row, col)
    update.mul_(grad)
    update.div_((_rms(update) / clip).clamp_(min=1.0))
    return update, row, col


g = torch.randn(6, 9)
out, r, c = adafactor(g, torch.rand(6) + 0.1, torch.rand(9) + 0.1)
print(out.stride(), _rms(out))

import math

import torch
import torch.nn as nn

model = nn.Sequential(nn.Linear(6, 12), nn.GELU(), nn.Linear(12, 1))
decay = [p for n, p in model.named_parameters() if p.dim() > 1]
no_decay = [p for n, p in model.named_parameters() if p.dim() <= 1]
optimizer = torch.optim.AdamW(
    [{"params": decay, "weight_decay": 0.1}, {"params": no_decay, "weight_decay": 0.0}], lr=6e-4, betas=(0.9, 0.95))


def get_lr(it, warmup=10, max_iters=100, max_lr=6e-4, min_lr=6e-5):
    if it < warmup:
        return max_lr * (it + 1) / warmup
    if it > max_iters:
        return min_lr
    ratio = (it - warmup) / (max_iters - warmup)
    return min_lr + 0.5 * (1.0 + math.cos(math.pi * ratio)) * (max_lr - min_lr)


def train_step(x, y, it=25):
    lr = get_lr(it)
    for param_group in optimizer.param_groups:
        param_group["lr"] = lr
    optimizer.zero_grad(set_to_none=True)
    loss = nn.functional.mse_loss(model(x), y)
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    return loss.detach()


x, y = torch.randn(9, 6), torch.randn(9, 1)
print(train_step(x, y))

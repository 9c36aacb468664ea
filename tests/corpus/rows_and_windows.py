# inputs: x (3, 4), low (4,), high (4,), image (2, 3, 6, 4), marks (2,)
# accepted: yes
import torch
import torch.nn as nn
import torch.nn.functional as F


def f(x, low, high, image, marks):
    h = torch.zeros_like(low)
    states = []
    for row in x:
        h = torch.tanh(row + h)
        states.append(h)
    places = (marks.abs() * 100).long() % 12
    bits = ((places << 2) | 1) & ~(places >> 1)
    return (
        torch.stack(states),
        torch.clamp(x, low, torch.maximum(low, high)),
        x.clamp(min=low) - torch.clip(x, max=high),
        x.unfold(1, 2, 2),
        x.unfold(1, 2, 1),
        F.unfold(image, kernel_size=(3, 2), stride=2, padding=1),
        nn.Unfold(2)(image),
        torch.take(x, places),
        x * x.new_tensor([1, 2, 3, 4]) + torch.tensor(3, dtype=torch.long),
        bits.to(x.device).double(),
    )

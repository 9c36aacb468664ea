# inputs: scores (8, 5), marks (8,)
# accepted: yes
import torch
import torch.nn.functional as F


def hardest(scores, marks, keep=0.5):
    target = (marks.abs() * 8).long() % 5
    losses = F.cross_entropy(scores, target, reduction="none")
    k = max(1, int(keep * losses.numel()))
    worst, _ = torch.topk(losses, k)
    p = F.softmax(scores, dim=1).gather(1, target.unsqueeze(1)).squeeze(1)
    poly = losses + 1.0 * (1 - p)
    return worst.mean(), poly.mean(), F.multi_margin_loss(scores, target)

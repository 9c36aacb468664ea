# inputs: logits (6, 4), soft (6, 4)
# accepted: yes
import torch
import torch.nn.functional as F


def calibration(logits, soft, bins=5):
    probs = F.softmax(logits, dim=-1)
    target = F.softmax(soft, dim=-1)
    confidence, pred = probs.max(dim=-1)
    right = pred.eq(target.argmax(dim=-1)).float()
    edges = torch.linspace(0, 1, bins + 1)
    place = torch.bucketize(confidence, edges[1:-1])
    count = torch.zeros(bins).index_add(0, place, torch.ones_like(confidence))
    conf = torch.zeros(bins).index_add(0, place, confidence) / count.clamp(min=1)
    acc = torch.zeros(bins).index_add(0, place, right) / count.clamp(min=1)
    ece = (count / count.sum() * (conf - acc).abs()).sum()
    brier = ((probs - target) ** 2).sum(-1).mean()
    entropy = -(probs * probs.clamp_min(1e-9).log()).sum(-1)
    close = torch.isclose(confidence, right, atol=0.3).float().mean()
    return ece, brier, entropy, close, torch.quantile(entropy, 0.9)

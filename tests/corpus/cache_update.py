# inputs: cache (3, 6, 4), new (3, 4), marks (3,)
# accepted: yes
import torch


def step(cache, new, marks):
    pos = (marks.abs() * 4).long() % 6
    batch = torch.arange(cache.shape[0])
    cache = cache.clone()
    cache[batch, pos] = new
    cache[batch, (pos + 1) % 6, 0] += 1.0
    valid = torch.arange(6).unsqueeze(0) <= pos.unsqueeze(1)
    scores = torch.einsum("bd,btd->bt", new, cache) * new.shape[-1] ** -0.5
    scores = scores.masked_fill(~valid, torch.finfo(scores.dtype).min)
    return torch.einsum("bt,btd->bd", scores.softmax(-1), cache), cache

import itertools
from functools import partial, reduce

import torch
import torch.nn.functional as F


def pairwise_contrast(views, margin=0.5):
    losses = []
    sim = partial(F.cosine_similarity, dim=-1)
    for a, b in itertools.combinations(range(views.shape[0]), 2):
        pos = sim(views[a], views[b])
        neg = sim(views[a], views[b].roll(1, 0))
        losses.append(F.relu(margin - pos + neg).mean())
    total = reduce(torch.add, losses)
    for (i, first), second in zip(enumerate(losses), itertools.islice(losses, 1, None)):
        total = total + 0.01 * (first - second).abs() / (i + 1)
    return total


views = torch.randn(3, 8, 16)
print(pairwise_contrast(views))

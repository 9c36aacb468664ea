# inputs: updates (7, 3, 4)
# accepted: yes
import torch


def aggregate(updates, trim=0.2):
    n = updates.shape[0]
    k = int(trim * n)
    ordered, _ = updates.sort(dim=0)
    trimmed = ordered[k : n - k].mean(dim=0)
    return trimmed, updates.median(dim=0).values

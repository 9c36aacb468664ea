# inputs: scores (24,), marks (24,)
# accepted: yes
import torch


def roc_auc(scores, marks):
    labels = (marks > 0).float()
    order = torch.argsort(scores, descending=True, stable=True)
    hits = labels[order]
    tps = torch.cumsum(hits, dim=0)
    fps = torch.cumsum(1 - hits, dim=0)
    tpr = torch.cat([tps.new_zeros(1), tps / tps[-1].clamp(min=1)])
    fpr = torch.cat([fps.new_zeros(1), fps / fps[-1].clamp(min=1)])
    return torch.sum((fpr[1:] - fpr[:-1]) * (tpr[1:] + tpr[:-1])) / 2

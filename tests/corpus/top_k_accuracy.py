# inputs: scores (6, 10), marks (6,)
# accepted: yes
import torch


def accuracy(scores, marks, topk=(1, 5)):
    target = (marks.abs() * 4).long() % 10
    maxk = max(topk)
    batch_size = target.size(0)
    _, pred = scores.topk(maxk, 1, True, True)
    pred = pred.t()
    correct = pred.eq(target.view(1, -1).expand_as(pred))
    res = []
    for k in topk:
        correct_k = correct[:k].reshape(-1).float().sum(0, keepdim=True)
        res.append(correct_k.mul_(100.0 / batch_size))
    return tuple(res)

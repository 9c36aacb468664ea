# inputs: scores (12, 3), marks (12,)
# accepted: yes
import torch


def evaluate(scores, marks, classes=3):
    target = (marks.abs() * 8).long() % classes
    pred = scores.argmax(dim=1)
    matrix = torch.zeros(classes, classes)
    matrix.index_put_((target, pred), torch.ones(target.shape[0]), accumulate=True)
    hits = matrix.diag()
    precision = hits / matrix.sum(dim=0).clamp(min=1)
    recall = hits / matrix.sum(dim=1).clamp(min=1)
    f1 = 2 * precision * recall / (precision + recall).clamp(min=1e-8)
    iou = hits / (matrix.sum(0) + matrix.sum(1) - hits).clamp(min=1)
    return matrix, f1.mean(), iou.mean()

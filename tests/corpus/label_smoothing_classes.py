# inputs: scores (6, 4), marks (6,), weight (4,), maps (2, 4, 3, 2), more (2, 3, 2)
# accepted: yes
import torch
import torch.nn as nn
import torch.nn.functional as F


def f(scores, marks, weight, maps, more):
    labels = (marks.abs() * 100).long() % 4
    some = torch.where(marks > 0, labels, torch.full_like(labels, -100))
    pixels = (more.abs() * 100).long() % 4
    weight = weight.abs() + 0.5
    smooth = nn.CrossEntropyLoss(label_smoothing=0.1)
    return (
        smooth(scores, labels),
        F.cross_entropy(scores, some, label_smoothing=0.2),
        F.cross_entropy(scores, labels, weight=weight, label_smoothing=0.1, reduction='sum'),
        F.cross_entropy(scores, some, weight=weight, label_smoothing=0.1),
        F.cross_entropy(maps, pixels, weight=weight, label_smoothing=0.3, reduction='none'),
        F.cross_entropy(scores[0], labels[0], label_smoothing=0.1),
    )

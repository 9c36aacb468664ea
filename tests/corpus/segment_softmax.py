# inputs: scores (9, 2), marks (9,)
# accepted: yes
import torch


def segment_softmax(scores, marks, groups=4):
    index = (marks.abs() * 8).long() % groups
    wide = index.view(-1, 1).expand(-1, scores.size(1))
    start = scores.new_full((groups, scores.size(1)), float("-inf"))
    top = start.scatter_reduce(0, wide, scores, reduce="amax", include_self=True)
    out = (scores - top[index]).exp()
    total = scores.new_zeros(groups, scores.size(1)).scatter_add_(0, wide, out)
    return out / (total[index] + 1e-16)

# inputs: x (6, 4), marks (6,)
# accepted: yes
import torch


def class_means(x, marks):
    classes = marks.abs().long()
    sums = x.new_zeros(3, 4).index_add(0, classes, x)
    counts = x.new_zeros(3).scatter_add(0, classes, torch.ones_like(marks))
    means = sums / counts.clamp(min=1).unsqueeze(1)
    return x - means[classes], torch.index_select(means, 1, torch.tensor([3, 0]))

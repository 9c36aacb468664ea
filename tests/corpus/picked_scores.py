# inputs: scores (5, 4), marks (5,)
# accepted: yes
import torch
import torch.nn.functional as F


def picked(scores, marks):
    labels = marks.abs().long()
    logs = F.log_softmax(scores, dim=1)
    own = torch.gather(logs, 1, labels.unsqueeze(1)).squeeze(1)
    best = torch.take_along_dim(scores, torch.argmax(scores, dim=1, keepdim=True), dim=1)
    return -own.mean(), best

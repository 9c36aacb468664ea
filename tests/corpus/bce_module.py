# inputs: x (8, 3), t (8, 3)
# accepted: yes
# fill: uniform
import torch
import torch.nn as nn
import torch.nn.functional as F


class Objective(nn.Module):
    def __init__(self):
        super().__init__()
        self.loss = nn.BCEWithLogitsLoss(reduction='sum')

    def forward(self, x, t):
        return self.loss(x, t) / x.shape[0]

# inputs: x (4, 6), y (4, 6), images (2, 3, 6, 6), marks (4,)
# accepted: yes
import torch
import torch.nn as nn
import torch.nn.functional as F


class Rarer(nn.Module):
    def __init__(self):
        super().__init__()
        self.pair = nn.Bilinear(6, 6, 5)
        self.slopes = nn.PReLU(3)
        self.act = nn.RReLU()
        self.top = nn.AdaptiveMaxPool2d((2, 3))
        self.line = nn.AdaptiveMaxPool1d(2)
        self.mean = nn.AdaptiveAvgPool1d(3)
        self.counts = nn.PoissonNLLLoss()
        self.margin = nn.MultiMarginLoss(margin=0.5)
        self.labels = nn.MultiLabelSoftMarginLoss()
        self.apart = nn.TripletMarginWithDistanceLoss(distance_function=lambda a, b: (a - b).abs().sum(-1), margin=2.0)

    def forward(self, x, y, images, marks):
        target = (marks.abs() * 8).long() % 5
        scores = self.act(self.pair(x, y))
        pooled = self.top(self.slopes(images))
        lines = self.line(images[:, :, 0]) + self.mean(images[:, :, 1])[:, :, :2]
        loss = self.margin(scores, target) + self.labels(scores, (scores > 0).float())
        loss = loss + self.counts(scores, scores.detach().abs()) + self.apart(x, y, x.flip(0))
        square = scores[:4, :4].clone()
        square.fill_diagonal_(0.0)
        return scores, pooled, lines, loss, square, torch.iinfo(torch.int8).max * loss


model = Rarer().eval()

import torch
from torch import nn


class FocalTverskyLoss(nn.Module):
    def __init__(self, alpha=0.7, gamma=0.75, smooth=1.):
        super().__init__()
        self.alpha, self.gamma, self.smooth = alpha, gamma, smooth

    def forward(self, inputs, targets):
        inputs = torch.sigmoid(inputs).view(-1)
        targets = targets.view(-1)
        tp = (inputs * targets).sum()
        fp = ((1 - targets) * inputs).sum()
        fn = (targets * (1 - inputs)).sum()
        tversky = (tp + self.smooth) / (tp + self.alpha * fn + (1 - self.alpha) * fp + self.smooth)
        return (1 - tversky) ** self.gamma


criterion = FocalTverskyLoss()
pred = torch.randn(2, 1, 8, 8)
gt = (torch.rand(2, 1, 8, 8) > 0.5).float()
print(criterion(pred, gt))

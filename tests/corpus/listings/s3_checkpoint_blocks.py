import torch
import torch.nn as nn
from torch.utils.checkpoint import checkpoint


class CheckpointedModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.block1 = nn.Sequential(nn.Linear(100, 200), nn.ReLU())
        self.block2 = nn.Sequential(nn.Linear(200, 200), nn.ReLU())
        self.block3 = nn.Linear(200, 10)

    def forward(self, x):
        x = checkpoint(self.block1, x, use_reentrant=False)
        x = checkpoint(self.block2, x, use_reentrant=False)
        return self.block3(x)


model = CheckpointedModel()
x = torch.randn(32, 100, requires_grad=True)
out = model(x)
loss = out.sum()
loss.backward()
print(x.grad.shape)

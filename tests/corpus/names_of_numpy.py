# inputs: x (3, 4), y (3, 4)
# accepted: yes
import torch
import torch.nn as nn


class Head(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 3)
        self.fc.weight.data.zero_()
        self.fc.bias.data.copy_(torch.tensor([1, 0, 2], dtype=torch.float))

    def forward(self, x):
        return self.fc(x)


def f(x, y):
    head = Head()
    return (
        torch.stack([x, y], axis=-1),
        torch.cat([x, y], axis=0),
        torch.softmax(x, dim=0).sum(axis=1, keepdims=True),
        torch.max(x, axis=1).values,
        x.median(axis=0)[0],
        torch.split(x, 2, dim=1)[0],
        head(x),
    )

# inputs: x (5, 2, 4)
# accepted: yes
import torch
import torch.nn as nn


class Tagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.reader = nn.LSTM(4, 6, num_layers=2, bidirectional=True, proj_size=3)
        self.head = nn.Linear(6, 2)

    def forward(self, x):
        states, (hidden, cell) = self.reader(x)
        return self.head(states), hidden, cell

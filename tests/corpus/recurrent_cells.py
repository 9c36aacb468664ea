# inputs: x (3, 2, 4)
# accepted: yes
import torch
import torch.nn as nn
import torch.nn.functional as F


class Recurrent(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTMCell(4, 3)
        self.gru = nn.GRUCell(3, 5)

    def forward(self, x):
        h = x.new_zeros(2, 3)
        c = x.new_zeros(2, 3)
        state = x.new_zeros(2, 5)
        outputs = []
        for step in range(3):
            h, c = self.lstm(x[step], (h, c))
            state = self.gru(h, state)
            outputs.append(state)
        return torch.stack(outputs), c

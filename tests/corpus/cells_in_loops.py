# inputs: x (4, 2, 3)
# accepted: yes
import torch
import torch.nn as nn


class Loops(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTMCell(3, 5)
        self.rnn = nn.RNNCell(5, 4)

    def forward(self, x):
        state = None
        hidden = x.new_zeros(x.size(1), 4)
        outputs = []
        for step in x.unbind(0):
            state = self.lstm(step, state)
            hidden = self.rnn(state[0], hidden)
            outputs.append(hidden)
        return torch.stack(outputs), state[1]

# inputs: memory (2, 5, 6), start (2, 4)
# accepted: yes
import torch
import torch.nn as nn
import torch.nn.functional as F


class Decoder(nn.Module):
    def __init__(self, steps=3):
        super().__init__()
        self.steps = steps
        self.cell = nn.GRUCell(4 + 6, 8)
        self.query = nn.Linear(8, 6, bias=False)
        self.score = nn.Linear(6, 1, bias=False)
        self.out = nn.Linear(8, 4)

    def forward(self, memory, start):
        h = memory.new_zeros(memory.size(0), 8)
        y = start
        outputs = []
        for _ in range(self.steps):
            energy = self.score(torch.tanh(self.query(h).unsqueeze(1) + memory)).squeeze(-1)
            context = torch.bmm(F.softmax(energy, dim=1).unsqueeze(1), memory).squeeze(1)
            h = self.cell(torch.cat([y, context], dim=-1), h)
            y = self.out(h)
            outputs.append(y)
        return torch.stack(outputs, dim=1)

# inputs: marks (3, 4)
# accepted: yes
import torch
import torch.nn as nn


class ShortWords(nn.Module):
    """A table whose rows stay short, with one that stands for no word."""

    def __init__(self):
        super().__init__()
        self.words = nn.Embedding(8, 6, padding_idx=0, max_norm=1.0)

    def forward(self, marks):
        return torch.tanh(self.words(marks.abs().long())).sum(dim=1)

# inputs: marks (3, 4)
# accepted: yes
import torch
import torch.nn as nn


class TokenModel(nn.Module):
    """A table of vectors, a mean over each line's tokens, and a layer."""

    def __init__(self, words=8, width=6, classes=3):
        super().__init__()
        self.words = nn.Embedding(words, width, padding_idx=0)
        self.places = nn.Embedding(4, width)
        self.out = nn.Linear(width, classes)

    def forward(self, marks):
        tokens = marks.abs().long()
        rows = self.words(tokens) + self.places(torch.arange(4))
        return self.out(torch.tanh(rows).mean(dim=1))

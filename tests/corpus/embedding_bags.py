# inputs: marks (4, 3), scale (4, 3)
# accepted: yes
import torch
import torch.nn as nn
import torch.nn.functional as F


class Bags(nn.Module):
    def __init__(self):
        super().__init__()
        self.words = nn.EmbeddingBag(10, 4)

    def forward(self, marks, scale):
        words = (marks.abs() * 100).long() % 10
        table = self.words.weight
        return (
            self.words(words),
            F.embedding_bag(words, table, mode='max'),
            F.embedding_bag(words, table, mode='sum', per_sample_weights=scale),
        )

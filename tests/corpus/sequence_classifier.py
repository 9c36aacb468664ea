# inputs: x (3, 7, 6)
# accepted: yes
import torch
import torch.nn as nn


class Classifier(nn.Module):
    def __init__(self, features=6, hidden=5, classes=4):
        super().__init__()
        self.lstm = nn.LSTM(features, hidden, num_layers=2, batch_first=True, dropout=0.1)
        self.head = nn.Linear(hidden, classes)

    def forward(self, x):
        out, (h, c) = self.lstm(x)
        return self.head(out[:, -1]), h[-1] * c[-1]


model = Classifier()
model.eval()

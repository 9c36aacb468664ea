import torch
from torch import nn


class Predictor(nn.Module):
    def __init__(self, hidden: int = 32) -> None:
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(16, hidden), nn.Linear(hidden, 4)])

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.layers[0](x).tanh()
        return self.layers[1](x)

    @torch.no_grad()
    def predict(self, x):
        self.eval()
        return self(x).softmax(-1)


if __name__ == "__main__":
    device = "cuda:0" if torch.cuda.is_available() else "cpu"
    model = Predictor().to(device)
    probs = model.predict(torch.randn(3, 16).to(device))
    print(probs.sum(-1), probs.detach().cpu().tolist())

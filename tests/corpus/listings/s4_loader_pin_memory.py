import time
import torch
import torch.nn as nn
from torch.utils.data import Dataset, DataLoader


class RandomDataset(Dataset):
    def __init__(self, n=128):
        self.x = torch.randn(n, 20)
        self.y = torch.randn(n, 1)

    def __len__(self):
        return len(self.x)

    def __getitem__(self, i):
        return self.x[i], self.y[i]


def run(pin_memory):
    loader = DataLoader(RandomDataset(), batch_size=32, shuffle=True, num_workers=2, pin_memory=pin_memory)
    model = nn.Linear(20, 1).to(device)
    start = time.time()
    for x, y in loader:
        x = x.to(device, non_blocking=pin_memory)
        y = y.to(device, non_blocking=pin_memory)
        loss = ((model(x) - y) ** 2).mean()
    return time.time() - start


if __name__ == "__main__":
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    print("pin_memory=False", run(False))
    print("pin_memory=True ", run(True))

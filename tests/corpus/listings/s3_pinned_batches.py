import torch
from torch.utils.data import DataLoader, TensorDataset


class PinnedLoader:
    def __init__(self, loader):
        self.loader = loader

    def __iter__(self):
        for batch in self.loader:
            if isinstance(batch, (list, tuple)):
                yield tuple(t.pin_memory() for t in batch)
            else:
                yield batch.pin_memory()

    def __len__(self):
        return len(self.loader)


device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
dataset = TensorDataset(torch.randn(64, 10), torch.randint(0, 2, (64,)))
loader = PinnedLoader(DataLoader(dataset, batch_size=16))
model = torch.nn.Linear(10, 2).to(device)
for x, y in loader:
    x, y = x.to(device, non_blocking=True), y.to(device, non_blocking=True)
    loss = torch.nn.functional.cross_entropy(model(x), y)
    print(loss.item())

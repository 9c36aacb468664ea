import torch


class BatchLoader:
    def __init__(self, data, batch_size):
        self.data = data
        self.batch_size = batch_size
        self.index = 0

    def __iter__(self):
        self.index = 0
        return self

    def __next__(self):
        if self.index >= len(self.data):
            raise StopIteration
        batch = self.data[self.index:self.index + self.batch_size]
        self.index += self.batch_size
        return torch.cat(batch, dim=0)

    def __len__(self):
        return (len(self.data) + self.batch_size - 1) // self.batch_size


def process(batch):
    return (batch * 2 + 1).relu().sum(dim=1)


samples = [torch.randn(1, 16) for _ in range(32)]
loader = BatchLoader(samples, batch_size=8)
print(len(loader), "batches")
for i, batch in enumerate(loader):
    out = process(batch)
    print(i, batch.shape, out.shape)

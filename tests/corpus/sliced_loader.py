# inputs: data (8, 6)
# accepted: yes
import torch


class Loader:
    """Batches of consecutive samples, the last one shorter."""

    def __init__(self, samples, size):
        self.samples = samples
        self.size = size

    def __len__(self):
        return (len(self.samples) + self.size - 1) // self.size

    def __iter__(self):
        for start in range(0, len(self.samples), self.size):
            yield torch.cat(self.samples[start:start + self.size], dim=0)


def spread_of_batches(data):
    samples = [data[i:i + 1] for i in range(8)]
    loader = Loader(samples, 3)
    total = torch.zeros(6)
    for batch in loader:
        total = total + batch.amax(dim=0) - batch.amin(dim=0)
    return total / len(loader)

import time
import torch
import torch.utils.checkpoint as cp
from torch import nn


class Block(nn.Module):
    def __init__(self, i, o):
        super().__init__()
        self.lin = nn.Linear(i, o)
        self.act = nn.ReLU()

    def forward(self, x):
        return self.act(self.lin(x))


class Net(nn.Module):
    def __init__(self, use_checkpoint=True):
        super().__init__()
        self.use_checkpoint = use_checkpoint
        self.b1, self.b2 = Block(100, 200), Block(200, 200)
        self.head = nn.Linear(200, 10)

    def forward(self, x):
        if self.use_checkpoint and self.training:
            x = cp.checkpoint(self.b1, x)
            x = cp.checkpoint(self.b2, x)
        else:
            x = self.b2(self.b1(x))
        return self.head(x)


def train(use_checkpoint):
    torch.manual_seed(0)
    net = Net(use_checkpoint).to("cuda:0")
    opt = torch.optim.SGD(net.parameters(), lr=1e-2)
    torch.cuda.reset_peak_memory_stats()
    start = time.time()
    for _ in range(5):
        x = torch.randn(16, 100, device="cuda:0", requires_grad=True)
        opt.zero_grad(set_to_none=True)
        loss = net(x).pow(2).mean()
        loss.backward()
        opt.step()
    torch.cuda.synchronize()
    print(f"checkpoint={use_checkpoint}: {time.time() - start:.3f}s "
          f"{torch.cuda.max_memory_allocated() / 2 ** 20:.1f} MB, loss {loss.item():.5f}")


train(False)
train(True)

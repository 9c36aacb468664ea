import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.optim.lr_scheduler import OneCycleLR

net = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 4))
opt = torch.optim.SGD(net.parameters(), lr=0.01, momentum=0.9, weight_decay=5e-4)
sched = OneCycleLR(opt, max_lr=0.1, total_steps=50)


def step(x, target):
    opt.zero_grad()
    loss = F.cross_entropy(net(x), target, label_smoothing=0.1)
    loss.backward()
    opt.step()
    sched.step()
    return loss.detach()


x, target = torch.randn(16, 8), torch.randint(0, 4, (16,))
for i in range(3):
    print(step(x, target).item(), sched.get_last_lr())

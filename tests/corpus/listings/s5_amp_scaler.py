import torch
import torch.nn as nn
from torch.cuda.amp import autocast, GradScaler

model = nn.Linear(10, 1).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
loss_fn = nn.MSELoss()
scaler = GradScaler()
dataloader = [(torch.randn(16, 10), torch.randn(16, 1)) for _ in range(4)]

for data, target in dataloader:
    data, target = data.cuda(), target.cuda()
    optimizer.zero_grad()
    with autocast():
        output = model(data)
        loss = loss_fn(output, target)
    scaler.scale(loss).backward()
    scaler.step(optimizer)
    scaler.update()
    print(loss.item())

import torch
import torch.nn as nn
import torch.optim as optim

model = nn.DataParallel(nn.Linear(10, 5).cuda(), device_ids=[0, 1])
optimizer = optim.SGD(model.parameters(), lr=0.1)
loss_fn = nn.MSELoss()
x, y = torch.randn(20, 10).cuda(), torch.randn(20, 5).cuda()
optimizer.zero_grad()
loss = loss_fn(model(x), y)
loss.backward()
optimizer.step()
print(loss.item())

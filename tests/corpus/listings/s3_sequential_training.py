import torch
from torch import nn, optim

net = nn.Sequential(nn.Linear(100, 200), nn.ReLU(inplace=True), nn.Linear(200, 100), nn.ReLU(inplace=True),
                    nn.Linear(100, 10))
criterion = nn.CrossEntropyLoss()
optimizer = optim.SGD(net.parameters(), lr=0.01)
inputs = torch.randn(16, 100)
labels = torch.randint(0, 10, (16,))

running_loss = 0.0
for epoch in range(3):
    optimizer.zero_grad()
    outputs = net(inputs)
    loss = criterion(outputs, labels)
    loss.backward()
    optimizer.step()
    running_loss += loss.item()
    print('epoch %d loss: %.3f' % (epoch + 1, running_loss / (epoch + 1)))
print('Finished Training')

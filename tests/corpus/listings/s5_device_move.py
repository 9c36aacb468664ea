import torch
import torchvision
import torch.nn as nn
import torch.nn.functional as F

class LeNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 6, 5)
        self.pool = nn.MaxPool2d(2, 2)
        self.conv2 = nn.Conv2d(6, 16, 5)
        self.fc1 = nn.Linear(16 * 4 * 4, 120)
        self.fc2 = nn.Linear(120, 10)

    def forward(self, x):
        x = self.pool(F.relu(self.conv1(x)))
        x = self.pool(F.relu(self.conv2(x)))
        x = x.view(-1, self.num_flat_features(x))
        return self.fc2(F.relu(self.fc1(x)))

    def num_flat_features(self, x):
        size = x.size()[1:]
        num_features = 1
        for s in size:
            num_features *= s
        return num_features

use_cuda = torch.cuda.is_available()
net = LeNet()
if use_cuda:
    net.cuda()
images, labels = torch.randn(4, 1, 28, 28), torch.randint(10, (4,))
if use_cuda:
    images, labels = images.cuda(), labels.cuda()
with torch.no_grad():
    outputs = net(images)
    _, predicted = torch.max(outputs.data, 1)
    correct = (predicted == labels).sum().item()
print('Accuracy: {} %'.format(100 * correct / labels.size(0)))

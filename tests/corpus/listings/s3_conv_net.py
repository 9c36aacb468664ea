import torch
import torch.nn as nn
import torch.nn.functional as F
import time


class ConvNet(nn.Module):
    def __init__(self):
        super(ConvNet, self).__init__()
        self.conv1 = nn.Conv2d(3, 64, kernel_size=3)
        self.conv2 = nn.Conv2d(64, 128, kernel_size=3)
        self.fc = nn.Linear(128 * 28 * 28, 10)

    def forward(self, x):
        x = F.relu(self.conv1(x)).contiguous()
        x = F.relu(self.conv2(x)).contiguous()
        x = x.view(x.size(0), -1)
        x = self.fc(x)
        return x


device = torch.device('cuda' if torch.cuda.is_available() else 'cpu')
model = ConvNet().to(device)
inputs = torch.randn(2, 3, 32, 32).to(device)

model.eval()
with torch.no_grad():
    start_time = time.time()
    outputs = model(inputs)
    print("Time: %.4f s" % (time.time() - start_time))
print(outputs.shape)

import torch
from torch import nn

torch.backends.cudnn.benchmark = True


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(3, 8, 3)
        self.conv2 = nn.Conv2d(8, 16, 3)
        self.fc = nn.Linear(16 * 8 * 8, 10)

    def forward(self, x):
        x = torch.relu(self.conv1(x))
        x = torch.relu(self.conv2(x))
        x = x.contiguous()
        return self.fc(x.view(x.size(0), -1))


model = Net().to(memory_format=torch.channels_last)
images = torch.randn(4, 3, 12, 12).contiguous(memory_format=torch.channels_last)
print(images.stride(), images.is_contiguous(), images.is_contiguous(memory_format=torch.channels_last))
for name, m in model.named_parameters():
    print(name, tuple(m.shape), m.stride())
out = model(images)
print(out.shape, out.stride())

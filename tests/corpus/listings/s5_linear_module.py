import torch
import torch.nn as nn


class MyLinear(nn.Module):
    def __init__(self, input_size, output_size):
        super(MyLinear, self).__init__()
        self.weight = nn.Parameter(torch.randn(output_size, input_size))
        self.bias = nn.Parameter(torch.randn(output_size))

    def forward(self, x):
        return x.mm(self.weight.t()) + self.bias


model = MyLinear(2, 3)
inputs = torch.randn(5, 2)
targets = torch.randn(5, 3)
criterion = nn.MSELoss()
outputs = model(inputs)
loss = criterion(outputs, targets)
loss.backward()
for name, param in model.named_parameters():
    print(name, param.grad)

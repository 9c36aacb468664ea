import torch
import torch.nn as nn
import torch.quantization


class QuantNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.quant = torch.quantization.QuantStub()
        self.fc1 = nn.Linear(100, 200)
        self.relu = nn.ReLU()
        self.fc2 = nn.Linear(200, 10)
        self.dequant = torch.quantization.DeQuantStub()

    def forward(self, x):
        x = self.quant(x)
        x = self.relu(self.fc1(x))
        x = self.fc2(x)
        return self.dequant(x)


model = QuantNet()
model.eval()
model.qconfig = torch.quantization.get_default_qconfig('fbgemm')
torch.quantization.prepare(model, inplace=True)

# calibration
with torch.no_grad():
    for _ in range(10):
        model(torch.randn(32, 100))

torch.quantization.convert(model, inplace=True)
print(model)
out = model(torch.randn(32, 100))
print(out.shape)

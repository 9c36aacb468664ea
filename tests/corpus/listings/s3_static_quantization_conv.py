import time
import torch
from torch import nn
from torch.ao.quantization import DeQuantStub, QuantStub, convert, fuse_modules, get_default_qconfig, prepare

torch.backends.quantized.engine = "fbgemm"


class SmallConv(nn.Module):
    def __init__(self):
        super().__init__()
        self.quant = QuantStub()
        self.conv = nn.Conv2d(3, 8, 3, padding=1)
        self.relu = nn.ReLU()
        self.fc = nn.Linear(8 * 8 * 8, 10)
        self.dequant = DeQuantStub()

    def forward(self, x):
        x = self.quant(x)
        x = self.relu(self.conv(x))
        x = torch.flatten(x, 1)
        x = self.fc(x)
        x = self.dequant(x)
        return x


def calibrate(model, loader):
    model.eval()
    with torch.no_grad():
        for image, _ in loader:
            model(image)


fp32 = SmallConv().eval()
fp32.qconfig = get_default_qconfig("fbgemm")
fused = fuse_modules(fp32, [["conv", "relu"]])
prepared = prepare(fused)
loader = [(torch.randn(4, 3, 8, 8), torch.zeros(4)) for _ in range(5)]
calibrate(prepared, loader)
int8 = convert(prepared)

x = torch.randn(4, 3, 8, 8)
t = time.time()
y = int8(x)
print("latency", time.time() - t, y.shape)

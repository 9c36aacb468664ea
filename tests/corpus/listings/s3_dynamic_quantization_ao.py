import torch
from torch import nn
from torch.ao.quantization import quantize_dynamic

float_model = nn.Sequential(nn.Linear(64, 128), nn.ReLU(), nn.Linear(128, 10)).eval()
int8_model = quantize_dynamic(float_model, qconfig_spec={nn.Linear}, dtype=torch.qint8)

x = torch.randn(8, 64)
with torch.inference_mode():
    ref = float_model(x)
    out = int8_model(x)
print("max error", (ref - out).abs().max().item())

import torch
import torch.nn as nn


class W8Linear(nn.Module):
    def __init__(self, in_f, out_f):
        super().__init__()
        self.register_buffer("qweight", torch.randint(-127, 127, (out_f, in_f), dtype=torch.int8))
        self.register_buffer("scales", torch.rand(out_f) * 0.01)
        self.bias = nn.Parameter(torch.zeros(out_f))

    def forward(self, x):
        w = self.qweight.to(x.dtype) * self.scales.unsqueeze(1)
        return nn.functional.linear(x, w, self.bias)


layer = W8Linear(16, 8)
x = torch.randn(4, 16)
y = layer(x)
print("bytes", layer.qweight.element_size() * layer.qweight.nelement(), y.shape)

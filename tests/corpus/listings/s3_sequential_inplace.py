import torch
import torch.nn as nn
import time

model = nn.Sequential(
    nn.Linear(100, 200),
    nn.ReLU(inplace=True),
    nn.Linear(200, 100),
    nn.ReLU(inplace=True),
    nn.Linear(100, 10)
)

x = torch.randn(32, 100)
start = time.time()
for i in range(100):
    y = model(x)
end = time.time()
print(f'Inplace: {end - start:.4f}s')
print(sum(p.numel() for p in model.parameters()), "parameters")

import time
import torch
import torch.nn as nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
model = nn.Sequential(nn.Linear(50, 64), nn.ReLU(), nn.Linear(64, 5))
model = model.to(device)
model.eval()
data = torch.randn(16, 50)
data = data.to(device)

start = time.time()
out = model(data)
print("with grad:", time.time() - start, out.requires_grad)

with torch.no_grad():
    start = time.time()
    out = model(data)
    print("no grad:", time.time() - start, out.requires_grad)

prediction = out.argmax(dim=1)
print(prediction.cpu().numpy())

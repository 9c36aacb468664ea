import torch
from torch import nn

device = "cuda" if torch.cuda.is_available() else "cpu"
use_amp = True


def make_model(in_size, out_size, num_layers):
    layers = []
    for _ in range(num_layers - 1):
        layers.append(nn.Linear(in_size, in_size))
        layers.append(nn.ReLU())
    layers.append(nn.Linear(in_size, out_size))
    return nn.Sequential(*tuple(layers)).to(device)


net = make_model(16, 4, 3)
opt = torch.optim.SGD(net.parameters(), lr=0.001)
loss_fn = nn.MSELoss().to(device)
scaler = torch.amp.GradScaler(device, enabled=use_amp)


def train_step(x, y):
    with torch.autocast(device_type=device, dtype=torch.bfloat16, enabled=use_amp):
        output = net(x)
        loss = loss_fn(output.float(), y)
    scaler.scale(loss).backward()
    scaler.unscale_(opt)
    torch.nn.utils.clip_grad_norm_(net.parameters(), max_norm=0.1)
    scaler.step(opt)
    scaler.update()
    opt.zero_grad(set_to_none=True)
    return loss


for epoch in range(2):
    for _ in range(3):
        loss = train_step(torch.randn(8, 16, device=device), torch.randn(8, 4, device=device))
    print(epoch, loss.item())

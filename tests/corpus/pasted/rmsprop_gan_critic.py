import torch
import torch.nn as nn

critic = nn.Sequential(nn.Linear(10, 16), nn.LeakyReLU(0.2), nn.Linear(16, 1))
opt = torch.optim.RMSprop(critic.parameters(), lr=5e-5)


def critic_step(real, fake, clip=0.01):
    opt.zero_grad()
    loss = -(critic(real).mean() - critic(fake).mean())
    loss.backward()
    opt.step()
    with torch.no_grad():
        for p in critic.parameters():
            p.clamp_(-clip, clip)
    return loss.detach()


real, fake = torch.randn(12, 10), torch.randn(12, 10)
print(critic_step(real, fake))

# inputs: images (2, 3, 8, 8)
# accepted: yes
import torch
import torch.nn as nn


class PatchTokens(nn.Module):
    def __init__(self, image=8, patch=4, channels=3, dim=12):
        super().__init__()
        self.proj = nn.Conv2d(channels, dim, kernel_size=patch, stride=patch)
        self.cls_token = nn.Parameter(torch.zeros(1, 1, dim))
        self.pos = nn.Parameter(torch.randn(1, (image // patch) ** 2 + 1, dim) * 0.02)
        self.norm = nn.LayerNorm(dim)

    def forward(self, images):
        b = images.shape[0]
        tokens = self.proj(images).flatten(2).transpose(1, 2)
        cls = self.cls_token.expand(b, -1, -1)
        tokens = torch.cat((cls, tokens), dim=1) + self.pos
        return self.norm(tokens)[:, 0], tokens[:, 1:].mean(1)

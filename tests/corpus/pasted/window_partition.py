import torch
from torch import nn, Tensor


def window_partition(x: Tensor, window_size: int) -> Tensor:
    B, H, W, C = x.shape
    x = x.view(B, H // window_size, window_size, W // window_size, window_size, C)
    return x.permute(0, 1, 3, 2, 4, 5).contiguous().view(-1, window_size, window_size, C)


def window_reverse(windows: Tensor, window_size: int, H: int, W: int) -> Tensor:
    B = int(windows.shape[0] / (H * W / window_size / window_size))
    x = windows.view(B, H // window_size, W // window_size, window_size, window_size, -1)
    return x.permute(0, 1, 3, 2, 4, 5).contiguous().view(B, H, W, -1)


class WindowMixer(nn.Module):
    def __init__(self, dim: int, window_size: int = 4, shift: int = 2):
        super().__init__()
        self.ws, self.shift = window_size, shift
        self.mix = nn.Linear(window_size * window_size, window_size * window_size)
        self.norm = nn.LayerNorm(dim)

    def forward(self, x: Tensor) -> Tensor:
        B, H, W, C = x.shape
        s = torch.roll(self.norm(x), shifts=(-self.shift, -self.shift), dims=(1, 2))
        w = window_partition(s, self.ws).view(-1, self.ws * self.ws, C)
        w = self.mix(w.transpose(1, 2)).transpose(1, 2)
        s = window_reverse(w.reshape(-1, self.ws, self.ws, C), self.ws, H, W)
        return x + torch.roll(s, shifts=(self.shift, self.shift), dims=(1, 2))


block = WindowMixer(6)
print("params:", sum(p.numel() for p in block.parameters() if p.requires_grad))
img = torch.rand(2, 8, 8, 6)
print(block(img).size())

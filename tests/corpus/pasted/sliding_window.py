import math
import torch
import torch.nn as nn
import torch.nn.functional as F


class SlidingWindowAttention(nn.Module):
    def __init__(self, dim, heads, window):
        super().__init__()
        assert dim % heads == 0
        self.heads, self.window = heads, window
        self.qkv = nn.Linear(dim, 3 * dim, bias=False)
        self.out = nn.Linear(dim, dim, bias=False)

    def forward(self, x):
        B, T, C = x.shape
        q, k, v = self.qkv(x).chunk(3, dim=-1)
        q, k, v = (t.view(B, T, self.heads, C // self.heads).transpose(1, 2) for t in (q, k, v))
        att = (q @ k.transpose(-2, -1)) / math.sqrt(k.size(-1))
        i = torch.arange(T, device=x.device)
        mask = (i[None, :] > i[:, None]) | (i[:, None] - i[None, :] >= self.window)
        att = att.masked_fill(mask, float("-inf"))
        y = F.softmax(att, dim=-1) @ v
        return self.out(y.transpose(1, 2).contiguous().view(B, T, C))


if __name__ == "__main__":
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    model = SlidingWindowAttention(32, 4, window=3).to(device)
    x = torch.randn(2, 10, 32, device=device)
    with torch.no_grad():
        out = model(x)
    print(f"out: {out.shape}, mean {out.mean().item():.4f}")
    assert out.shape == x.shape

# inputs: x (2, 6, 16)
# accepted: yes
import math
import torch
import torch.nn as nn
import torch.nn.functional as F


class GroupedQueryAttention(nn.Module):
    def __init__(self, dim=16, heads=4, kv_heads=2, window=3):
        super().__init__()
        self.heads, self.kv_heads, self.window = heads, kv_heads, window
        self.head_dim = dim // heads
        self.wq = nn.Linear(dim, heads * self.head_dim, bias=False)
        self.wk = nn.Linear(dim, kv_heads * self.head_dim, bias=False)
        self.wv = nn.Linear(dim, kv_heads * self.head_dim, bias=False)
        self.wo = nn.Linear(heads * self.head_dim, dim, bias=False)

    def forward(self, x, scale=None):
        b, t, _ = x.shape
        scale = scale or 1.0 / math.sqrt(self.head_dim)
        q = self.wq(x).view(b, t, self.heads, self.head_dim).transpose(1, 2)
        k = self.wk(x).view(b, t, self.kv_heads, self.head_dim).transpose(1, 2)
        v = self.wv(x).view(b, t, self.kv_heads, self.head_dim).transpose(1, 2)
        k = k.repeat_interleave(self.heads // self.kv_heads, dim=1)
        v = v.repeat_interleave(self.heads // self.kv_heads, dim=1)
        row = torch.arange(t).unsqueeze(1)
        col = torch.arange(t).unsqueeze(0)
        allowed = (col <= row) & (row - col < self.window)
        scores = (q @ k.transpose(-2, -1)) * scale
        scores = scores.masked_fill(~allowed, float("-inf"))
        out = F.softmax(scores, dim=-1) @ v
        return self.wo(out.transpose(1, 2).contiguous().view(b, t, -1))

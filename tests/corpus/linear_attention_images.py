# inputs: x (2, 4, 4, 3)
# accepted: yes
import torch
import torch.nn.functional as F


class Attention2d(torch.nn.Module):
    def __init__(self, dim=3, heads=1):
        super().__init__()
        self.to_qkv = torch.nn.Conv2d(dim, dim * 3, 1, bias=False)
        self.heads = heads

    def forward(self, x):
        x = x.permute(0, 3, 1, 2)
        b, c, h, w = x.shape
        qkv = self.to_qkv(x).chunk(3, dim=1)
        q, k, v = map(lambda t: t.reshape(b, self.heads, c // self.heads, h * w), qkv)
        q = q.softmax(dim=-2)
        keys = k.softmax(dim=-1)
        context = torch.einsum("b h d n, b h e n -> b h d e", keys, v / (h * w))
        out = torch.einsum("b h d e, b h d n -> b h e n", context, q)
        grid = torch.stack(torch.meshgrid(torch.linspace(-1, 1, h), torch.linspace(-1, 1, w), indexing="xy"), -1)
        pos = grid[None].norm(dim=-1, keepdim=True)
        y = out.view(b, -1, h, w)
        y = F.avg_pool2d(F.pad(y, (1, 1, 1, 1), mode="replicate"), 3, stride=1)
        y[:, 0, ...] -= pos[..., 0]
        gate = torch.cat([y.mean(1, keepdim=True), y.amax(1, keepdim=True)], 1)
        return y * torch.sigmoid(gate.sum(1, True)), torch.tensor([1.0, 2.0]).mean()

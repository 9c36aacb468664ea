# inputs: q (2, 2, 5, 4), k (2, 2, 5, 4), v (2, 2, 5, 4)
# accepted: yes
import torch


def retention(q, k, v):
    heads, t = q.shape[1], q.shape[2]
    gamma = 1 - 2.0 ** (-5 - torch.arange(heads).float())
    n = torch.arange(t).unsqueeze(1)
    m = torch.arange(t).unsqueeze(0)
    decay = (gamma.view(-1, 1, 1) ** (n - m).float()) * (n >= m).float()
    decay = torch.nan_to_num(decay)
    attn = q @ k.transpose(-1, -2) * decay.unsqueeze(0)
    out = attn @ v
    mean = out.mean(-1, keepdim=True)
    var = out.var(-1, keepdim=True, unbiased=False)
    return (out - mean) / torch.sqrt(var + 1e-6)

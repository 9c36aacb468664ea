import math
import torch
from torch import nn


class RelativePositionBias(nn.Module):
    def __init__(self, num_buckets=16, max_distance=32, n_heads=2):
        super().__init__()
        self.num_buckets = num_buckets
        self.max_distance = max_distance
        self.relative_attention_bias = nn.Embedding(num_buckets, n_heads)

    @staticmethod
    def _relative_position_bucket(relative_position, num_buckets=16, max_distance=32):
        ret = 0
        n = -relative_position
        num_buckets //= 2
        ret = ret + (n < 0).to(torch.long) * num_buckets
        n = torch.abs(n)
        max_exact = num_buckets // 2
        is_small = n < max_exact
        val_if_large = max_exact + (
            torch.log(n.float() / max_exact) / math.log(max_distance / max_exact) * (num_buckets - max_exact)
        ).to(torch.long)
        val_if_large = torch.min(val_if_large, torch.full_like(val_if_large, num_buckets - 1))
        ret += torch.where(is_small, n, val_if_large)
        return ret

    def forward(self, scores):
        qlen, klen = scores.shape[-2:]
        q_pos = torch.arange(qlen, dtype=torch.long)
        k_pos = torch.arange(klen, dtype=torch.long)
        rel = k_pos[None, :] - q_pos[:, None]
        bucket = self._relative_position_bucket(rel, self.num_buckets, self.max_distance)
        values = self.relative_attention_bias(bucket)
        return scores + values.permute(2, 0, 1).unsqueeze(0)


bias = RelativePositionBias()
s = torch.randn(2, 2, 9, 9)
r = bias(s)
print(r.shape, r.dtype)

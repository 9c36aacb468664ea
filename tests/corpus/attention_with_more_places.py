# inputs: x (5, 2, 8), memory (6, 2, 8), scores (5, 6)
# accepted: yes
import torch
import torch.nn as nn


class Attentions(nn.Module):
    def __init__(self):
        super().__init__()
        self.both = nn.MultiheadAttention(8, 2, add_bias_kv=True, add_zero_attn=True)
        self.zero = nn.MultiheadAttention(8, 4, bias=False, add_zero_attn=True)
        self.extra = nn.MultiheadAttention(8, 2, add_bias_kv=True, batch_first=True)

    def forward(self, x, memory, scores):
        padded = torch.zeros(2, 6, dtype=torch.bool)
        padded[1, 4:] = True
        mixed, weights = self.both(x, memory, memory, key_padding_mask=padded, attn_mask=scores > 1)
        each, heads = self.zero(x, memory, memory, attn_mask=scores, average_attn_weights=False)
        first, none = self.extra(x.transpose(0, 1), memory.transpose(0, 1), memory.transpose(0, 1), need_weights=False)
        alone, line = self.zero(x[:, 0], memory[:, 0], memory[:, 0])
        assert none is None
        return mixed, weights, each, heads, first, alone, line


model = Attentions().eval()

# inputs: x (2, 5, 8)
# accepted: yes
import torch
import torch.nn as nn


class GatedLayer(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        self.attention = nn.MultiheadAttention(dim, heads, batch_first=True)
        self.norm = nn.LayerNorm(dim)
        self.gate = nn.Parameter(torch.full((dim,), 0.5))

    def forward(self, src, src_mask=None, src_key_padding_mask=None, is_causal=False):
        x = self.norm(src)
        made, _ = self.attention(x, x, x, attn_mask=src_mask, key_padding_mask=src_key_padding_mask, need_weights=False)
        return src + self.gate * made


class Encoder(nn.Module):
    def __init__(self, dim=8, heads=2):
        super().__init__()
        self.encoder = nn.TransformerEncoder(GatedLayer(dim, heads), num_layers=2, enable_nested_tensor=False)

    def forward(self, x):
        mask = nn.Transformer.generate_square_subsequent_mask(x.size(1))
        return self.encoder(x, mask=mask)

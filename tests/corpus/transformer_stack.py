# inputs: x (2, 5, 8), memory (2, 4, 8)
# accepted: yes
import torch
import torch.nn as nn


class Stack(nn.Module):
    def __init__(self, dim=8, heads=2):
        super().__init__()
        layer = nn.TransformerEncoderLayer(dim, heads, dim_feedforward=12, batch_first=True, norm_first=True)
        self.encoder = nn.TransformerEncoder(layer, num_layers=2, norm=nn.LayerNorm(dim))
        self.decoder = nn.TransformerDecoder(
            nn.TransformerDecoderLayer(dim, heads, 12, activation="gelu", batch_first=True), num_layers=1
        )

    def forward(self, x, memory):
        mask = nn.Transformer.generate_square_subsequent_mask(x.size(1))
        made = self.encoder(x, mask=mask)
        return made, self.decoder(made, memory, tgt_mask=mask)


model = Stack().eval()

# inputs: x (2, 3, 4, 4)
# accepted: yes
import torch
import torch.nn as nn
import torch.nn.functional as F


class WindowBias(nn.Module):
    def __init__(self, window_size=(2, 2), num_heads=3):
        super().__init__()
        rows, columns = window_size
        self.table = nn.Parameter(torch.zeros((2 * rows - 1) * (2 * columns - 1), num_heads))
        coords = torch.stack(torch.meshgrid([torch.arange(rows), torch.arange(columns)], indexing='ij'))
        flat = torch.flatten(coords, 1)
        relative = (flat[:, :, None] - flat[:, None, :]).permute(1, 2, 0).contiguous()
        relative[:, :, 0] += rows - 1
        relative[:, :, 1] += columns - 1
        relative[:, :, 0] *= 2 * columns - 1
        self.register_buffer('relative_position_index', relative.sum(-1))

    def forward(self, x):
        bias = self.table[self.relative_position_index.view(-1)].view(4, 4, -1)
        return F.softmax(x + bias.permute(2, 0, 1).unsqueeze(0), dim=-1)

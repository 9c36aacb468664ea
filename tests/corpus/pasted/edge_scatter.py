import torch


def message_passing(x, edge_index, edge_weight):
    row, col = edge_index[0], edge_index[1]
    deg = torch.zeros(x.size(0), dtype=x.dtype, device=x.device).scatter_add_(0, row, edge_weight)
    deg_inv_sqrt = deg.clamp(min=1e-6).pow(-0.5)
    norm = deg_inv_sqrt[row] * edge_weight * deg_inv_sqrt[col]
    out = torch.zeros_like(x)
    out.index_add_(0, row, norm.unsqueeze(-1) * x[col])
    return out


N, E = 6, 12
x = torch.randn(N, 4)
edge_index = torch.randint(0, N, (2, E))
w = torch.rand(E)
print(message_passing(x, edge_index, w).shape)

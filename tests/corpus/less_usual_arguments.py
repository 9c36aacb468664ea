# inputs: x (4, 6), y (4, 6), images (2, 3, 7, 6), cube (3, 3, 3), target (6,), weight (9, 4)
# accepted: yes
import torch
import torch.nn as nn
import torch.nn.functional as F


def f(x, y, images, cube, target, weight):
    tall = torch.zeros(7, 2)
    tall.fill_diagonal_(2.5, wrap=True)
    cube = cube.clone()
    cube.fill_diagonal_(1.5)
    low, high = torch.aminmax(x, keepdim=True)
    index = torch.tensor([3, 1, 4, 1, 5, 8, 2])
    bags = torch.tensor([0, 2, 5])
    order = torch.argsort(target)
    return (
        tall,
        cube,
        low,
        high,
        torch.diff(x, dim=1, prepend=y[:, :1], append=y[:, 1:3]),
        torch.cov(x[0]),
        torch.cov(x, correction=0, aweights=y[0].abs() + 0.1),
        torch.cov(x, fweights=torch.tensor([1, 2, 1, 3, 1, 2])),
        torch.diag_embed(x, offset=1),
        torch.diag_embed(x, offset=-2, dim1=0, dim2=2),
        torch.diag(x[0], -1),
        F.unfold(images, (2, 3), dilation=(2, 1), padding=1, stride=2),
        F.unfold(images[0], 2),
        torch.quantile(x, 0.3, keepdim=True),
        torch.searchsorted(target, x, sorter=order),
        F.poisson_nll_loss(x, y.abs() * 3, full=True),
        F.multi_margin_loss(x[0], torch.tensor(2)),
        F.embedding_bag(index, weight, bags, mode='sum'),
        F.embedding_bag(index, weight, bags, mode='mean', padding_idx=1),
        F.embedding_bag(index.view(1, 7), weight, mode='sum', padding_idx=-1),
        x.index_fill(1, torch.tensor([0, 2]), torch.tensor(0.5)),
    )

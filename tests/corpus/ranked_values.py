# inputs: x (4, 9), m (3, 4)
# accepted: yes
import torch


def f(x, m):
    x = x + torch.arange(36).view(4, 9) * 0.013
    values, places = torch.kthvalue(x, 3, dim=1)
    holes = torch.where(x > 1.5, torch.nan, x)
    return (
        values,
        places,
        x.kthvalue(2, 0, keepdim=True).values,
        torch.nanquantile(holes, 0.3, dim=1),
        torch.nanquantile(holes, torch.tensor([0.25, 0.5]), dim=0, keepdim=True),
        torch.isin(m.round(), torch.tensor([1.0, -1.0])),
        torch.histc(x, bins=5, min=-2, max=2),
        torch.histc(m, bins=4),
    )

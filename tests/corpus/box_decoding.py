# inputs: p (2, 18, 3, 3)
# accepted: yes
import torch


def decode(p, anchors=((10, 13), (16, 30)), stride=8, nc=4):
    bs, _, ny, nx = p.shape
    na = len(anchors)
    no = nc + 5
    p = p.view(bs, na, no, ny, nx).permute(0, 1, 3, 4, 2).contiguous()
    yv, xv = torch.meshgrid(torch.arange(ny), torch.arange(nx), indexing="ij")
    grid = torch.stack((xv, yv), 2).view(1, 1, ny, nx, 2).float()
    anchor_grid = torch.tensor(anchors).float().view(1, na, 1, 1, 2)
    y = p.sigmoid()
    y[..., 0:2] = (y[..., 0:2] * 2.0 - 0.5 + grid) * stride
    y[..., 2:4] = (y[..., 2:4] * 2) ** 2 * anchor_grid
    boxes = y.view(bs, -1, no)
    xy, wh, conf, cls = boxes.split((2, 2, 1, nc), -1)
    score, label = (conf * cls).max(-1, keepdim=True)
    best = score.squeeze(-1).topk(3, dim=1)
    rows = torch.arange(bs)[:, None]
    out = torch.cat((xy - wh / 2, xy + wh / 2, score, label.float()), -1)
    return out[rows, best.indices]

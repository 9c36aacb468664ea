import torch
import torch.nn.functional as F


def mixup(x, y, perm, lam: float = 0.3, classes: int = 5):
    onehot = F.one_hot(y, classes).float()
    x = lam * x + (1 - lam) * x[perm]
    onehot = lam * onehot + (1 - lam) * onehot[perm]
    return x, onehot


imgs = torch.rand(4, 3, 6, 6)
labels = torch.randint(0, 5, (4,))
perm = torch.randperm(4)
mx, my = mixup(imgs, labels, perm)
print(mx.shape, my.sum(-1))

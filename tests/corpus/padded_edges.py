# inputs: image (2, 3, 6, 8)
# accepted: yes
import torch
import torch.nn as nn
import torch.nn.functional as F


class Edges(nn.Module):
    """A mean over windows whose border is mirrored, and a convolution whose border goes round."""

    def __init__(self):
        super().__init__()
        self.mirror = nn.ReflectionPad2d(1)
        self.mix = nn.Conv2d(3, 2, 3, padding=1, padding_mode="circular")

    def forward(self, image):
        means = F.avg_pool2d(self.mirror(image), 3, stride=1)
        edges = image - means
        return F.pad(self.mix(edges), (1, 0, 0, 1), value=-1.0), F.pad(edges, (2, 2), mode="constant")

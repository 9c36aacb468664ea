# inputs: x (4, 8), w (3, 8)
# accepted: yes
import torch
import torch.nn.functional as F


def fake_quantized_layer(x, w):
    x, w = x.float(), w.float()
    scale = w.abs().amax(dim=1) / 127
    zero = torch.zeros(3, dtype=torch.int32)
    w = torch.fake_quantize_per_channel_affine(w, scale, zero, 0, -128, 127)
    x = torch.fake_quantize_per_tensor_affine(x, 0.05, 3, 0, 255)
    return F.linear(x, w)

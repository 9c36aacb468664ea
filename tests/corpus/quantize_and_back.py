# inputs: x (4, 8)
# accepted: yes
import torch


def quantize_and_back(x):
    q = torch.quantize_per_tensor(x.float(), 0.1, 10, torch.quint8)
    return q.dequantize(), q.int_repr()

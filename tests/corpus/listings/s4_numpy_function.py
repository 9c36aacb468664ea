import numpy as np
import torch


def to_tensors(array):
    shared = torch.from_numpy(array)
    also_shared = torch.as_tensor(array)
    copied = torch.tensor(array)
    return shared + also_shared, copied * 2


data = np.ones((4, 5), dtype=np.float64)
a, b = to_tensors(data)
print(a.dtype, b.dtype)

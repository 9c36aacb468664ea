import time
import torch


def process(tensor, make_contiguous=True):
    if make_contiguous:
        return tensor.contiguous()
    return tensor


x = torch.randn(64, 96).t()
print("shape", x.shape, "stride", x.stride(), "contiguous", x.is_contiguous())
y = process(x)
print("stride", y.stride(), y.is_contiguous(), y.data_ptr() == x.data_ptr())
start = time.time()
for _ in range(1000):
    process(x)
print(f"Time: {time.time() - start:.6f} seconds")

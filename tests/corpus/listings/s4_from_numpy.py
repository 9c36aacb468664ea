import time
import numpy as np
import torch

arr = np.random.rand(100, 100).astype(np.float32)

t0 = time.time()
for _ in range(1000):
    a = torch.tensor(arr)
t1 = time.time()
for _ in range(1000):
    b = torch.from_numpy(arr)
t2 = time.time()
for _ in range(1000):
    c = torch.as_tensor(arr)
t3 = time.time()
print(f"tensor {t1 - t0:.4f} from_numpy {t2 - t1:.4f} as_tensor {t3 - t2:.4f}")
arr[0, 0] = 42.0
print(b[0, 0], c[0, 0], a[0, 0])


def standardize(x):
    return (x - x.mean()) / x.std()


print(standardize(b).shape)

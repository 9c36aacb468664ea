import torch
import time


def time_op(op, *args, iterations=100):
    for _ in range(10):
        op(*args)
    if torch.cuda.is_available():
        torch.cuda.synchronize()
    start = time.time()
    for _ in range(iterations):
        op(*args)
    if torch.cuda.is_available():
        torch.cuda.synchronize()
    return (time.time() - start) / iterations * 1000


row_major = torch.randn(64, 64)
col_major = torch.randn(64, 64).t()
sliced = torch.randn(64, 128)[:, ::2]
for name, m in [("contiguous", row_major), ("transposed", col_major), ("sliced", sliced)]:
    print(f"{name:<12} {m.stride()} contiguous={m.is_contiguous()}")
    print("  matmul      %.4f ms" % time_op(torch.matmul, m, row_major))
    print("  elementwise %.4f ms" % time_op(torch.add, m, 1.0))
    print("  transpose   %.4f ms" % time_op(lambda a: a.transpose(0, 1).contiguous(), m))

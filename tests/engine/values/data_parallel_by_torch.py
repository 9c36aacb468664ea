#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Losses of a small training by PyTorch's DistributedDataParallel over gloo, on 1 and 2 ranks that share the same
batches: what data_parallel_test.cpp holds against.

    python3 tests/engine/values/data_parallel_by_torch.py > tests/engine/values/data_parallel.txt
"""
import os
import sys
import tempfile

import torch
import torch.distributed as dist
import torch.multiprocessing as multiprocessing

STEPS, ROWS, RATE = 5, 8, 0.1


def numbers(start, *extents):
    count = 1
    for extent in extents:
        count *= extent
    return torch.tensor([(i * 37) % 19 / 8 - 1 for i in range(start, start + count)]).reshape(extents)


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.w = torch.nn.Parameter(numbers(7, 5, 3))
        self.b = torch.nn.Parameter(numbers(3, 3))

    def forward(self, x):
        return torch.relu(x @ self.w + self.b)


def train(rank, ranks, store, lines):
    dist.init_process_group("gloo", init_method=f"file://{store}", rank=rank, world_size=ranks)
    model = torch.nn.parallel.DistributedDataParallel(Net())
    optimizer = torch.optim.SGD(model.parameters(), lr=RATE)
    rows = ROWS // ranks
    for step in range(STEPS):
        first = step * ROWS + rank * rows
        x, target = numbers(first * 5, rows, 5), numbers(100 + first * 3, rows, 3)
        optimizer.zero_grad()
        loss = torch.nn.functional.mse_loss(model(x), target)
        loss.backward()
        optimizer.step()
        lines.put((ranks, step, rank, loss.item()))
    dist.barrier()
    dist.destroy_process_group()


def main():
    multiprocessing.set_start_method("spawn")
    print(f"# PyTorch {torch.__version__}, DistributedDataParallel over gloo: ranks, step, rank, loss")
    for ranks in (1, 2):
        with tempfile.TemporaryDirectory() as folder:
            lines = multiprocessing.get_context("spawn").SimpleQueue()
            multiprocessing.spawn(train, (ranks, os.path.join(folder, "store"), lines), nprocs=ranks)
            found = sorted(lines.get() for _ in range(ranks * STEPS))
        for each in found:
            print(*each[:3], f"{each[3]:.9g}")
    return 0


if __name__ == "__main__":
    sys.exit(main())

# SPDX-License-Identifier: GPL-3.0-or-later
"""Records the execution traces of this folder: PYTHON record.py, with PyTorch 2.

Next to each trace, NAME.values.json.gz has the values of the tensors that the recorded code reads, in the order in which it
first reads them, and what it computed.
"""
import gzip
import json
import os
import sys

import torch
from torch import nn
from torch.nn import functional as F
from torch.profiler import ExecutionTraceObserver, ProfilerActivity, profile, record_function

HERE = os.path.dirname(os.path.abspath(__file__))


class Block(nn.Module):
    def __init__(self, width=16, heads=2):
        super().__init__()
        self.norm1, self.qkv, self.out = nn.LayerNorm(width), nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.norm2, self.up, self.down = nn.LayerNorm(width), nn.Linear(width, 4 * width), nn.Linear(4 * width, width)
        self.heads = heads

    def forward(self, x):
        batch, length, width = x.shape
        with record_function("attention"):
            qkv = self.qkv(self.norm1(x)).view(batch, length, 3, self.heads, width // self.heads)
            q, k, v = qkv.permute(2, 0, 3, 1, 4).unbind(0)
            attended = F.scaled_dot_product_attention(q, k, v).transpose(1, 2).reshape(batch, length, width)
            x = x + self.out(attended)
        with record_function("mlp"):
            return x + self.down(F.gelu(self.up(self.norm2(x))))

    def tensors(self):
        layers = self.norm1, self.qkv, self.out, self.norm2, self.up, self.down
        return [each for layer in layers for each in (layer.weight, layer.bias)]


class Convolutions(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.norm, self.second = nn.Conv2d(3, 8, 3, padding=1), nn.BatchNorm2d(8), nn.Conv2d(8, 8, 3, padding=1)

    def forward(self, x):
        y = F.relu(self.norm(self.first(x)))
        return F.max_pool2d(y + self.second(y), 2)

    def tensors(self):
        norm = self.norm
        return [self.first.weight, self.first.bias, norm.weight, norm.bias, norm.running_mean, norm.running_var,
                self.second.weight, self.second.bias]


def packed(name, text):
    with open(os.path.join(HERE, name + ".gz"), "wb") as file, gzip.GzipFile("", "wb", 9, file, 0) as out:
        out.write(text.encode())


def listed(tensors):
    return [[float("%.9g" % value) for value in each.detach().reshape(-1).tolist()] for each in tensors]


def record(name, call, inputs):
    call()
    values = listed(inputs)
    path = os.path.join(HERE, name + ".json")
    observer = ExecutionTraceObserver().register_callback(path)
    observer.start()
    results = call()
    observer.stop()
    observer.unregister_callback()
    with open(path, encoding="utf-8") as file:
        trace = file.read()
    os.remove(path)
    packed(name + ".json", trace)
    packed(name + ".values.json", json.dumps({"inputs": values, "results": listed(results)}))


def record_shapes(name, call):
    """Records a trace of the profiler: shapes, without the identities of tensors."""
    call()
    path = os.path.join(HERE, name + ".json")
    with profile(activities=[ProfilerActivity.CPU], record_shapes=True) as recorded:
        call()
    recorded.export_chrome_trace(path)
    with open(path, encoding="utf-8") as file:
        trace = json.load(file)
    os.remove(path)
    packed(name + ".json", json.dumps({"schemaVersion": 1, "traceEvents": trace["traceEvents"]}))


def shapes(mlp, x):
    with record_function("mlp"):
        mlp(x)
    with record_function("residual"):
        torch.relu(x).add(x)
    image = torch.ones(2, 3, 8, 8).to(memory_format=torch.channels_last)
    F.conv2d(image, torch.ones(4, 3, 3, 3), None, 1, 1)
    torch.linalg.svdvals(x)


def unsupported(x, matrix):
    y = torch.relu(x * x)
    return torch.tanh(torch.linalg.svdvals(matrix) + y.sum())


def main():
    torch.manual_seed(0)
    torch.set_num_threads(1)
    with torch.no_grad():
        mlp, x = nn.Sequential(nn.Linear(16, 32), nn.GELU(), nn.Linear(32, 8), nn.Softmax(-1)), torch.randn(4, 16)
        record("torch_2_15_mlp", lambda: [mlp(x)], [x, mlp[0].weight, mlp[0].bias, mlp[2].weight, mlp[2].bias])
        record_shapes("torch_2_15_shapes", lambda: shapes(mlp, x))
        block, tokens = Block(), torch.randn(2, 4, 16)
        record("torch_2_15_block", lambda: [block(tokens)], [tokens] + block.tensors())
        net, image = Convolutions().eval(), torch.randn(2, 3, 8, 8).to(memory_format=torch.channels_last)
        record("torch_2_15_convolutions", lambda: [net(image)], [image] + net.tensors())
        record("torch_2_15_unsupported", lambda: [unsupported(x, x)], [x])

    def train(module, given):
        module.zero_grad(set_to_none=True)
        with record_function("forward"):
            loss = (module(given) ** 2).mean()
        with record_function("backward"):
            loss.backward()
        return [each.grad for each in module.tensors() if each.requires_grad]

    record("torch_2_15_block_training", lambda: train(block, tokens), [tokens] + block.tensors())
    trained, image = Convolutions(), torch.randn(2, 3, 8, 8)
    tensors, norm = trained.tensors(), trained.norm
    batches = [norm.num_batches_tracked, torch.tensor(1)]  # the count of batches, and what is added to it
    record("torch_2_15_convolutions_training", lambda: train(trained, image), [image] + tensors[:2] + batches + tensors[2:])


if __name__ == "__main__":
    sys.exit(main())

# SPDX-License-Identifier: GPL-3.0-or-later
"""Tensors by value, as Fusebench hands them over in a file, and the distance between results.

The file is one line of JSON, then from the next multiple of 64 bytes on the elements of all tensors:
{"fusebench": "values", "version": 1, "separate": false, "note": "",
 "entries": [{"inputs": [TENSOR...], "results": [TENSOR...], "scales": [TENSOR...]}, ...]}
TENSOR: {"dtype": "float32", "shape": [8, 16], "strides": [16, 1], "at": bytes from where the elements begin,
"count": elements from the first to the last of the tensor, gaps included}, and "memory": "host" or "pinned" of an
input that must not be on the device. An entry is for one call.
"""
import json
import math

import torch

DTYPES = {name: getattr(torch, name) for name in ("float32", "float64", "float16", "bfloat16", "int64", "int32", "int8",
                                                  "uint8", "bool") if hasattr(torch, name)}
SMALLEST_NORMAL = 2.0 ** -126
LARGEST = 3.4028234663852886e38


class Entry:
    """One call's tensors."""

    def __init__(self, inputs, results, scales):
        self.inputs, self.results, self.scales = inputs, results, scales

    def kind(self):
        """What compiling may depend on: the shapes and strides of the inputs."""
        return tuple((tuple(x.shape), tuple(x.stride())) for x in self.inputs)


class ValuesFile:
    """The content of a file of values. The tensors are on the device, each in its own memory."""

    def __init__(self, path, device):
        with open(path, "rb") as file:
            first = file.readline()
            head = json.loads(first)
            begin = (len(first) + 63) // 64 * 64
            self.separate, self.note = head["separate"], head["note"]
            self.entries = [Entry(*([_tensor(file, begin, one, device) for one in entry.get(part, [])]
                                    for part in ("inputs", "results", "scales")))
                            for entry in head["entries"]]
        self.bytes = sum(x.untyped_storage().nbytes() if hasattr(x, "untyped_storage") else x.storage().nbytes()
                         for entry in self.entries for x in entry.inputs)


def _tensor(file, begin, what, device):
    memory = what.get("memory")
    if memory:
        host = _tensor(file, begin, dict(what, memory=None), torch.device("cpu"))
        return host.pin_memory() if memory == "pinned" and device.type == "cuda" else host
    dtype = DTYPES[what["dtype"]]
    if what["count"] == 0:
        return torch.empty(what["shape"], dtype=dtype, device=device)
    block = bytearray(what["count"] * torch.empty(0, dtype=dtype).element_size())
    file.seek(begin + what["at"])
    if file.readinto(block) != len(block):
        raise ValueError("the file of values is cut off")
    # A copy: PyTorch's own memory is aligned as its kernels like it.
    flat = torch.frombuffer(block, dtype=dtype).clone().to(device)
    if _contiguous(what["shape"], what["strides"]):
        # Not a view: PyTorch takes longer to call an operator on one, and a tensor that was made whole is none.
        whole = torch.empty_strided(what["shape"], what["strides"], dtype=dtype, device=device)
        return whole.copy_(flat.view(what["shape"]))
    return flat.as_strided(what["shape"], what["strides"])


def _contiguous(shape, strides):
    step = 1
    for extent, stride in zip(reversed(shape), reversed(strides)):
        if extent != 1 and stride != step:
            return False
        step *= extent
    return True


def largest_difference(got, expected, scales):
    """Largest |got - expected| / scale over all elements of all results, as Fusebench measures its own.

    scale is max(|expected|, sum of |terms|) of a final sum. NaN matches NaN and an infinity its like; infinity where
    only one is NaN or infinite. Values too large for float32 count as infinite. A scale below the smallest normal
    float32 is replaced by it.
    """
    worst = 0.0
    for g, e, s in zip(got, expected, scales):
        if tuple(g.shape) != tuple(e.shape):
            raise ValueError("a result has shape %s instead of %s" % (tuple(g.shape), tuple(e.shape)))
        if g.numel():
            worst = max(worst, _difference(g.double().cpu(), e.double().cpu(), s.double().cpu()))
    return worst


def _difference(got, expected, scale):
    infinite_got, infinite_expected = got.abs() > LARGEST, expected.abs() > LARGEST
    both_nan = got.isnan() & expected.isnan()
    both_infinite = infinite_got & infinite_expected & (got.sign() == expected.sign())
    special = got.isnan() | expected.isnan() | infinite_got | infinite_expected
    if bool((special & ~both_nan & ~both_infinite).any()):
        return math.inf
    difference = (got - expected).abs() / scale.clamp(min=SMALLEST_NORMAL)
    return float(torch.where(special, torch.zeros_like(difference), difference).max())

#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes engine/language/torch_names.txt: the public names of the PyTorch that runs this.

Usage: PYTHON packaging/make_torch_names.py > engine/language/torch_names.txt
"""
import inspect

import torch
import torch.nn.functional
import torch.optim.lr_scheduler

MODULES = ["torch", "torch.nn", "torch.nn.functional", "torch.nn.init", "torch.nn.utils", "torch.linalg", "torch.fft",
           "torch.special", "torch.optim", "torch.optim.lr_scheduler", "torch.autograd", "torch.cuda", "torch.distributed",
           "torch.distributions", "torch.func", "torch.jit", "torch.sparse", "torch.signal.windows", "torch.utils.checkpoint",
           "torch.utils.data", "torch.nested", "torch.nn.utils.parametrizations", "torch.ao.quantization", "torch.amp"]


def module_of(path):
    found = torch
    for part in path.split(".")[1:]:
        found = getattr(found, part)
    return found


names = set()
for path in MODULES:
    try:
        module = module_of(path)
    except AttributeError:
        continue
    for name in dir(module):
        if not name.startswith("_") and not inspect.ismodule(getattr(module, name, None)):
            names.add(f"{path}.{name}")
names.update(f"Tensor.{name}" for name in dir(torch.Tensor) if not name.startswith("_"))

print("# SPDX-License-Identifier: GPL-3.0-or-later")
print(f"# The public names of PyTorch {torch.__version__.split('+')[0]}: written by packaging/make_torch_names.py.")
print("\n".join(sorted(names)))

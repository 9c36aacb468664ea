# SPDX-License-Identifier: GPL-3.0-or-later
"""The tensors in the result of a model's call, whatever kind of object it returns."""
import dataclasses

import torch

MOST_DEPTH = 20
OWN = ("keys", "values")  # the order in a cache, whatever order they were set in


def named_tensors(result):
    """[(name, tensor)] in order: the items of tuples, lists and dicts, and the tensors that other objects hold, such as
    a cache of keys and values. The name of a result that is one tensor is empty. Each object is entered once."""
    found, seen = [], set()

    def enter(value, name, depth):
        if isinstance(value, torch.Tensor):
            found.append((name, value))
            return
        parts = parts_of(value)
        if parts is None or depth == MOST_DEPTH or id(value) in seen:
            return
        seen.add(id(value))
        for key, part in parts:
            enter(part, "%s.%s" % (name, key) if name else str(key), depth + 1)

    enter(result, "", 0)
    return found


def parts_of(value):
    """[(key, part)] of an object that may hold tensors; None: it holds none."""
    if isinstance(value, dict):
        return list(value.items())
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return list(zip(value._fields, value))
    if isinstance(value, (tuple, list)):
        return list(enumerate(value))
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return [(field.name, getattr(value, field.name, None)) for field in dataclasses.fields(value)]
    if isinstance(value, (type, torch.nn.Module, torch.dtype, torch.device)) or callable(value):
        return None
    own = getattr(value, "__dict__", None)
    if not own:
        return None
    names = [name for name in OWN if name in own] + [name for name in own if name not in OWN]
    return [(name, own[name]) for name in names]


def is_plain(result):
    """Whether tuples, lists and dicts hold all of it, which PyTorch's own exporter takes apart in the same order."""
    if type(result) in (tuple, list):
        return all(is_plain(each) for each in result)
    if type(result) is dict:
        return all(is_plain(each) for each in result.values())
    return result is None or isinstance(result, (torch.Tensor, bool, int, float, str))

# SPDX-License-Identifier: GPL-3.0-or-later
"""What a program keeps between calls outside of tensors: lists, dicts and sets, attributes of its objects, iterators."""
import collections
import copy
import types

import torch

MOST_OBJECTS = 100000
# PyTorch's own attributes of a module: tensors and submodules, which are restored by their names, and hooks.
MODULES_OWN = frozenset(vars(torch.nn.Module())) - {"training"}
COMPILERS_OWN = ("_dynamo", "_torchdynamo", "_compiled")  # torch.compile marks objects
CONTAINERS = (list, dict, set, collections.deque, bytearray)


def _items(container):
    """The parts of a container."""
    return [*container, *container.values()] if isinstance(container, dict) else list(container)


def _same(a, b):
    return len(a) == len(b) and all(x is y for x, y in zip(a, b))


def _is_iterator(value):
    return hasattr(value, "__next__") and hasattr(value, "__iter__")


class PythonState:
    """The Python values that can be reached from `roots` and that a call can change. `module`: the name of the program's
    module. Objects of other modules are entered only if they are containers or of torch.nn.Module. Tensors are not part of it."""

    def __init__(self, roots, module):
        self.module = module
        self.containers, self.attributes, self.iterators = [], [], []
        seen, open_ = set(), list(roots)
        while open_ and len(seen) < MOST_OBJECTS:
            each = open_.pop()
            if isinstance(each, (torch.Tensor, str, int, float, types.ModuleType)) or id(each) in seen:
                continue
            seen.add(id(each))
            open_.extend(self._enter(each))

    def enter_names(self, names):
        """Iterators that names stand for start again, too."""
        self._keep_iterators(names)

    def _enter(self, value):
        """Notes what can change of the value itself; returns its parts."""
        if isinstance(value, CONTAINERS):
            kept = list(value.items()) if isinstance(value, dict) else list(value)
            self.containers.append((value, kept))
            return _items(value) if not isinstance(value, bytearray) else ()
        if isinstance(value, (tuple, frozenset)):
            return value
        if isinstance(value, types.MethodType):
            return (value.__self__, value.__func__)
        if isinstance(value, types.FunctionType):
            if value.__module__ != self.module:
                return ()
            cells = [cell.cell_contents for cell in value.__closure__ or () if _is_filled(cell)]
            return [*(value.__defaults__ or ()), *(value.__kwdefaults__ or {}).values(), *cells]
        if isinstance(value, type):
            return self._enter_attributes(value) if value.__module__ == self.module else ()
        if isinstance(value, torch.nn.Module) or type(value).__module__ == self.module:
            parts = self._enter_attributes(value)
            return [*parts, *value._modules.values()] if isinstance(value, torch.nn.Module) else parts
        return ()

    def _enter_attributes(self, owner):
        kept = {name: each for name, each in getattr(owner, "__dict__", {}).items() if self._is_own(owner, name)}
        self.attributes.append((owner, kept))
        if not isinstance(owner, type):
            self._keep_iterators(vars(owner) if hasattr(owner, "__dict__") else {})
        return list(kept.values())

    def _keep_iterators(self, names):
        for name, each in list(names.items()):
            if not _is_iterator(each) or isinstance(each, (torch.nn.Module, types.GeneratorType)):
                continue
            try:
                self.iterators.append((names, name, copy.copy(each)))
            except Exception:  # whatever its class does
                continue

    @staticmethod
    def _is_own(owner, name):
        if name.startswith("__") or name.startswith(COMPILERS_OWN):
            return False
        return not (isinstance(owner, torch.nn.Module) and name in MODULES_OWN)

    def _now(self, owner):
        return {name: each for name, each in getattr(owner, "__dict__", {}).items() if self._is_own(owner, name)}

    def has_changed(self):
        """Whether a container or an attribute holds other values than at first. Iterators are not compared."""
        for container, kept in self.containers:
            now = list(container.items()) if isinstance(container, dict) else list(container)
            if isinstance(container, dict):
                if not (_same([key for key, _ in now], [key for key, _ in kept]) and
                        _same([each for _, each in now], [each for _, each in kept])):
                    return True
            elif not (now == kept if isinstance(container, bytearray) else _same(now, kept)):
                return True
        for owner, kept in self.attributes:
            now = self._now(owner)
            if now.keys() != kept.keys() or any(now[name] is not each for name, each in kept.items()):
                return True
        return bool(self.iterators)

    def restore(self):
        """Gives all of them the values that they had at first. The objects stay the same ones."""
        for container, kept in self.containers:
            if isinstance(container, (list, bytearray)):
                container[:] = kept
            else:
                container.clear()
                getattr(container, "extend" if isinstance(container, collections.deque) else "update")(kept)
        for owner, kept in self.attributes:
            now = self._now(owner)
            for name in now.keys() - kept.keys():
                delattr(owner, name)
            for name, each in kept.items():
                if name not in now or now[name] is not each:
                    (setattr if isinstance(owner, type) else _set_plain)(owner, name, each)
        for names, name, first in self.iterators:
            names[name] = copy.copy(first)


def _set_plain(owner, name, value):
    """Sets an attribute without the class's own __setattr__, which may check or count."""
    vars(owner)[name] = value


def _is_filled(cell):
    try:
        return cell.cell_contents is not cell
    except ValueError:
        return False

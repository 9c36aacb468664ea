# SPDX-License-Identifier: GPL-3.0-or-later
"""A program's text, and how each executor runs it.

Fusebench prints a program as its author wrote it, without the parts that it did not reach. This module executes that text. It
binds `program`, and `_held` for weights and buffers: a dict from the number of an input to the expression that names its
tensor, or None where PyTorch has no corresponding tensor. A call passes all other inputs.
"""
import copy
import importlib
import linecache
import math
import operator
import sys
import types

import torch
import torch.nn.functional

from fusebench_results import named_tensors
from fusebench_state import PythonState

COMPILED = ("torch-static", "torch-dynamic", "torch-replay")
EXECUTORS = ("torch",) + COMPILED
RECORDING = ("autograd.grad(", ".requires_grad_(", ".backward(")  # in a program that asks for gradients itself


class Unavailable(Exception):
    """The executor cannot run here; the text says why and what would help."""


_made = 0


class Source:
    """A program's text, executed once. Its functions are new, so PyTorch has compiled nothing for them yet."""

    def __init__(self, text):
        global _made
        _made += 1
        self.text, self.name = text, "<program %d>" % _made
        linecache.cache[self.name] = (len(text), None, text.splitlines(True), self.name)
        # PyTorch's compiler looks for what functions refer to in their module.
        module = types.ModuleType("fusebench_program_%d" % _made)
        sys.modules[module.__name__] = module
        self.space = _executed(text, self.name, module)
        self.call = self.space["program"]
        self.held = self.space.get("_held", {})
        self.tensors = {i: eval(path, self.space) for i, path in self.held.items() if path}
        self.requires = {i: each.requires_grad for i, each in self.tensors.items()}
        self.steppers = [(each, copy.deepcopy(each.state_dict())) for each in self.objects()
                         if hasattr(each, "load_state_dict") and not isinstance(each, (type, torch.nn.Module))]
        self.state = PythonState([self.call, *self._named()], self.space["__name__"])
        self.state.enter_names(self.space)

    def _named(self):
        """The values of the names that the text has bound."""
        return [each for name, each in self.space.items() if name != "_held" and not name.startswith("__")]

    def objects(self):
        """All objects that the text has bound to names, and the attributes of its own classes' objects."""
        made = list(self.space.values())
        for each in list(made):
            if type(each).__module__ == self.space["__name__"]:
                made.extend(vars(each).values())
        return {id(each): each for each in made}.values()

    def modules(self):
        roots = [each for each in self.objects() if isinstance(each, torch.nn.Module)]
        return {id(each): each for root in roots for each in root.modules()}.values()

    def free(self, inputs):
        """The inputs that a call passes: all but the weights and buffers."""
        return [x for i, x in enumerate(inputs) if i not in self.held] if self.held else inputs

    def bind(self, inputs):
        """Gives weights and buffers these values, which share memory with `inputs`. Raises Unavailable."""
        for i, tensor in self.tensors.items():
            if tensor.numel() != inputs[i].numel():  # the dimensions may differ
                raise Unavailable("PyTorch computes %s of shape %s, and Fusebench read shape %s" %
                                  (self.held[i], tuple(tensor.shape), tuple(inputs[i].shape)))
            tensor.data = inputs[i].detach().reshape(tensor.shape)
            tensor.requires_grad_(self.requires[i] and tensor.is_floating_point())

    def begin(self, inputs, which=None):
        """Restores the state before the first call: copies values into the weights and buffers whose numbers are in `which`
        (None: all), clears gradients, resets optimizers, and restores Python values."""
        self.state.restore()
        self.begin_tensors(inputs, which)

    def begin_tensors(self, inputs, which=None):
        """The same without Python values."""
        for i, tensor in self.tensors.items():
            tensor.grad = None
            if which is None or i in which:
                with torch.no_grad():
                    tensor.data.copy_(inputs[i].detach().reshape(tensor.shape))
                if not isinstance(tensor, torch.nn.Parameter):  # a call may have rebound the name
                    self.space["_kept"] = tensor
                    exec(self.held[i] + " = _kept", self.space)
        for each, state in self.steppers:
            each.load_state_dict(copy.deepcopy(state))

    def leaves(self, inputs, by):
        """The tensors to differentiate by. `inputs` are those that a call passes."""
        free = iter(inputs)
        count = len(inputs) + len(self.held)
        all_of_them = [self.tensors.get(i) if i in self.held else next(free) for i in range(count)]
        return [all_of_them[i] for i in by]

    def move(self, device):
        """Moves modules and tensors that the text created on the CPU to the device."""
        if device.type == "cpu":
            return
        for name, each in list(self.space.items()):
            if isinstance(each, torch.nn.Module):
                each.to(device)
            elif isinstance(each, torch.Tensor):
                self.space[name] = each.to(device)
        self.tensors = {i: eval(self.held[i], self.space) for i in self.tensors}

    def forget(self):
        linecache.cache.pop(self.name, None)
        sys.modules.pop(self.space["__name__"], None)


def source_of(text, module):
    """What a cell runs: the user's own module if the request names one, else the program's text."""
    if not module:
        return Source(text)
    import fusebench_module
    try:
        return fusebench_module.ModuleSource(module)
    except fusebench_module.Refused as error:
        raise Unavailable(str(error))
    except Exception as error:  # whatever the user's file does
        raise Unavailable("%s: the model could not be made: %s: %s" % (module.get("file"), type(error).__name__,
                                          (str(error).strip() or "no message").splitlines()[0][:300]))


def without_gpu(error):
    """The message for an error that PyTorch raised because a program names a GPU and there is none; None for other
    errors."""
    if torch.cuda.is_available() or not any(word in str(error) for word in ("CUDA", "NVIDIA")):
        return None
    if "device_type of 'cuda'" in str(error) or "Disabling autocast" in str(error):
        return ("the program uses autocast for a GPU (cuda), but torch %s finds no GPU; use the device cpu there, or "
                "measure on a machine with a GPU" % torch.__version__)
    return ("the program places tensors on a GPU (cuda), but torch %s finds no GPU; leave the device out, or measure on a "
            "machine with a GPU" % torch.__version__)


def make_function(text):
    """The callable that a program's text binds."""
    return Source(text).call


def _executed(text, name, module):
    if "torch.utils.checkpoint" in text:
        importlib.import_module("torch.utils.checkpoint")  # not there before it is asked for
    if "distributed" in text:
        importlib.import_module("torch.distributed.nn.functional")
    if "torch.ops.quantized_decomposed" in text:
        try:
            importlib.import_module("torch.ao.quantization.fx._decomposed")  # makes these ops
        except ImportError:
            raise Unavailable("torch %s has no ops for quantized values (torch.ops.quantized_decomposed); name "
                              "an interpreter with torch 2: --python, FUSEBENCH_PYTHON, or in the window Menu, "
                              "Python for PyTorch" % torch.__version__)
    space = module.__dict__
    space.update({"torch": torch, "F": torch.nn.functional, "inf": math.inf, "nan": math.nan, "math": math})
    # Names that the texts of exported graphs use without importing them.
    space.update({"device": torch.device, "operator": operator, "_operator": operator})
    try:
        exec(compile(text, name, "exec"), space)
    except ModuleNotFoundError as error:
        raise Unavailable("the program imports %s, which %s does not have; install it there, or name another interpreter: "
                          "--python, FUSEBENCH_PYTHON, or in the window Menu, Python for PyTorch" %
                          (error.name, sys.executable))
    return space


def why_not(executor, device):
    """Why the executor cannot run here, in one line; None: it can."""
    if executor not in EXECUTORS:
        return "PyTorch has no executor %s; there are %s" % (executor, ", ".join(EXECUTORS))
    if device.type == "cuda" and not torch.cuda.is_available():
        built = torch.version.cuda is not None
        return ("torch %s sees no CUDA device" if built else
                "torch %s is built without CUDA; install a build with it") % torch.__version__
    if executor in COMPILED and not hasattr(torch, "compile"):
        return ("torch %s has no torch.compile, which 2.0 and later have; name an interpreter that has it: "
                "--python, FUSEBENCH_PYTHON, or in the window Menu, Python for PyTorch" % torch.__version__)
    if executor == "torch-replay" and device.type != "cuda":
        return "CUDA graphs (mode reduce-overhead) need a CUDA device; this is %s" % device.type
    return None


def executable(executor, function, device):
    """The function as the executor runs it: what the timed loop calls. Throws Unavailable."""
    reason = why_not(executor, device)
    if reason:
        raise Unavailable(reason)
    if executor == "torch-static":
        return torch.compile(function, dynamic=False)
    if executor == "torch-dynamic":
        return torch.compile(function, dynamic=True)
    if executor == "torch-replay":
        return torch.compile(function, dynamic=False, mode="reduce-overhead")
    return function


def differentiating(forward, by, back, scale=1, source=None):
    """A call that also takes gradients of the first result by these inputs, as torch.autograd.grad does, if it goes
    back at all: else PyTorch records what that would need, and forgets it with the results. `scale`: what the first
    result is multiplied by before, and the gradients are divided by after. `source` holds weights of the call, if given."""
    def call(*inputs):
        results = forward(*inputs)
        if not back:
            return results
        results = as_tuple(results)
        leaves = source.leaves(inputs, by) if source else [inputs[i] for i in by]
        if scale == 1:
            return results + torch.autograd.grad(results[0], leaves)
        scaled = torch.autograd.grad(results[0] * scale, leaves)
        return results + tuple(gradient * (1 / scale) for gradient in scaled)
    return call


def forgetting(call, source):
    """Clears all gradients before each call."""
    def begun(*inputs):
        for each in source.tensors.values():
            each.grad = None
        for each in inputs:
            each.grad = None
        return call(*inputs)
    return begun


class unset_filled_with:
    """Within it, tensors that torch.empty and its like leave unset hold this number. Not for compiled calls."""

    def __init__(self, number):
        self.number = number

    def __enter__(self):
        self.kept = [(owner, name, vars(owner).get(name)) for owner, name in (
            (torch, "empty"), (torch, "empty_like"), (torch, "empty_strided"), (torch.Tensor, "new_empty"))]
        for owner, name, _ in self.kept:
            setattr(owner, name, self._filling(getattr(owner, name)))

    def _filling(self, make):
        def made(*arguments, **options):
            tensor = make(*arguments, **options)
            with torch.no_grad():
                return tensor.fill_(self.number if tensor.is_floating_point() else int(self.number == self.number))
        return made

    def __exit__(self, *error):
        for owner, name, function in self.kept:
            if function is None:
                delattr(owner, name)
            else:
                setattr(owner, name, function)


def reads_unset(text, inputs, gradients=None, module=None):
    """Whether the results of a call depend on what torch.empty leaves in its tensors."""
    if module or "empty" not in text:
        return False
    found = []
    for number in (0.0, math.nan):
        with unset_filled_with(number):
            found.append(_results(text, inputs, gradients))
    return any(not torch.equal(torch.nan_to_num(a.double(), nan=1e300), torch.nan_to_num(b.double(), nan=1e300))
               for a, b in zip(*found))


def requiring(inputs, by):
    """The same tensors; only those to differentiate by require gradients: autograd records nothing for the others."""
    return [x.detach().requires_grad_() if i in by else x for i, x in enumerate(inputs)]


def in_double(text, inputs, gradients=None, module=None):
    """The program's results with everything computed in float64 where PyTorch can: a comparison then shows the
    other side's rounding, not PyTorch's. Falls back to float32 where an op takes nothing else. `gradients`: the
    inputs to differentiate by."""
    default = torch.get_default_dtype()
    try:
        torch.set_default_dtype(torch.float64)
        given = [x.double() if x.is_floating_point() else x for x in inputs]
        return _results(text, given, gradients, module), True
    except (RuntimeError, NotImplementedError):
        torch.set_default_dtype(default)
        return _results(text, inputs, gradients, module), False
    finally:
        torch.set_default_dtype(default)


def _results(text, inputs, gradients, module=None):
    gradients = gradients or {}
    by = gradients.get("by", [])
    source = source_of(text, module)
    try:
        with torch.enable_grad():  # the program may ask for gradients
            given = requiring([x.clone() for x in inputs], by)
            source.bind(given)
            call = source.call
            if by:
                call = differentiating(call, by, bool(gradients.get("back")), gradients.get("scale", 1), source)
            return tensors_of(call(*source.free(given)))
    finally:
        source.forget()


def as_tuple(result):
    """The results of a call as a tuple. A module's may be nested, and may hold None and objects such as a cache."""
    if isinstance(result, dict):
        result = tuple(result.values())
    if not isinstance(result, (tuple, list)):
        known = isinstance(result, (torch.Tensor, bool, int, float, complex))
        return (result,) if known else tuple(each for _, each in named_tensors(result))
    return tuple(leaf for each in result if each is not None for leaf in as_tuple(each))


def like(results, expected, gradients):
    """The results of a call; its gradients, the last ones, get the expected shapes."""
    if len(results) != len(expected):
        raise ValueError("a call returns %d tensors, and Fusebench read %d" % (len(results), len(expected)))
    first = len(results) - gradients
    return [each.reshape(want.shape) if at >= first and each.numel() == want.numel() else each
            for at, (each, want) in enumerate(zip(results, expected))]


def tensors_of(result):
    """The results of a call as detached tensors; a call may also return numbers."""
    return [torch.as_tensor(each).detach() for each in as_tuple(result)]

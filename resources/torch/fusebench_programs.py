# SPDX-License-Identifier: GPL-3.0-or-later
"""A program's text as a function of PyTorch, and as each executor runs it.

Fusebench writes a program as the Python that PyTorch runs: `def program(x): ...`. That very text is executed here.
"""
import importlib
import linecache
import math

import torch
import torch.nn.functional

COMPILED = ("torch-static", "torch-dynamic", "torch-replay")
EXECUTORS = ("torch",) + COMPILED
RECORDING = ("torch.autograd.grad(", ".requires_grad_(")  # in a program that asks for gradients itself


class Unavailable(Exception):
    """The executor cannot run here; the text says why and what would help."""


_made = 0


def make_function(text):
    """A new function of the program: what PyTorch compiles and remembers, it remembers per function."""
    global _made
    _made += 1
    name = "<program %d>" % _made
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    if "torch.utils.checkpoint" in text:
        importlib.import_module("torch.utils.checkpoint")  # not there before it is asked for
    if "torch.distributed" in text:
        importlib.import_module("torch.distributed.nn.functional")
    if "torch.ops.quantized_decomposed" in text:
        try:
            importlib.import_module("torch.ao.quantization.fx._decomposed")  # makes these ops
        except ImportError:
            raise Unavailable("torch %s has no ops that make levels (torch.ops.quantized_decomposed); name an "
                              "interpreter with torch 2: --python, FUSEBENCH_PYTHON, or in the window Menu, "
                              "Python for PyTorch" % torch.__version__)
    space = {"torch": torch, "F": torch.nn.functional, "inf": math.inf, "nan": math.nan, "math": math}
    exec(compile(text, name, "exec"), space)
    return space["program"]


def forget_function(function):
    linecache.cache.pop(function.__code__.co_filename, None)


def why_not(executor, device):
    """Why the executor cannot run here, in one line; None: it can."""
    if executor not in EXECUTORS:
        return "PyTorch has no executor %s; there are %s" % (executor, ", ".join(EXECUTORS))
    if device.type == "cuda" and not torch.cuda.is_available():
        built = torch.version.cuda is not None
        return ("torch %s sees no CUDA device" if built else
                "torch %s is built without CUDA; install a build with it") % torch.__version__
    if executor in COMPILED and not hasattr(torch, "compile"):
        return ("torch %s has no torch.compile, 2.0 and later do; name an interpreter that has one: --python, "
                "FUSEBENCH_PYTHON, or in the window Menu, Python for PyTorch" % torch.__version__)
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


def differentiating(forward, by, back, scale=1):
    """A call that also takes gradients of the first result by these inputs, as torch.autograd.grad does, if it goes
    back at all: else PyTorch records what that would need, and forgets it with the results. `scale`: what the first
    result is multiplied by before, and the gradients are divided by after."""
    def call(*inputs):
        results = forward(*inputs)
        if not back:
            return results
        results = as_tuple(results)
        if scale == 1:
            return results + torch.autograd.grad(results[0], [inputs[i] for i in by])
        scaled = torch.autograd.grad(results[0] * scale, [inputs[i] for i in by])
        return results + tuple(gradient * (1 / scale) for gradient in scaled)
    return call


def requiring(inputs, by):
    """The same tensors, of which those to differentiate by are told apart: nobody else's record anything."""
    return [x.detach().requires_grad_() if i in by else x for i, x in enumerate(inputs)]


def in_double(text, inputs):
    """The program's results with everything computed in float64 where PyTorch can: a comparison then shows the
    other side's rounding, not PyTorch's. Falls back to float32 where an op takes nothing else."""
    function = make_function(text)
    default = torch.get_default_dtype()
    try:
        torch.set_default_dtype(torch.float64)
        with torch.enable_grad():  # the program may ask for gradients
            return as_tuple(function(*[x.double() if x.is_floating_point() else x for x in inputs])), True
    except (RuntimeError, NotImplementedError):
        torch.set_default_dtype(default)
        with torch.enable_grad():
            return as_tuple(function(*inputs)), False
    finally:
        torch.set_default_dtype(default)
        forget_function(function)


def as_tuple(result):
    return result if isinstance(result, tuple) else (result,)

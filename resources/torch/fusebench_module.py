# SPDX-License-Identifier: GPL-3.0-or-later
"""The user's own module: runs the file that makes it, and finds the module and its arguments.

This executes the user's code. It happens only when the user asks for a capture, or allows a run to use the module.
"""
import copy
import hashlib
import importlib.util
import inspect
import os
import re
import sys

import torch

from fusebench_state import PythonState

MODULE_NAME = "fusebench_user_model"
MAKERS = ("make", "make_model", "build", "build_model", "create_model", "get_model", "model_and_inputs", "example")
ARGUMENTS = ("args", "inputs", "example_inputs", "example_args")
SPEC = re.compile(r"^([A-Za-z_]\w*)=([\d,x ]*)(?::(\w+))?(?::(-?\d+)\.\.(-?\d+))?$")


class Refused(Exception):
    """The file, its model or an option does not fit. One line: place, cause, remedy."""


class Made:
    """A module or function, and the arguments of one call."""

    def __init__(self, model, args=(), kwargs=None, name="", ranges=None):
        self.model, self.args, self.kwargs, self.name = model, tuple(args), dict(kwargs or {}), name
        self.ranges = dict(ranges or {})  # by name, for inputs to which the user gave a range

    @property
    def is_module(self):
        return isinstance(self.model, torch.nn.Module)


def digest(path):
    """SHA-256 of the file, in hexadecimal."""
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


def execute(path):
    """Imports the file the way Python runs a script: its own folder comes first in the search path."""
    folder = os.path.dirname(os.path.abspath(path))
    if folder not in sys.path:
        sys.path.insert(0, folder)
    sys.argv = [path]
    spec = importlib.util.spec_from_file_location(MODULE_NAME, path)
    if spec is None:
        raise Refused("%s: not a Python file; name a file that ends in .py" % path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[MODULE_NAME] = module
    torch.manual_seed(0)
    spec.loader.exec_module(module)
    return module


def _required(function):
    """Names of the parameters without a default; None: not known."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return None
    plain = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    return [each.name for each in parameters if each.kind in plain and each.default is inspect.Parameter.empty]


def _own(module, kind):
    """The definitions of this kind in the file itself, in its order."""
    return [(name, each) for name, each in vars(module).items()
            if not name.startswith("_") and kind(each) and getattr(each, "__module__", "") == MODULE_NAME]


def _is_class(value):
    return inspect.isclass(value) and issubclass(value, torch.nn.Module)


def _find(module, path):
    """The name to capture if the user gives none."""
    for name in MAKERS:
        if inspect.isfunction(getattr(module, name, None)):
            return name
    made = [name for name, each in vars(module).items() if isinstance(each, torch.nn.Module)]
    if len(made) == 1:
        return made[0]
    classes = [name for name, each in _own(module, _is_class) if _required(each) == []]
    if not made and len(classes) == 1:
        return classes[0]
    found = made + classes
    if not found:
        raise Refused("%s: no function `make` that returns (model, args), and no module; add one, or name what to capture"
                      % path)
    raise Refused("%s: several modules (%s); name one of them after the file" % (path, ", ".join(found[:8])))


def tensor_of(text, seed=0):
    """(name, tensor, range or None) of "x=1,3,224,224:float32" or "ids=1,16:int64:0..999"."""
    match = SPEC.match(text.strip())
    if not match:
        raise Refused("--input \"%s\": must be NAME=SIZES[:DTYPE[:LOW..HIGH]], as in x=1,3,224,224:float32" % text)
    name, sizes, dtype, low, high = match.groups()
    kind = getattr(torch, dtype or "float32", None)
    if not isinstance(kind, torch.dtype):
        raise Refused("--input \"%s\": \"%s\" is not a dtype; use float32, int64 or another of PyTorch's" % (text, dtype))
    shape = [int(each) for each in re.split("[,x ]+", sizes.strip()) if each]
    generator = torch.Generator().manual_seed(seed)
    if low is not None:
        if int(low) > int(high):
            raise Refused("--input \"%s\": the range is empty; write the lower end first" % text)
        drawn = torch.randint(int(low), int(high) + 1, shape, generator=generator)
        return name, drawn.to(kind), (int(low), int(high))
    if kind.is_floating_point or kind.is_complex:
        return name, torch.randn(shape, generator=generator).to(kind), None
    return name, torch.randint(0, 2, shape, generator=generator).to(kind), None


def _with_inputs(made, inputs, path):
    """Arguments from --input: by name where forward has such a parameter."""
    function = made.model.forward if made.is_module else made.model
    parameters = [each.name for each in inspect.signature(function).parameters.values()]
    kwargs, ranges = {}, {}
    for seed, text in enumerate(inputs):
        name, tensor, span = tensor_of(text, seed)
        if name not in parameters:
            raise Refused("--input %s: %s takes no such argument; it takes %s" % (name, made.name, ", ".join(parameters)))
        kwargs[name] = tensor
        if span:
            ranges[name] = span
    missing = [each for each in _required(function) or () if each not in kwargs]
    if missing:
        raise Refused("%s: %s also needs %s; add --input \"%s=SIZES:DTYPE\"" %
                      (path, made.name, ", ".join(missing), missing[0]))
    args = []
    for name in parameters:  # positional as far as that goes, as most people call it
        if name not in kwargs:
            break
        args.append(kwargs.pop(name))
    return Made(made.model, args, kwargs, made.name, ranges)


def _unpack(value, name, path):
    """(model), (model, args) or (model, args, kwargs)."""
    if isinstance(value, torch.nn.Module):
        return Made(value, name=name), False
    if isinstance(value, (tuple, list)) and 2 <= len(value) <= 3 and callable(value[0]):
        args = value[1]
        kwargs = value[2] if len(value) == 3 else {}
        if isinstance(args, dict) and len(value) == 2:
            args, kwargs = (), args
        if isinstance(args, torch.Tensor) or not isinstance(args, (tuple, list)):
            args = (args,)
        return Made(value[0], args, kwargs, name), True
    raise Refused("%s: %s() returned %s; it must return a module, (model, args) or (model, args, kwargs)" %
                  (path, name, type(value).__name__))


def load(path, name="", inputs=(), train=False):
    """Runs the file and returns the Made that `name` stands for. Raises Refused, and whatever the file raises."""
    module = execute(path)
    name = name or _find(module, path)
    value = getattr(module, name, None)
    if value is None:
        known = [each for each, _ in _own(module, lambda v: inspect.isfunction(v) or _is_class(v))]
        raise Refused("%s: nothing is called %s; it has %s" % (path, name, ", ".join(known[:8]) or "no functions or modules"))
    complete = False
    if isinstance(value, torch.nn.Module):
        made = Made(value, name=name)
    elif _is_class(value):
        missing = _required(value)
        if missing:
            raise Refused("%s: %s needs %s; add a function that makes it and returns (model, args)" %
                          (path, name, ", ".join(missing)))
        made = Made(value(), name=name)
    elif callable(value):
        missing = _required(value)
        if missing and not inputs:
            raise Refused("%s: %s needs %s; give it defaults, or describe its tensors with --input" %
                          (path, name, ", ".join(missing)))
        if missing:
            made = Made(value, name=name)
        else:
            made, complete = _unpack(value(), name, path)
    else:
        raise Refused("%s: %s is not a function or a module" % (path, name))
    if inputs:
        made = _with_inputs(made, inputs, path)
    elif not complete:
        for each in ARGUMENTS:
            if isinstance(getattr(module, each, None), (tuple, list, torch.Tensor)):
                given = getattr(module, each)
                made.args = (given,) if isinstance(given, torch.Tensor) else tuple(given)
                complete = True
                break
        function = made.model.forward if made.is_module else made.model
        needed = _required(function)
        if not complete and needed:
            raise Refused("%s: %s needs inputs (%s); add --input \"%s=SIZES:DTYPE\", or return (model, args)" %
                          (path, name, ", ".join(needed), needed[0]))
    if made.is_module:
        made.model.train(train)
    return made


def tensor_leaves(tree):
    """All tensors of nested arguments or results, in PyTorch's order."""
    from torch.utils import _pytree as pytree
    return [each for each in pytree.tree_leaves(tree) if isinstance(each, torch.Tensor)]


class ModuleSource:
    """The module in place of a program's text: see fusebench_programs.Source, whose parts a cell uses.

    `request`: file, name, inputs, train, and of each input of the program `leaves` (which tensor of the arguments it is,
    or None) and `states` (the name of a parameter or buffer, or None).
    """
    made_so_far = 0

    def __init__(self, request):
        if digest(request["file"]) != request["sha256"]:
            raise Refused("%s changed since it was captured; capture it again" % request["file"])
        made = _made_before(request)
        self.text = ""
        self.module, self.states, self.positions = made.model, request["states"], request["leaves"]
        self.held = {i: state for i, state in enumerate(self.states) if state is not None}
        self.tensors = {i: _attribute(self.module, state) for i, state in self.held.items()}
        self.tensors = {i: each for i, each in self.tensors.items() if each is not None}
        self.requires = {i: each.requires_grad for i, each in self.tensors.items()}
        self.steppers, self.space = [], {"__name__": MODULE_NAME}
        self.call = self._caller(made)
        self.state = PythonState([self.module], MODULE_NAME)

    def _caller(self, made):
        """A function of the program's own inputs that calls the module; nothing else is left for a call to do."""
        from torch.utils import _pytree as pytree
        given = [leaf for i, leaf in enumerate(self.positions) if i not in self.held]
        names = {leaf: "x%d" % at for at, leaf in enumerate(given) if leaf is not None}
        if any(leaf is None for leaf in given):
            raise Refused("an input of the captured graph is not an argument of the module")
        space, counter = {"_module": made.model}, [0]

        def written(tree):
            if isinstance(tree, torch.Tensor):
                leaf = counter[0]
                counter[0] += 1
                if leaf in names:
                    return names[leaf]
                return kept(tree)
            if type(tree) in (list, tuple):
                items = [written(each) for each in tree]
                return "[%s]" % ", ".join(items) if type(tree) is list else "(%s)" % "".join(i + ", " for i in items)
            if type(tree) is dict:
                return "{%s}" % ", ".join("%r: %s" % (key, written(each)) for key, each in tree.items())
            inside = sum(isinstance(each, torch.Tensor) for each in pytree.tree_leaves(tree))
            if inside:
                raise Refused("an argument of type %s holds tensors; pass them in lists, tuples or dicts" %
                              type(tree).__name__)
            return kept(tree)

        def kept(value):
            name = "_kept%d" % len(space)
            space[name] = value
            return name

        parts = [written(each) for each in made.args]
        parts += ["%s=%s" % (key, written(each)) for key, each in made.kwargs.items()]
        text = "def program(%s):\n    return _module(%s)\n" % (
            ", ".join("x%d" % at for at in range(len(given))), ", ".join(parts))
        exec(compile(text, "<module %d>" % ModuleSource.made_so_far, "exec"), space)
        ModuleSource.made_so_far += 1
        return space["program"]

    def objects(self):
        return [self.module]

    def modules(self):
        return list(self.module.modules()) if isinstance(self.module, torch.nn.Module) else []

    def free(self, inputs):
        return [x for i, x in enumerate(inputs) if i not in self.held] if self.held else inputs

    def bind(self, inputs):
        for i, tensor in self.tensors.items():
            tensor.data = inputs[i].detach().reshape(tensor.shape)
            tensor.requires_grad_(self.requires[i] and tensor.is_floating_point())

    def begin(self, inputs, which=None):
        self.state.restore()
        self.begin_tensors(inputs, which)

    def begin_tensors(self, inputs, which=None):
        for i, tensor in self.tensors.items():
            tensor.grad = None
            if which is None or i in which:
                with torch.no_grad():
                    tensor.data.copy_(inputs[i].detach().reshape(tensor.shape))

    def leaves(self, inputs, by):
        """The tensors to differentiate by. `inputs` are those that a call passes."""
        free = iter(inputs)
        all_of_them = [self.tensors.get(i) if i in self.held else next(free) for i in range(len(self.states))]
        return [all_of_them[i] for i in by]

    def move(self, device):
        if device.type != "cpu" and isinstance(self.module, torch.nn.Module):
            self.module.to(device)

    def forget(self):
        sys.modules.pop(MODULE_NAME, None)


_loaded = {}


def _made_before(request):
    """A model of its own for each cell; the file is executed once, and again only if the model cannot be copied."""
    key = (request["sha256"], request.get("name"), tuple(request.get("inputs") or ()), bool(request.get("train")),
           torch.get_default_dtype())
    found = _loaded.pop(key, None)
    if found is None:
        if request["file"].endswith(".pt2"):
            found = load_exported(request["file"])
        else:
            found = load(request["file"], request.get("name", ""), request.get("inputs") or (), request.get("train", False))
    try:
        _loaded[key] = copy.deepcopy(found)
    except Exception:  # some hold what cannot be copied
        pass
    return found


def _attribute(module, path):
    """The parameter or buffer of this name; None where the module has none (a constant inside the graph)."""
    at = module
    for part in path.split("."):
        at = getattr(at, part, None)
    return at if isinstance(at, torch.Tensor) else None


def load_exported(path):
    """A file of torch.export.save, as a module with its example arguments."""
    try:
        program = torch.export.load(path)
    except Exception as error:
        raise Refused("%s: torch %s cannot read it: %s; save it again with this version" %
                      (path, torch.__version__, str(error).strip().split("\n")[0][:200]))
    if program.example_inputs is None:
        raise Refused("%s: it keeps no example inputs; save it with example inputs" % path)
    args, kwargs = program.example_inputs
    made = Made(program.module(check_guards=False) if _guards(program) else program.module(), args, kwargs,
                os.path.splitext(os.path.basename(path))[0])
    made.exported = program
    return made


def _guards(program):
    return "check_guards" in inspect.signature(program.module).parameters

# SPDX-License-Identifier: GPL-3.0-or-later
"""A module as graphs of ATen operations, by torch.export, or, where that fails, by Dynamo's export or its graphs."""
import contextlib
import functools
import inspect
import io
import logging
import os
import traceback
import warnings

import torch

from fusebench_module import MODULE_NAME, Refused, load_exported, tensor_leaves
from fusebench_results import is_plain, named_tensors

PARAMETER, BUFFER, CONSTANT, USER = "parameter", "buffer", "constant", "user"
MOST_NAMED = 8  # results in a note
MOST_SAID = 300  # characters of PyTorch's own message


class Input:
    """A tensor that the graph takes. `leaf`: which tensor of the arguments it is, of a user's one."""

    def __init__(self, node, kind, target, tensor, leaf=None):
        self.node, self.kind, self.target, self.tensor, self.leaf = node, kind, target, tensor, leaf


class Graph:
    """One graph: inputs, what it returns, and what it writes to its inputs (input's node, value's node)."""

    def __init__(self, module, inputs, outputs, writes=(), reason=""):
        self.module, self.inputs, self.outputs, self.writes, self.reason = module, inputs, outputs, list(writes), reason
        self.axes = {}  # symbol to name, for each dynamic size
        self.note = ""  # what of the model's result the graph returns, where that is not all of it


def capture(made, decompose="none", dynamic=(), say=lambda what: None):
    """(graphs, how): one graph, or several in order where the model has graph breaks."""
    if getattr(made, "exported", None) is not None:
        return [_of_program(_decomposed(made.exported, decompose), made)], "a saved export"
    shapes, named = dynamic_shapes(made, dynamic)
    say("exporting")
    try:
        with _quiet():
            return [_exported(made, decompose, shapes, named)], "torch.export"
    except Exception as error:
        if dynamic or isinstance(error, Refused):
            raise
        first = error
    others = (("exporting with Dynamo", "torch.export (strict)", lambda: [_exported(made, decompose, strict=True)]),
              ("looking for graph breaks", "torch.compile's graphs", lambda: _pieces(made, decompose)))
    for what, how, attempt in others:
        say(what)
        try:
            with _quiet():
                graphs = attempt()
            if graphs:
                return graphs, how
        except Exception:
            pass  # the first error tells most
    raise first


@contextlib.contextmanager
def _quiet():
    """PyTorch's own logs would hide the error, which gets one line."""
    before = logging.root.manager.disable
    logging.disable(logging.CRITICAL)
    try:
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()), \
                warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        logging.disable(before)


class _Function(torch.nn.Module):
    """A plain function as a module, which torch.export asks for."""

    def __init__(self, function):
        super().__init__()
        self._function = function
        self.forward = function


def as_module(model):
    return model if isinstance(model, torch.nn.Module) else _Function(model)


def dynamic_shapes(made, dynamic):
    """The dynamic shapes that torch.export takes for "batch=0" (dimension 0 of every input) and "length=ids.1" (of that
    input); and which tensors' dimensions these are: (tensor, dimension, name)."""
    if not dynamic:
        return None, []
    function = made.model.forward if made.is_module else made.model
    bound = inspect.signature(function).bind(*made.args, **made.kwargs)
    bound_names = dict(bound.arguments)
    shapes, named = {}, []
    for text in dynamic:
        name, equals, where = (text if "=" in text else text + "=0").partition("=")
        only, dot, dim = where.rpartition(".")
        if not equals or not name.isidentifier() or not dim.isdigit():
            raise Refused("--dynamic %s: must be NAME=DIMENSION or NAME=INPUT.DIMENSION, as in batch=0" % text)
        if dot and only not in bound_names:
            raise Refused("--dynamic %s: there is no input %s; there are %s" % (text, only, ", ".join(bound_names)))
        size = torch.export.Dim(name)
        count = 0
        for parameter, value in bound_names.items():
            if not isinstance(value, torch.Tensor) or (dot and parameter != only) or value.dim() <= int(dim):
                continue
            if value.shape[int(dim)] < 2:
                bound_names[parameter] = value = torch.cat([value, value], int(dim))  # PyTorch takes 1 as fixed
                _replace(made, parameter, value, function)
            shapes.setdefault(parameter, {})[int(dim)] = size
            named.append((parameter, int(dim), name))
            count += 1
        if count == 0:
            raise Refused("--dynamic %s: no input tensor has a dimension %s" % (text, dim))
    given = {name: shapes.get(name) if isinstance(value, torch.Tensor) else _nothing(value)
             for name, value in bound_names.items()}
    return given, [(bound_names[parameter], dim, name) for parameter, dim, name in named]


def _nothing(value):
    """The same structure without any dynamic size."""
    from torch.utils import _pytree as pytree
    return pytree.tree_map(lambda leaf: None, value)


def _replace(made, name, value, function):
    names = list(inspect.signature(function).parameters)
    if name in made.kwargs:
        made.kwargs[name] = value
    else:
        at = names.index(name)
        made.args = made.args[:at] + (value,) + made.args[at + 1:]


@contextlib.contextmanager
def _tensors_alone(model):
    """Lets the module return the tensors of its result in place of objects that the exporter does not know, such as a
    cache of keys and values. Yields a list that gets a note for such a result."""
    notes, own, forward = [], "forward" in vars(model), model.forward

    @functools.wraps(forward)
    def returning_tensors(*args, **kwargs):
        result = forward(*args, **kwargs)
        if is_plain(result):
            return result
        found = named_tensors(result)
        notes[:] = [_kept(type(result).__name__, [name for name, _ in found])]
        return tuple(tensor for _, tensor in found)

    model.forward = returning_tensors
    try:
        yield notes
    finally:
        del model.forward
        if own:
            model.forward = forward


def _kept(kind, names):
    if not names:
        raise Refused("the model returns an object of type %s without tensors; return the tensors to measure" % kind)
    listed = ", ".join(name or "its tensor" for name in names[:MOST_NAMED])
    more = len(names) - MOST_NAMED
    return "the model returns an object of type %s; the program returns its tensors: %s%s" % (
        kind, listed, " and %d more" % more if more > 0 else "")


def _exported(made, decompose, shapes=None, named=(), strict=False):
    model = as_module(made.model)
    with contextlib.nullcontext([]) if strict else _tensors_alone(model) as notes:
        program = torch.export.export(model, made.args, made.kwargs, dynamic_shapes=shapes, strict=strict)
    graph = _of_program(_decomposed(program, decompose), made)
    graph.note = notes[0] if notes else ""
    for tensor, dim, name in named:
        for each in graph.inputs:
            if each.tensor is tensor:
                symbol = str(each.node.meta["val"].shape[dim])
                if symbol.isdigit():
                    raise Refused("--dynamic %s: the model fixes this size to %s; leave it out" % (name, symbol))
                graph.axes[symbol] = name
    return graph


def _decomposed(program, decompose):
    if decompose == "core":
        return program.run_decompositions()
    return program.run_decompositions({}) if _writes_in_place(program.graph_module) else program


def _writes_in_place(module):
    for each in module.modules():
        for node in getattr(getattr(each, "graph", None), "nodes", ()):
            if node.op == "call_function" and isinstance(node.target, torch._ops.OpOverload) and \
                    node.target._schema.is_mutable:
                return True
    return False


def _of_program(program, made):
    from torch.export.graph_signature import InputKind, OutputKind, TensorArgument
    signature, nodes = program.graph_signature, {node.name: node for node in program.graph.nodes}
    leaves = tensor_leaves((made.args, made.kwargs))
    inputs, at = [], 0
    for spec in signature.input_specs:
        if not isinstance(spec.arg, TensorArgument):
            if spec.kind == InputKind.CUSTOM_OBJ:
                raise Refused("the model holds an object (%s) that is not a tensor; replace it with tensors" %
                              spec.target)
            continue
        node = nodes[spec.arg.name]
        if spec.kind == InputKind.USER_INPUT:
            inputs.append(Input(node, USER, None, leaves[at], at))
            at += 1
        elif spec.kind == InputKind.PARAMETER:
            inputs.append(Input(node, PARAMETER, spec.target, program.state_dict[spec.target]))
        else:
            held = program.state_dict.get(spec.target)
            held = program.constants.get(spec.target) if held is None else held
            inputs.append(Input(node, BUFFER if spec.kind == InputKind.BUFFER else CONSTANT, spec.target, held))
    by_target = {each.target: each.node for each in inputs if each.target}
    outputs, writes = [], []
    for spec in signature.output_specs:
        if not isinstance(spec.arg, TensorArgument):
            continue
        node = nodes[spec.arg.name]
        if spec.kind == OutputKind.BUFFER_MUTATION:
            writes.append((by_target[spec.target], node))
        elif spec.kind == OutputKind.USER_INPUT_MUTATION:
            writes.append((nodes[spec.target], node))
        else:
            outputs.append(node)
    graph = Graph(program.graph_module, inputs, outputs, writes)
    _update_statistics_in_place(graph)
    return graph


def _update_statistics_in_place(graph):
    """Batch norms in training as modules call them: the running statistics are written by the operation itself. The
    exporter makes them results that are copied into the buffers at the end, which costs copies and which autograd
    refuses."""
    functional = torch.ops.aten._native_batch_norm_legit_functional.default
    nodes = graph.module.graph.nodes
    order = {node: place for place, node in enumerate(nodes)}
    for node in [each for each in nodes if each.target is functional]:
        source, weight, bias, mean, variance, training, momentum, eps = node.args
        results = {user.args[1]: user for user in node.users}
        written = [value for to, value in graph.writes if to in (mean, variance)]
        if training is not True or any(results.get(at) is not None and results[at].users for at in (1, 2)):
            continue
        if not all(_follows(buffer, results.get(at), node, written, order) for at, buffer in ((3, mean), (4, variance))):
            continue
        with graph.module.graph.inserting_before(node):
            made = graph.module.graph.call_function(
                torch.ops.aten.batch_norm.default, (source, weight, bias, mean, variance, True, momentum, eps, True))
        made.meta = dict(results[0].meta if 0 in results else node.meta)
        order[made] = order[node]
        for at, buffer in ((0, made), (3, mean), (4, variance)):
            if at in results:
                results[at].replace_all_uses_with(buffer)
                graph.outputs = [buffer if each is results[at] else each for each in graph.outputs]
                graph.writes = [(to, buffer if value is results[at] else value) for to, value in graph.writes]
        for each in list(results.values()) + [node]:
            graph.module.graph.erase_node(each)
    graph.writes = [(to, value) for to, value in graph.writes if to is not value]


def _follows(buffer, updated, node, written, order):
    """Whether `updated` is what the buffer holds after the node, and nothing reads afterwards what it held before."""
    if updated is None or any(order[user] > order[node] for user in buffer.users):
        return False
    functional = node.target
    goes_on = [user for user in updated.users if user.op != "output"]
    return all(user.target is functional and updated in user.args[3:5] for user in goes_on) and \
        (updated in written or bool(goes_on))


class _Again(torch.nn.Module):
    """Runs a graph of Dynamo's so that an export of it keeps the lines of the user's source."""

    def __init__(self, module):
        super().__init__()
        self.inner = module

    def forward(self, *args):
        with torch.fx.traceback.preserve_node_meta():
            return torch.fx.Interpreter(self.inner).run(*args)


def _pieces(made, decompose):
    """The graphs that torch.compile makes of the model, in the order in which they run, and why each ended."""
    found, states = [], {}
    if made.is_module:
        states = {id(each): (PARAMETER, name) for name, each in made.model.named_parameters()}
        states.update({id(each): (BUFFER, name) for name, each in made.model.named_buffers()})

    def backend(module, _):
        seen = []

        def call(*args):
            if not seen:
                seen.append(True)
                piece = _piece(module, args, decompose, states)
                if piece:
                    found.append(piece)
            return module(*args)
        return call

    torch._dynamo.reset()
    with torch.no_grad():
        torch.compile(made.model, backend=backend, dynamic=False)(*made.args, **made.kwargs)
        torch._dynamo.reset()
        explained = torch._dynamo.explain(made.model)(*made.args, **made.kwargs)
    for graph, why in zip(found, explained.break_reasons):
        graph.reason = _reason(why)
    return found


def _piece(module, args, decompose, states):
    tensors = [each for each in args if isinstance(each, torch.Tensor)]
    program = _decomposed(torch.export.export(_Again(module), tuple(args), strict=False), decompose)
    if not any(node.op == "call_function" for node in program.graph.nodes):
        return None
    graph = _of_program(program, type("Given", (), {"args": tuple(args), "kwargs": {}}))
    for each in graph.inputs:
        if each.kind == USER:
            kind, name = states.get(id(tensors[each.leaf]), (USER, None))
            if kind != USER:
                each.kind, each.target, each.leaf = kind, name, None
    return graph


def _reason(why):
    text = str(why.reason).strip().split("\n")[0].rstrip(".")
    if text.startswith("generic_jump"):  # Dynamo's own word
        text = "it decides by the values of a tensor"
    for frame in reversed(list(getattr(why, "user_stack", None) or [])):
        return "%s (%s:%d)" % (text, os.path.basename(frame.filename), frame.lineno)
    return text


# ---- what went wrong, in one line ----

REMEDIES = (
    (("data-dependent", "DataDependent", "data dependent", "GuardOnDataDependent", "Could not guard",
      "_local_scalar_dense", "is_nonzero"),
     "the model decides by the values of a tensor: use torch.where or torch.cond, or capture it without --dynamic"),
    (("Constraints violated", "ConstraintViolation", "specialized", "marked as dynamic"),
     "that size is fixed by the model: leave it out of --dynamic"),
    (("out of memory", "can't allocate"), "use a smaller model or smaller inputs"),
    (("mat1 and mat2", "same reduction dim", "shapes cannot be multiplied", "size mismatch",
      "must match the size", "Expected", "expected"),
     "check the shapes and dtypes of the inputs"),
)


def explained(error, path):
    """The user's line first, then what PyTorch says, then what helps."""
    text = " ".join(str(error).split()) or type(error).__name__
    for cut in (" The following call raised this error", " For more information", " Set TORCH", " from user code",
                " To fix the error", " Developer debug context", " Suggested fixes"):
        text = text.split(cut)[0]
    words = "%s %s" % (type(error).__name__, error)
    remedy = next((help_ for marks, help_ in REMEDIES if any(mark in words for mark in marks)),
                  "run the file with Python to see the whole error")
    place = _place(error, path)
    return "%s: %s: %s; %s" % (place or path, type(error).__name__, _shortened(text).rstrip("."), remedy)


def _shortened(text):
    """At most MOST_SAID characters: whole sentences, or whole words of a long one."""
    if len(text) <= MOST_SAID:
        return text
    sentence, word = text.rfind(". ", 0, MOST_SAID), text.rfind(" ", 0, MOST_SAID - 4)
    return text[:sentence] if sentence > 0 else text[:max(word, 1)] + " ..."


def _place(error, path):
    """file:line: text of the user's line that the error came from: the deepest one in the user's own file."""
    own = os.path.abspath(path)
    while error is not None:
        frames = traceback.extract_tb(error.__traceback__)
        frames += list(getattr(error, "real_stack", None) or [])
        for frame in reversed(frames):
            if os.path.abspath(frame.filename) == own:
                line = (frame.line or "").strip().rstrip(":")
                return "%s:%d%s" % (path, frame.lineno, ": " + line if line else "")
        error = error.__cause__ or error.__context__
    return ""


__all__ = ["BUFFER", "CONSTANT", "Graph", "Input", "MODULE_NAME", "PARAMETER", "USER", "capture", "explained",
           "load_exported"]

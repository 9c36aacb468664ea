# SPDX-License-Identifier: GPL-3.0-or-later
"""A graph as a program's text: one node, one line; and where each line comes from."""
import keyword
import math
import operator
import os
import re

import torch

from fusebench_module import Refused

INFIX = {operator.add: "+", operator.sub: "-", operator.mul: "*", operator.floordiv: "//", operator.truediv: "/",
         operator.mod: "%", operator.pow: "**", operator.eq: "==", operator.ne: "!=", operator.lt: "<", operator.le: "<=",
         operator.gt: ">", operator.ge: ">=", operator.and_: "&", operator.or_: "|"}
DROPPED = ("device", "pin_memory", "layout")  # keywords that say nothing here: everything is a plain tensor on one device
MODULE_WRAPPERS = ("wrap_with_set_grad_enabled", "wrap_with_autocast", "invoke_subgraph")
TORCH = os.path.dirname(os.path.abspath(torch.__file__))


class Origin:
    """Where a line of the text comes from: its number, the module's path, and the user's source line."""

    def __init__(self, line, module, source):
        self.line, self.module, self.source = line, module, source


class Text:
    """The text of one graph. `names` gives each node's name."""

    def __init__(self, graph, function="forward"):
        self.graph, self.lines, self.origins, self.names, self.taken = graph, [], [], {}, {"torch", "math", "float", function}
        drop_empty_parts(graph.module, {id(node) for node in graph.outputs})
        used = {id(node) for node in graph.outputs} | {id(node) for pair in graph.writes for node in pair}
        self.inputs = [each for each in graph.inputs if each.node.users or id(each.node) in used]
        # Arguments of the call come first, then weights.
        self.inputs.sort(key=lambda each: each.kind != "user")
        self.hints = {each.node: each.kind[0] + "_" + each.target for each in self.inputs if each.target}
        self.header = "def %s(%s):" % (function, ", ".join(self.name(each.node) for each in self.inputs))
        self.lines.append(self.header)
        self.body(graph.module, {})
        for to, value in graph.writes:
            if to is not value:
                self.lines.append("    %s.copy_(%s)" % (self.names[to], self.names[value]))
        results = [self.names[node] for node in graph.outputs]
        self.lines.append("    return " + (results[0] if len(results) == 1 else "(%s,)" % ", ".join(results)))

    def __str__(self):
        return "\n".join(self.lines)

    def name(self, node):
        name = re.sub(r"\W", "_", self.hints.get(node, node.name))
        if keyword.iskeyword(name) or name[0].isdigit():
            name = "_" + name
        base, number = name, 1
        while name in self.taken:
            number += 1
            name = "%s_%d" % (base, number)
        self.taken.add(name)
        self.names[node] = name
        return name

    def body(self, module, bound):
        """The lines of a graph, whose placeholders are bound to names if it is a part of another one. Returns the names
        of what it returns."""
        placeholders = iter(bound.get("inputs", ()))
        for node in module.graph.nodes:
            if node.op == "placeholder":
                if "inputs" in bound:
                    self.names[node] = next(placeholders)
                elif node not in self.names and node.users:
                    value = node.meta.get("val")
                    if isinstance(value, (int, float, bool)):
                        self.names[node] = repr(value)
            elif node.op == "get_attr":
                self.names[node] = node  # a part of the graph, written where it is called
            elif node.op == "call_function":
                self.call(node, module)
            elif node.op == "output":
                return [self.value(each) for each in _flat(node.args[0])]
            else:
                raise Refused("the graph calls %s, which is not an operation" % node.target)
        return []

    def call(self, node, module):
        target = node.target
        if isinstance(target, torch._ops.HigherOrderOperator):
            return self.part(node, module)
        if target is operator.getitem and isinstance(self.names.get(node.args[0]), list):
            self.names[node] = self.names[node.args[0]][node.args[1]]  # a part that was written in place
            return None
        if self.is_nothing(node):
            return None
        text = self.expression(node)
        if isinstance(node.meta.get("val"), (type(None),)) and not node.users:
            return self.emit(node, text)  # an assertion
        return self.emit(node, "%s = %s" % (self.name(node), text))

    def is_nothing(self, node):
        """Whether a node changes nothing: a check of dtypes, or .to() with the dtype that the tensor has."""
        name = getattr(node.target, "_schema", None) and node.target._schema.name
        if name == "aten::_assert_tensor_metadata":
            return True
        if name != "aten::to" or not isinstance(node.args[0], torch.fx.Node):
            return False
        before, after = node.args[0].meta.get("val"), node.meta.get("val")
        if before is None or after is None or before.dtype != after.dtype or before.stride() != after.stride():
            return False
        self.names[node] = self.names[node.args[0]]
        return True

    def emit(self, node, text):
        self.lines.append("    " + text)
        self.origins.append(Origin(len(self.lines), module_of(node), source_of(node)))

    def part(self, node, module):
        """Regions that only switch something are written in place; choices cannot be."""
        kind = node.target.__name__ if hasattr(node.target, "__name__") else str(node.target)
        if kind not in MODULE_WRAPPERS:
            raise Refused("%s: the graph contains %s, which a program cannot express; capture the parts around it" %
                          (source_of(node) or "the model", kind))
        parts = [each for each in node.args if isinstance(each, torch.fx.Node) and each.op == "get_attr"
                 and isinstance(getattr(module, each.target, None), torch.fx.GraphModule)]
        at = node.args.index(parts[0])
        given = [self.value(each) for each in node.args[at + 1:] if not isinstance(each, str)]
        results = self.body(getattr(module, parts[0].target), {"inputs": given})
        self.names[node] = results  # its users are getitem, which take their names from here

    def expression(self, node):
        target, args = node.target, node.args
        if target is operator.getitem:
            return "%s[%s]" % (self.value(args[0]), self.value(args[1]))
        if target in INFIX and len(args) == 2:
            return "%s %s %s" % (self.operand(args[0]), INFIX[target], self.operand(args[1]))
        if target is operator.neg:
            return "-%s" % self.operand(args[0])
        if getattr(target, "_schema", None) is not None and target._schema.name == "aten::to" and \
                node.meta["val"].stride() == args[0].meta["val"].stride():
            # Whatever form it has, only the dtype changes: everything is on one device.
            return "torch.ops.aten.to.dtype(%s, %s)" % (self.value(args[0]), node.meta["val"].dtype)
        if getattr(target, "_schema", None) is not None and target._schema.name == "aten::zero":
            return "torch.ops.aten.zeros_like.default(%s)" % self.value(args[0])  # zero_ that writes nothing
        if getattr(target, "_schema", None) is not None and target._schema.name == "transformers::grouped_mm_fallback":
            # It computes the same; only its offsets may be integers of another type.
            return "torch.ops.aten._grouped_mm.default(%s, %s, torch.ops.aten.to.dtype(%s, torch.int32))" % tuple(
                self.value(each) for each in args)
        if isinstance(target, torch._ops.OpOverload):
            name = "torch.ops.%s.%s.%s" % (target.namespace, target._schema.name.split("::")[1], target._overloadname)
            kwargs = {key: value for key, value in node.kwargs.items() if key not in DROPPED}
        else:
            module = getattr(target, "__module__", "") or ""
            name = getattr(target, "__name__", str(target))
            if module == "math" or module.startswith("torch"):
                name = ("math." if module == "math" else "torch.") + name
            kwargs = node.kwargs
        parts = [self.value(each) for each in args] + ["%s=%s" % (key, self.value(each)) for key, each in kwargs.items()]
        return "%s(%s)" % (name, ", ".join(parts))

    def operand(self, value):
        text = self.value(value)
        return text if re.fullmatch(r"[\w.]+", text) else "(%s)" % text

    def value(self, value):
        if isinstance(value, torch.fx.Node):
            name = self.names[value]
            if isinstance(name, list):
                return "(%s,)" % ", ".join(name)
            if not isinstance(name, str):
                raise Refused("the graph uses %s as a value" % value.name)
            return name
        if isinstance(value, (list, tuple)):
            items = ", ".join(self.value(each) for each in value)
            return "[%s]" % items if isinstance(value, list) else "(%s%s)" % (items, "," if len(value) == 1 else "")
        if isinstance(value, float) and not math.isfinite(value):
            return "float('%s')" % value
        if isinstance(value, (torch.dtype, torch.memory_format, torch.layout)):
            return str(value)
        if isinstance(value, torch.device):
            return repr(value.type)
        if isinstance(value, slice):
            return "slice(%s, %s, %s)" % (self.value(value.start), self.value(value.stop), self.value(value.step))
        if value is None or isinstance(value, (bool, int, float, str)):
            return repr(value)
        if isinstance(value, (torch.SymInt, torch.SymFloat, torch.SymBool)):
            raise Refused("a size of the model depends on another in a way that a program cannot express (%s)" % value)
        raise Refused("the graph holds a %s, which a program cannot express" % type(value).__name__)


def drop_empty_parts(module, returned):
    """Drops the parts of a concatenation that are empty: an empty cache is a tensor of shape (0,) in front of tensors of
    four dimensions, which PyTorch passes over whatever its dimensions are."""
    def is_empty(node):
        value = node.meta.get("val") if isinstance(node, torch.fx.Node) else None
        return isinstance(value, torch.Tensor) and tuple(value.shape) == (0,)

    for node in module.graph.nodes:
        if not (isinstance(node.target, torch._ops.OpOverload) and node.target._schema.name == "aten::cat"):
            continue
        parts = list(node.args[0])
        kept = [each for each in parts if not is_empty(each)]
        if not kept or len(kept) == len(parts):
            continue
        node.args = (kept,) + tuple(node.args[1:])
        for part in parts:  # what only made the empty part goes, too
            while is_empty(part) and part.op == "call_function" and not part.users and id(part) not in returned:
                before = part.all_input_nodes
                module.graph.erase_node(part)
                if not before:
                    break
                part = before[0]


def _flat(value):
    return list(value) if isinstance(value, (list, tuple)) else [value]


def module_of(node):
    """Path of the module that made the node, as in layers.0.attn; empty: the model itself."""
    stack = node.meta.get("nn_module_stack")
    if not stack:
        return ""
    path = list(stack.values())[-1][0]
    path = re.sub(r"\[(?:'([^']*)'|(\d+))\]", lambda m: "." + (m.group(1) or m.group(2)), str(path))
    for prefix in ("L.self.", "L__self__.", "self.", "inner."):
        if path.startswith(prefix):
            path = path[len(prefix):]
    return "" if path in ("L.self", "L__self__", "self", "inner") else path.replace("_modules.", "").strip(".")


STACK = re.compile(r'File "([^"]+)", line (\d+), in [^\n]*(?:\n\s+(?!File ")([^\n]*))?')


def source_of(node):
    """file:line: text, of the deepest line outside of PyTorch."""
    best = ""
    for file, line, text in STACK.findall(node.meta.get("stack_trace") or ""):
        if not os.path.abspath(file).startswith(TORCH + os.sep):
            best = "%s:%s: %s" % (short(file), line, text.strip())
    return best


def short(file):
    """A file's name; inside a package, its path that begins with the package."""
    mark = os.sep + "site-packages" + os.sep
    return file.split(mark, 1)[1] if mark in file else os.path.basename(file)

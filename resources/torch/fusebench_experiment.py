# SPDX-License-Identifier: GPL-3.0-or-later
"""A captured model as an experiment: the JSON that Fusebench reads, and the weights' values in a .safetensors file."""
import json
import math
import os
import struct

import torch

import fusebench_module
from fusebench_graphs import CONSTANT, PARAMETER, USER
from fusebench_text import Text

MOST_LISTED = 4096  # elements of a tensor that the experiment lists one by one
MOST_CONSTANTS = 65536  # of a constant, which nothing else knows
DTYPES = ("float32", "float64", "float16", "bfloat16", "int64", "int32", "int8", "uint8", "bool")
SAFE = {"float32": "F32", "float64": "F64", "float16": "F16", "bfloat16": "BF16", "int64": "I64", "int32": "I32",
        "int8": "I8", "uint8": "U8", "bool": "BOOL"}
PASSED_ON = ("view", "reshape", "_to_copy", "to", "clone", "contiguous", "alias", "detach", "unsqueeze", "squeeze",
             "lift_fresh_copy", "slice", "select", "_unsafe_view", "flatten", "expand")
SWEPT = [1, 2, 4, 8, 16]


def dtype_name(tensor):
    return str(tensor.dtype).replace("torch.", "")


def layout_of(tensor):
    """Fusebench's name of a tensor's strides; None: they have gaps or share memory, and none fits."""
    if tensor.is_contiguous() or tensor.numel() < 2:
        return "contiguous"
    sizes, strides = list(tensor.shape), list(tensor.stride())
    order = sorted(range(len(sizes)), key=lambda d: (-strides[d], d))
    step = 1
    for d in reversed(order):
        if sizes[d] != 1 and strides[d] != step:
            return None
        step *= sizes[d]
    if order == [0, 2, 3, 1]:
        return "channels_last"
    if order == list(range(len(sizes)))[::-1]:
        return "column_major" if len(sizes) > 2 else "transposed"
    if order[-2:] == [len(sizes) - 1, len(sizes) - 2] and order[:-2] == list(range(len(sizes) - 2)):
        return "transposed"
    return "order " + ",".join(str(d) for d in order)


def six(value):
    """Six digits: more than a sample of weights determines."""
    return float("%.6g" % value)


def plain(value):
    """A number that JSON can hold."""
    if isinstance(value, float) and not math.isfinite(value):
        return "nan" if math.isnan(value) else "inf" if value > 0 else "-inf"
    return value


def indexes(node, seen=None):
    """How many rows the tables have that this input looks something up in, the fewest; None: it is not an index."""
    found, seen = [], seen or set()
    for user in node.users:
        if user in seen or not isinstance(user.target, torch._ops.OpOverload):
            continue
        seen.add(user)
        name = user.target._schema.name.split("::")[1]
        if name == "embedding" and user.args[1] is node:
            found.append(int(user.args[0].meta["val"].shape[0]))
        elif name == "_embedding_bag" or name == "embedding_bag":
            if user.args[1] is node:
                found.append(int(user.args[0].meta["val"].shape[0]))
        elif name in PASSED_ON and user.args[0] is node:
            deeper = indexes(user, seen)
            if deeper is not None:
                found.append(deeper)
    return min(found) if found else None


class Tensors:
    """The tensors of one graph as the experiment states them."""

    def __init__(self, text, made, with_weights, notes):
        self.text, self.made, self.with_weights, self.notes = text, made, with_weights, notes
        self.values = {}  # name in the file of weights: tensor

    def all(self):
        return [self.one(each) for each in self.text.inputs]

    def one(self, each):
        tensor, name = each.tensor.detach(), self.text.names[each.node]
        if dtype_name(tensor) not in DTYPES:
            raise fusebench_module.Refused("%s is %s, which Fusebench does not have; use %s" %
                                           (each.target or name, dtype_name(tensor), ", ".join(DTYPES)))
        made = {"name": name, "extents": self.extents(each), "fill": "normal"}
        layout = layout_of(tensor)
        if layout is None:
            self.notes.append("%s has gaps between its elements or shares them; here it is contiguous" % name)
        elif layout != "contiguous":
            made["layout"] = layout
        if dtype_name(tensor) != "float32":
            made["dtype"] = dtype_name(tensor)
        if each.kind != USER:
            made["held"] = True
        if each.kind == PARAMETER and self.trained(each):
            made["parameter"] = True
        fixed = all(isinstance(extent, int) for extent in made["extents"])
        if each.kind != USER and self.with_weights and fixed:
            made["values"] = each.target
            self.values[each.target] = tensor
        self.fill(made, each, tensor, fixed)
        return made

    def trained(self, each):
        return bool(getattr(each.tensor, "requires_grad", False)) or isinstance(each.tensor, torch.nn.Parameter)

    def extents(self, each):
        value, axes = each.node.meta.get("val"), self.text.graph.axes
        sizes = value.shape if value is not None else each.tensor.shape
        made = []
        for size, number in zip(sizes, each.tensor.shape):
            expression = str(size)
            named = not expression.isdigit() and axes and all(
                str(symbol) in axes for symbol in size.node.expr.free_symbols)
            if named:
                for symbol, axis in axes.items():
                    expression = expression.replace(symbol, axis)
            made.append(expression if named else int(number))
        return made

    def fill(self, made, each, tensor, fixed):
        count = tensor.numel()
        if count == 0:
            return
        whole = not tensor.dtype.is_floating_point
        rows = indexes(each.node) if whole else None
        given = self.made.ranges.get(made["name"])
        most = MOST_CONSTANTS if each.kind == CONSTANT else MOST_LISTED if each.kind != PARAMETER and whole else 1 if \
            each.kind == PARAMETER else 16 if each.kind == USER else MOST_LISTED
        first = tensor.reshape(-1)[0]
        if tensor.dtype != torch.bool and count > 1 and bool((tensor == first).all()) and math.isfinite(float(first)):
            return self.constant(made, first.item(), rows if each.kind == USER else None, whole)
        if whole and given:
            made["range"] = [int(given[0]), int(given[1])]
        elif whole and each.kind == USER and rows is not None:
            made["range"] = [0, rows - 1]
        elif fixed and count <= most:
            made["data"] = [plain(value) for value in tensor.reshape(-1).tolist()]
        elif whole and tensor.dtype != torch.bool:
            made["range"] = [int(tensor.min()), int(tensor.max())]
            if each.kind == USER:
                return
            self.notes.append("%s has %d elements; they are drawn from its range" % (each.target, count))
        elif whole:
            made["fill"] = "uniform"
        elif each.kind != USER or not self.is_standard(tensor):
            self.distribution(made, tensor)

    def constant(self, made, value, rows, whole):
        if rows is not None:
            made["range"] = [0, rows - 1]
        elif value in (0, 1):
            made["fill"] = "ones" if value else "zeros"
        elif whole:
            made["range"] = [int(value), int(value)]
        else:
            made.update(mean=value, deviation=0.0)

    @staticmethod
    def is_standard(tensor):
        """Whether its mean and deviation are within noise of 0 and 1, as torch.randn gives."""
        mean, deviation = tensor.double().mean().item(), tensor.double().std(unbiased=False).item()
        near = 4 / math.sqrt(tensor.numel())
        return abs(mean) < near and abs(deviation - 1) < near

    @staticmethod
    def distribution(made, tensor):
        numbers = tensor.double()
        numbers = numbers[numbers.isfinite()]
        if numbers.numel() == 0:
            return
        made["mean"], made["deviation"] = six(numbers.mean().item()), six(numbers.std(unbiased=False).item())
        # A variance or a probability must stay one.
        if numbers.min().item() >= 0:
            made["range"] = [six(numbers.min().item()), six(numbers.max().item())]


def modules_of(texts):
    """(paths, lines, nodes): the table of modules, that of source lines, and [program, line, module, source] of each
    node."""
    modules, sources, nodes = [""], [""], []
    at = {"": 0}, {"": 0}

    def index(table, where, value):
        if value not in where:
            where[value] = len(table)
            table.append(value)
        return where[value]

    for program, text in enumerate(texts):
        for origin in text.origins:
            nodes.append([program, origin.line, index(modules, at[0], origin.module),
                          index(sources, at[1], origin.source)])
    return modules, sources, nodes


def written_path(file, out):
    """Relative to the experiment where it is near; else absolute."""
    file, folder = os.path.abspath(file), os.path.dirname(os.path.abspath(out))
    near = os.path.relpath(file, folder)
    return file if near.startswith(os.path.join("..", "..", "..")) else near


def variants_of(names, axes, train):
    """Ours and PyTorch's, of each program."""
    executors = ["eager", "instant", "static"] + (["dynamic"] if axes else []) + ["torch", "torch-static"]
    made = []
    for program in names:
        for executor in executors:
            variant = {"name": "%s, %s" % (program, executor) if program else executor, "executor": executor}
            if program:
                # Also of eager itself: another part does other work.
                variant.update(program=program, inputs=program, against="%s, eager" % program)
            else:
                variant["inputs"] = "captured"
            if train:
                variant["gradients"] = True
            made.append(variant)
    return made


def build(made, graphs, options, how):
    """(the experiment, values for the file of weights, the texts)."""
    texts, notes = [Text(graph) for graph in graphs], []
    tensors = [Tensors(text, made, options.weights, notes) for text in texts]
    several = len(texts) > 1
    names = ["part %d" % (i + 1) for i in range(len(texts))] if several else [""]
    title = made.name or os.path.splitext(os.path.basename(options.file))[0]
    experiment = {"fusebench": "experiment", "version": 2, "title": "%s, captured" % title, "lesson": "capture"}
    breaks = ["after %s: %s" % (name, text.graph.reason) for name, text in zip(names, texts) if text.graph.reason]
    notes += [graph.note for graph in graphs if graph.note]
    if several:
        notes.insert(0, "the model has graph breaks, so that each part is a program of its own; " + "; ".join(breaks))
    # The order of keys is that of Fusebench's own writer.
    if several:
        experiment["programs"] = {name: str(text).split("\n") for name, text in zip(names, texts)}
    else:
        experiment["program"] = str(texts[0]).split("\n")
    experiment["inputs"] = [{"name": name or "captured", "count": 1, "tensors": each.all()}
                            for name, each in zip(names, tensors)]
    axes = sorted({axis for text in texts for axis in text.graph.axes.values()})
    experiment["variants"] = variants_of(names, axes, options.train)
    experiment["baseline"] = experiment["variants"][0]["name"]
    if axes:
        experiment["axes"] = [{"name": axis, "unit": axis, "values": SWEPT} for axis in axes[:2]]
    values = {}
    for each in tensors:
        values.update(each.values)
    modules, sources, nodes = modules_of(texts)
    captured = {"name": options.name or made.name, "how": how, "torch": torch.__version__,
                "inputs": list(options.input or ()), "train": bool(options.train), "modules": modules,
                "sources": sources, "nodes": nodes,
                "arguments": [[text.names[each.node], each.leaf if each.kind == USER else each.target]
                              for text in texts for each in text.inputs] if not several else []}
    if options.file:  # else the model was there already
        captured.update(file=written_path(options.file, options.out), sha256=fusebench_module.digest(options.file))
    if breaks:
        captured["breaks"] = breaks
    experiment["measure"] = {"budgetSeconds": 60, "compileRepeats": 1}
    experiment["capture"] = captured
    if values:
        experiment["weights"] = os.path.splitext(os.path.basename(options.out))[0] + ".safetensors"
    if notes:
        experiment["note"] = ". ".join(note[0].upper() + note[1:] for note in notes) + "."
    return experiment, values, texts


def save_weights(values, path):
    """As the safetensors format has it: eight bytes of length, a JSON header, then all elements."""
    header, offset = {}, 0
    for name, tensor in values.items():
        size = tensor.numel() * tensor.element_size()
        header[name] = {"dtype": SAFE[dtype_name(tensor)], "shape": list(tensor.shape),
                        "data_offsets": [offset, offset + size]}
        offset += size
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text)
        for tensor in values.values():
            file.write(bytes(tensor.detach().cpu().contiguous().reshape(-1).view(torch.uint8).numpy())
                       if tensor.numel() else b"")


def save(experiment, values, out):
    """Both files appear whole or not at all."""
    if values:
        weights = os.path.join(os.path.dirname(os.path.abspath(out)), experiment["weights"])
        save_weights(values, weights + ".part")
        os.replace(weights + ".part", weights)
    with open(out + ".part", "w", encoding="utf-8") as file:
        json.dump(experiment, file, indent=1, ensure_ascii=False)
        file.write("\n")
    os.replace(out + ".part", out)

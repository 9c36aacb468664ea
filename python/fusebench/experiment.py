# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes experiments, the JSON that fusebench-cli measures, from Python values."""
from __future__ import annotations

import ast
import inspect
import operator
import re
import textwrap
from dataclasses import dataclass
from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence, Tuple, Union

from .errors import InputError

Extent = Union[int, str]
Program = Union[str, Callable[..., Any]]

EXECUTORS = {"torch.compile": "torch-static", "torch.compile(dynamic)": "torch-dynamic",
             "torch.compile(reduce-overhead)": "torch-replay", "compiled": "static",
             "compiled(dynamic)": "dynamic", "prebuilt": "instant", "graph": "replay"}
"""Other names of executors; `fusebench.compare` takes these and fusebench-cli's own."""

BUILT_IN_AXES = ("statements", "threads", "ranks")
"""Axes that are not the size of an input."""


@dataclass(frozen=True)
class Tensor:
    """How an input is made: its values are drawn, they are not passed.

    extents: sizes, outermost first: integers, or expressions over the names of axes ("batch", "2 * width").
    dtype: "float32", "float16", "bfloat16", "float64", "int64", "int32", "int8", "uint8" or "bool".
    fill: "normal", "uniform", "zeros", "ones"; {"integers": [low, high]}: from low up to, but not, high; or
        {"code": "torch.rand(4, 8) * 2"}: what lines of Python compute with torch, F and math.
    layout: "contiguous", "transposed", "strided", "channels_last" or "column_major".
    """

    extents: Tuple[Extent, ...]
    dtype: str = "float32"
    fill: Union[str, Mapping[str, Union[str, Sequence[int]]]] = "normal"
    layout: str = "contiguous"


Input = Union[Tensor, Sequence[Extent], Any]


def source_of(program: Program) -> str:
    """The text of a function as it is written, without decorators; text as it is. Raises InputError."""
    if isinstance(program, str):
        return textwrap.dedent(program).strip("\n") + "\n"
    try:
        text = textwrap.dedent(inspect.getsource(program))
    except (OSError, TypeError):
        name = getattr(program, "__name__", repr(program))
        raise InputError(f"{name}: its source is not known; pass the text, or write the function to a file") from None
    try:
        function: Optional[ast.AST] = ast.parse(text).body[0]
    except SyntaxError:  # a part of a longer statement, such as a lambda inside a call
        function = None
    if not isinstance(function, ast.FunctionDef):
        raise InputError("the program must be a function that is written with def, or source text")
    return "".join(line + "\n" for line in text.splitlines()[function.lineno - 1:])


def _only_function(text: str) -> Optional[ast.FunctionDef]:
    try:
        functions = [node for node in ast.parse(text).body if isinstance(node, ast.FunctionDef)]
    except SyntaxError:
        return None  # fusebench-cli says what is wrong with it
    return functions[0] if len(functions) == 1 else None


def parameters_of(text: str) -> List[str]:
    """The parameters of the only function in a program's text; none if it has no function or several."""
    function = _only_function(text)
    return [argument.arg for argument in function.args.args] if function else []


def title_of(text: str) -> str:
    """What an experiment is called if nobody says so: after its only function.

    >>> title_of("def mlp(x): return x + 1"), title_of("return x + 1")
    ('mlp', 'Comparison')
    """
    function = _only_function(text)
    return function.name if function else "Comparison"


def _is_array(value: Any) -> bool:
    return hasattr(value, "shape") and hasattr(value, "dtype")


def tensor_of(name: str, value: Input) -> Tensor:
    """What describes an input: a Tensor as it is, extents, or the shape and dtype of an array or torch tensor."""
    if isinstance(value, Tensor):
        return value
    if _is_array(value):
        array: Any = value
        return Tensor(tuple(int(extent) for extent in array.shape), str(array.dtype).replace("torch.", ""))
    if isinstance(value, (tuple, list)) and all(isinstance(extent, (int, str)) for extent in value):
        return Tensor(tuple(value))
    raise InputError(f"input {name}: must be extents such as (\"batch\", 64), an array or a fusebench.Tensor, "
                     f"not {type(value).__name__}")


def inputs_of(text: str, given: Union[None, Mapping[str, Input], Sequence[Input]]) -> Dict[str, Input]:
    """The inputs by name. Raises InputError where the names are not known."""
    if given is None:
        given = {}
    if isinstance(given, Mapping):
        return dict(given)
    values: List[Any] = [given] if _is_array(given) or isinstance(given, Tensor) else [*given]
    names = parameters_of(text)
    if len(names) != len(values):
        raise InputError(f"the program has {len(names)} parameters and {len(values)} inputs are given; give one per "
                         "parameter of its only function, or a dictionary by name")
    return dict(zip(names, values))


def _uses(tensor: Tensor, axis: str) -> bool:
    return any(axis in re.findall(r"[A-Za-z_]\w*", extent) for extent in tensor.extents if isinstance(extent, str))


def _swept(tensors: Dict[str, Tensor], inputs: Mapping[str, Input], axes: Sequence[str]) -> Dict[str, Tensor]:
    """An axis that no extent names is dimension 0 of the first array, and of arrays that are as long there."""
    for axis in axes:
        if axis in BUILT_IN_AXES or any(_uses(tensor, axis) for tensor in tensors.values()):
            continue
        arrays = [name for name in tensors if _is_array(inputs[name]) and tensors[name].extents]
        if not arrays:
            raise InputError(f"sweep: no extent uses {axis}; name it in the inputs, for example (\"{axis}\", 64)")
        length = tensors[arrays[0]].extents[0]
        for name in arrays:
            old = tensors[name]
            if old.extents[0] != length:
                continue
            tensors[name] = Tensor((axis, *old.extents[1:]), old.dtype, old.fill, old.layout)
    return tensors


def variants_of(executors: Sequence[Union[str, Mapping[str, Any]]]) -> List[Dict[str, Any]]:
    """One variant per executor: a name, or an object as in an experiment file ({"name": ..., "executor": ...})."""
    variants: List[Dict[str, Any]] = []
    if isinstance(executors, (str, Mapping)):
        raise InputError(f"executors: must be a list such as [\"eager\", \"static\"], not {executors!r}")
    for executor in executors:
        if isinstance(executor, str):
            variants.append({"name": executor, "executor": EXECUTORS.get(executor, executor)})
        else:
            variant = dict(executor)
            variant["executor"] = EXECUTORS.get(str(variant.get("executor")), variant.get("executor"))
            variants.append(variant)
    if not variants:
        raise InputError("executors: name at least one, for example [\"eager\", \"static\"]")
    return variants


def variants_of_programs(programs: Sequence[str], executors: Sequence[Union[str, Mapping[str, Any]]],
                         baseline: Optional[str] = None) -> List[Dict[str, Any]]:
    """The variants of each of several programs, such as the parts of a model with graph breaks. Each is compared with
    the baseline of its own program, which comes first. Without programs: variants_of(executors).

    >>> [(v["name"], v["program"], v["against"]) for v in variants_of_programs(["part 1"], ["eager", "static"])]
    [('part 1, eager', 'part 1', 'part 1, eager'), ('part 1, static', 'part 1', 'part 1, eager')]
    """
    plain = variants_of(executors)
    if not programs:
        return plain
    base = baseline_of(plain, baseline)
    plain.sort(key=lambda variant: bool(variant["name"] != base))
    made = []
    for program in programs:
        for variant in plain:
            # Also of the baseline itself: another part does other work.
            made.append({**variant, "name": f"{program}, {variant['name']}", "program": program, "inputs": program,
                         "against": f"{program}, {base}"})
    return made


def baseline_of(variants: Sequence[Mapping[str, Any]], named: Optional[str]) -> str:
    """The baseline's name: the one that is given, else PyTorch's eager, else ours, else the first."""
    if named is not None:
        return named
    for executor in ("torch", "eager"):
        for variant in variants:
            if variant["executor"] == executor:
                return str(variant["name"])
    return str(variants[0]["name"])


def whole_number(value: Any) -> Optional[int]:
    """The value as an int if it is a whole number, also one of numpy; None otherwise.

    >>> whole_number(4), whole_number(1.5), whole_number("4"), whole_number(True)
    (4, None, None, None)
    """
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        return None
    return operator.index(value)


def axes_of(sweep: Optional[Mapping[str, Sequence[int]]]) -> List[Dict[str, Any]]:
    """The axes of an experiment, each with its values in order. Raises InputError."""
    axes = []
    if sweep is not None and not isinstance(sweep, Mapping):
        raise InputError(f"sweep: must be a dictionary such as {{\"batch\": [1, 4, 16]}}, not {type(sweep).__name__}")
    for name, values in (sweep or {}).items():
        if isinstance(values, str) or not hasattr(values, "__iter__"):
            raise InputError(f"sweep: the values of {name} must be a list such as [1, 4, 16], not {values!r}")
        for value in values:
            if whole_number(value) is None:
                raise InputError(f"sweep: the values of {name} must be whole numbers, not {value!r}")
        numbers = sorted({operator.index(value) for value in values})
        if not numbers:
            raise InputError(f"sweep: {name} has no values; give at least one")
        axes.append({"name": name, "unit": name, "values": numbers})
    return axes


def build(program: Program, inputs: Union[None, Mapping[str, Input], Sequence[Input]], *,
          executors: Sequence[Union[str, Mapping[str, Any]]], sweep: Optional[Mapping[str, Sequence[int]]],
          baseline: Optional[str] = None, title: Optional[str] = None,
          measure: Optional[Mapping[str, Any]] = None) -> Dict[str, Any]:
    """An experiment of a program's text. Raises InputError.

    >>> e = build("def f(x): return torch.sin(x).sum()", {"x": ("n", 8)}, executors=["eager", "static"],
    ...           sweep={"n": [1, 4]})
    >>> e["variants"][1], e["baseline"]
    ({'name': 'static', 'executor': 'static'}, 'eager')
    >>> e["inputs"][0]["tensors"]
    [{'name': 'x', 'extents': ['n', 8], 'dtype': 'float32', 'fill': 'normal', 'layout': 'contiguous'}]
    """
    text = source_of(program)
    named = inputs_of(text, inputs)
    axes = axes_of(sweep)
    tensors = _swept({name: tensor_of(name, value) for name, value in named.items()}, named,
                     [axis["name"] for axis in axes])
    variants = variants_of(executors)
    described = [{"name": name, "extents": list(tensor.extents), "dtype": tensor.dtype, "fill": tensor.fill,
                  "layout": tensor.layout} for name, tensor in tensors.items()]
    experiment: Dict[str, Any] = {
        "fusebench": "experiment", "version": 1, "title": title or title_of(text),
        "program": text.splitlines(), "inputs": [{"name": "inputs", "tensors": described}], "variants": variants,
        "baseline": baseline_of(variants, baseline)}
    if axes:
        experiment["axes"] = axes
    if measure:
        experiment["measure"] = dict(measure)
    return experiment

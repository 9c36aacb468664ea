# SPDX-License-Identifier: GPL-3.0-or-later
"""Benchmarks that a file collects with a decorator, and the command that runs them."""
from __future__ import annotations

import argparse
import json
import re
import runpy
import sys
from pathlib import Path
from typing import Any, Callable, Dict, List, Mapping, NamedTuple, Optional, Sequence, TypeVar

from .comparing import compare
from .errors import FusebenchError, InputError, Interrupted
from .result import PathLike, Result

Function = TypeVar("Function", bound=Callable[..., Any])


class Benchmark(NamedTuple):
    """A function that `benchmark` collected, and what `compare` is given for it."""

    name: str
    program: Any
    args: Any
    options: Dict[str, Any]

    def run(self, **more: Any) -> Result:
        """Measures it. more: arguments of `compare` that replace the decorator's."""
        options: Dict[str, Any] = {"title": self.name, **self.options, **more}
        result = compare(self.program, self.args, **options)
        assert isinstance(result, Result)
        return result


_collected: List[Benchmark] = []


def benchmark(args: Any = None, *, name: Optional[str] = None, sweep: Optional[Mapping[str, Sequence[int]]] = None,
              **options: Any) -> Callable[[Function], Function]:
    """Collects a function as a benchmark, which `fusebench-cli run FILE.py` measures. The function itself is unchanged.

    args, sweep and options: as for `compare`. A function without `args` whose parameters have no use for them is called
    once when it is measured, and must return what `compare` takes: a module, text, or (module, arguments).

    >>> @benchmark({"x": ("n", 8)}, sweep={"n": [1, 4]})
    ... def scaled(x):
    ...     return (x * 2).sum()
    >>> [one.name for one in benchmarks()]
    ['scaled']
    >>> clear_benchmarks()
    """
    def collect(function: Function) -> Function:
        given = dict(options)
        if sweep is not None:
            given["sweep"] = sweep
        _collected.append(Benchmark(name or function.__name__, function, args, given))
        return function

    return collect


def benchmarks() -> List[Benchmark]:
    """The benchmarks that were collected so far, in order."""
    return list(_collected)


def clear_benchmarks() -> None:
    """Forgets all collected benchmarks."""
    _collected.clear()


def benchmarks_in(path: PathLike) -> List[Benchmark]:
    """Executes a Python file and returns the benchmarks that it collects. Raises InputError if there are none."""
    before = list(_collected)
    _collected.clear()
    try:
        sys.path.insert(0, str(Path(path).resolve().parent))
        try:
            runpy.run_path(str(path))
        except FusebenchError:
            raise
        except Exception as error:
            raise InputError(f"{path}: {type(error).__name__}: {error}") from error
        finally:
            sys.path.pop(0)
        found = list(_collected)
    finally:
        _collected[:] = before
    if not found:
        raise InputError(f"{path}: it collects no benchmarks; decorate functions with @fusebench.benchmark(...)")
    return found


def names_benchmarks(path: str) -> bool:
    """Whether a Python file imports this package, as fusebench-cli decides it. The file is not executed.

    >>> names_benchmarks("absent.json"), names_benchmarks(__file__)
    (False, False)
    """
    if not path.endswith(".py"):
        return False
    try:
        lines = Path(path).read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return False
    return any(line.lstrip(" ").startswith(("import fusebench", "from fusebench")) for line in lines)


def _resolved(one: Benchmark) -> Benchmark:
    """A benchmark whose function makes what is measured: the function is called."""
    code = getattr(one.program, "__code__", None)
    if one.args is not None or code is None or code.co_argcount > 0:
        return one
    try:
        made = one.program()
    except Exception as error:
        first = (str(error).strip().splitlines() or [""])[0]
        raise InputError(f"{one.name}: {type(error).__name__}: {first}") from error
    if isinstance(made, tuple) and len(made) == 2:
        return one._replace(program=made[0], args=made[1])
    return one._replace(program=made)


def _arguments(given: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="fusebench-cli run", description="Measure the benchmarks of a Python file")
    parser.add_argument("file", help="a Python file with @fusebench.benchmark; it is executed")
    parser.add_argument("--filter", default="", metavar="REGEX", help="only benchmarks whose name contains this")
    parser.add_argument("--out", metavar="DIR", help="keep the runs in this directory, as NAME.jsonl")
    parser.add_argument("--device", help="where to run (default: cpu)")
    parser.add_argument("--python", help="the Python that runs PyTorch's variants (default: this one)")
    parser.add_argument("--quick", action="store_true", help="a tenth of the time budget")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--list", action="store_true", help="print the names and measure nothing")
    return parser.parse_args(given)


def _print(one: Benchmark, result: Result) -> None:
    print(result)
    for point in result.break_evens():
        print(f"  break-even of {point.variant} over {point.baseline}: {point.along} = {point.at:.3g} "
              f"[{point.low:.3g}, {point.high:.3g}]")
    for pay in result.paybacks():
        place = ", ".join(f"{axis} = {value}" for axis, value in pay.point.items())
        print(f"  payback of {pay.variant} over {pay.baseline}{' at ' if place else ''}{place}: {pay.at:.0f} calls")


def run_file(given: Sequence[str]) -> int:
    """Does the work of `fusebench-cli run FILE.py ...`. Returns its exit code: 0, 1 (failed or interrupted) or 2."""
    options = _arguments(given)
    results: List[Dict[str, Any]] = []
    try:
        found = [one for one in benchmarks_in(options.file) if re.search(options.filter, one.name)]
        if not found:
            raise InputError(f"--filter {options.filter}: no benchmark's name contains it")
        if options.list:
            print("\n".join(one.name for one in found))
            return 0
        if options.out:
            Path(options.out).mkdir(parents=True, exist_ok=True)
        for one in found:
            more = {key: value for key, value in (("device", options.device), ("python", options.python)) if value}
            if options.quick:
                more["quick"] = True
            if options.out:
                more["out"] = Path(options.out) / (re.sub(r"[^\w.-]+", "-", one.name) + ".jsonl")
            result = _resolved(one).run(**more)
            if options.json:
                results.append({"name": one.name, "result": result.data})
            else:
                _print(one, result)
    except Interrupted as stop:
        if stop.result is not None and not options.json:
            print(stop.result)
        print("fusebench: interrupted; what was measured is printed", file=sys.stderr)
        return 1
    except InputError as error:
        print(f"fusebench: {error}", file=sys.stderr)
        return 2
    except FusebenchError as error:
        print(f"fusebench: {error}", file=sys.stderr)
        return 1
    except re.error as error:
        print(f"fusebench: --filter {options.filter}: {error}; give a regular expression", file=sys.stderr)
        return 2
    if options.json:
        print(json.dumps({"fusebench": "benchmarks", "version": 1, "benchmarks": results}))
    return 0



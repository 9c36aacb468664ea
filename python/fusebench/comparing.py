# SPDX-License-Identifier: GPL-3.0-or-later
"""Measuring: compare, capture and the settings that both use."""
from __future__ import annotations

import contextlib
import importlib
import importlib.util
import json
import sys
import tempfile
from pathlib import Path
from typing import Any, Callable, Dict, Iterator, List, Mapping, Optional, Sequence, Union, overload

from . import experiment as experiments
from .errors import FusebenchError, InputError, Interrupted, Unavailable
from .program import Bar, Progress, cli_path, environment, message_of, parsed, raise_for, run_cli
from .result import PathLike, Result

Experiment = Union[str, "Path", Mapping[str, Any], Callable[..., Any]]  # modules are callable

_settings: List[Dict[str, Any]] = []
_last: List[Result] = []
_SETTINGS = ("executors", "baseline", "device", "quick", "budget", "sessions", "python", "progress")


@contextlib.contextmanager
def settings(**values: Any) -> Iterator[None]:
    """Sets what `compare` uses where an argument is not given, within a with block.

    values: any of executors, baseline, device, quick, budget, sessions, python and progress. Raises InputError.

    >>> with settings(quick=True, device="cpu"):
    ...     pass
    """
    for name in values:
        if name not in _SETTINGS:
            raise InputError(f"settings({name}=...): no such setting; the settings are {', '.join(_SETTINGS)}")
    _settings.append(values)
    try:
        yield
    finally:
        _settings.pop()


def _setting(name: str, given: Any, default: Any) -> Any:
    if given is not None:
        return given
    for values in reversed(_settings):
        if name in values:
            return values[name]
    return default


def last() -> Optional[Result]:
    """The latest result of `compare` in this process, also of one that was interrupted; None before the first."""
    return _last[0] if _last else None


def _is_module(program: Any) -> bool:
    torch = sys.modules.get("torch")
    return torch is not None and isinstance(program, torch.nn.Module)


def _has_torch() -> bool:
    return importlib.util.find_spec("torch") is not None


def capture(model: Any, args: Sequence[Any] = (), out: PathLike = "model.json", *, name: Optional[str] = None,
            kwargs: Optional[Mapping[str, Any]] = None, dynamic: Sequence[str] = (), weights: bool = False,
            python: Optional[str] = None) -> Path:
    """Captures a PyTorch model as an experiment file (.json) and returns its path.

    model: a torch.nn.Module, or a function of tensors; or the path of a Python file, in which `name` is the function
        that returns (model, args) or the module. A file is executed.
    args, kwargs: what the model is called with; shapes and dtypes count. Not for a file.
    dynamic: axes: "batch" makes dimension 0 of every tensor of the call a size that the axis batch sweeps;
        "width=1" dimension 1, "batch=x.0" that of the input x alone.
    weights: keep the weights' values; otherwise values with the same mean and deviation are drawn.
    python: the Python that executes a file and has PyTorch 2 (default: this one).

    Raises InputError with the user's source line, and Unavailable without PyTorch 2.
    """
    target = Path(out)
    axes = [axis if "=" in axis else f"{axis}=0" for axis in dynamic]
    if not isinstance(model, (str, Path)):
        _capture_here(model, args, kwargs or {}, target, name, axes, weights)
        return target
    command = ["capture", str(model), *([name] if name else [])]
    for axis in axes:
        command += ["--dynamic", axis]
    command += ["--out", str(target), "--python", python or sys.executable]
    if weights:
        command.append("--weights")
    answer = run_cli(command)
    if answer.code == 2 and 'no command "capture"' in message_of(answer):
        raise Unavailable("this fusebench-cli cannot capture models; install a newer version")
    raise_for(answer)
    return target


def _scripts() -> Path:
    """The folder of the shipped files that run inside PyTorch's Python. Raises Unavailable."""
    here = Path(__file__).resolve().parent
    shipped = environment().get("FUSEBENCH_RESOURCES")
    for folder in (*([Path(shipped)] if shipped else []), here.parent.parent / "resources",
                   Path(cli_path()).resolve().parent.parent / "share" / "fusebench"):
        if (folder / "torch" / "fusebench_capture.py").is_file():
            return folder / "torch"
    raise Unavailable("this Fusebench has no files for capturing models; install a newer version")


def _capture_here(model: Any, args: Sequence[Any], kwargs: Mapping[str, Any], target: Path, name: Optional[str],
                  axes: Sequence[str], weights: bool) -> None:
    """Captures a model in memory, in this process."""
    if importlib.util.find_spec("torch") is None:
        raise Unavailable("capturing a model needs PyTorch 2 (pip install torch); source text needs no PyTorch")
    folder = str(_scripts())
    training = getattr(model, "training", None)
    sys.path.insert(0, folder)
    try:
        capturing = importlib.import_module("fusebench_capture")
        capturing.capture(model, tuple(args), str(target), kwargs=dict(kwargs), weights=weights, dynamic=list(axes),
                          name=name or str(getattr(model, "__name__", type(model).__name__)))
    except Exception as error:
        if type(error).__name__ == "Refused":  # has the source line, the cause and the remedy
            raise InputError(str(error)) from error
        first = (str(error).strip().splitlines() or [""])[0]
        raise InputError(f"{name or type(model).__name__} cannot be captured: {type(error).__name__}: {first}") from error
    finally:
        sys.path.remove(folder)
        if training is not None:
            model.train(training)


def _captured(program: Any, args: Any, sweep: Optional[Mapping[str, Sequence[int]]], executors: Sequence[Any],
              baseline: Optional[str], title: Optional[str], measure: Mapping[str, Any], folder: Path) -> Dict[str, Any]:
    """An experiment of a module, with the variants and axes that were asked for."""
    kwargs = args if isinstance(args, Mapping) else None
    values = () if kwargs is not None else args if isinstance(args, (tuple, list)) else () if args is None else (args,)
    path = capture(program, values, folder / "captured.json", kwargs=kwargs,
                   dynamic=[axis for axis in sweep or {} if axis not in experiments.BUILT_IN_AXES])
    made: Dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    programs = list(made.get("programs", []))  # several where the model has graph breaks
    made["variants"] = experiments.variants_of_programs(programs, executors, baseline)
    made["baseline"] = made["variants"][0]["name"] if programs else experiments.baseline_of(made["variants"], baseline)
    if sweep:
        made["axes"] = experiments.axes_of(sweep)
    if title:
        made["title"] = title
    if measure:
        made["measure"] = dict(measure)
    return made


def _measure_settings(budget: Any, sessions: Any) -> Dict[str, Any]:
    """The part "measure" of an experiment. Raises InputError."""
    measure: Dict[str, Any] = {}
    if budget is not None:
        if isinstance(budget, bool) or not isinstance(budget, (int, float)):
            raise InputError(f"budget: must be a number of seconds, not {budget!r}")
        measure["budgetSeconds"] = float(budget)
    if sessions is not None:
        if experiments.whole_number(sessions) is None:
            raise InputError(f"sessions: must be a whole number of processes, not {sessions!r}")
        measure["sessions"] = experiments.whole_number(sessions)
    return measure


def _is_experiment_name(text: str) -> bool:
    """Whether a text names an experiment, a file or a shipped one, rather than being a program."""
    return text.endswith(".json") or ("\n" not in text and text.replace("_", "").isalnum())


@overload
def compare(program: List[Experiment], args: Any = ..., *, executors: Optional[Sequence[Any]] = ...,
            sweep: Optional[Mapping[str, Sequence[int]]] = ..., baseline: Optional[str] = ...,
            title: Optional[str] = ..., device: Optional[str] = ..., quick: Optional[bool] = ...,
            budget: Optional[float] = ..., sessions: Optional[int] = ..., python: Optional[str] = ...,
            out: Optional[PathLike] = ..., progress: Union[None, bool, Progress] = ...) -> List[Result]: ...


@overload
def compare(program: Experiment, args: Any = ..., *, executors: Optional[Sequence[Any]] = ...,
            sweep: Optional[Mapping[str, Sequence[int]]] = ..., baseline: Optional[str] = ...,
            title: Optional[str] = ..., device: Optional[str] = ..., quick: Optional[bool] = ...,
            budget: Optional[float] = ..., sessions: Optional[int] = ..., python: Optional[str] = ...,
            out: Optional[PathLike] = ..., progress: Union[None, bool, Progress] = ...) -> Result: ...


def compare(program: Any, args: Any = None, *, executors: Optional[Sequence[Any]] = None,
            sweep: Optional[Mapping[str, Sequence[int]]] = None, baseline: Optional[str] = None,
            title: Optional[str] = None, device: Optional[str] = None, quick: Optional[bool] = None,
            budget: Optional[float] = None, sessions: Optional[int] = None, python: Optional[str] = None,
            out: Optional[PathLike] = None, progress: Union[None, bool, Progress] = None) -> Any:
    """Measures a program in several ways, in processes of their own, and returns a Result.

    program: one of
        - source text: a function with torch calls, or statements. It is read, not executed; no PyTorch is needed.
        - a function: its source is taken as text.
        - a torch.nn.Module: it is captured with torch.export (see `capture`).
        - an experiment: the path of a .json file, the name of a shipped one, or its JSON as a dictionary. Among
          the other arguments, only device, quick, python, out and progress apply to it.
        - a list of these: measured one after another; a list of results is returned.
    args: the inputs: a dictionary by name, or a sequence in the order of the parameters. Each is a tuple of extents
        (integers or expressions such as "batch"), a numpy array or torch tensor, of which shape and dtype count, or a
        fusebench.Tensor. Values are drawn. For a module: the arguments of the call, a dictionary if they have names.
    executors: "eager", "static", "dynamic", "instant", "replay", "static+replay"; with PyTorch "torch",
        "torch.compile", "torch.compile(dynamic)", "torch.compile(reduce-overhead)"; or objects as in an experiment
        file (default: "eager" and "static"; for a module "torch" and "torch.compile" too).
    sweep: axes and their values, for example {"batch": [1, 4, 16]}. An axis that no extent names is dimension 0 of
        the first array in `args`, and of arrays that are as long there.
    baseline: the variant that the others are compared with (default: "torch", else "eager", else the first).
    title: what the experiment is called (default: the name of its function).
    device: "cpu", "cuda:0", "sim:h100", ... quick: a tenth of the time, in one process: for a first look.
    budget: seconds of sampling (default: 60). sessions: processes that the samples are spread over.
    python: the Python that runs PyTorch's variants (default: this one if it has PyTorch).
    out: where the run file is kept (default: a temporary file that is removed with the result).
    progress: False for none; a function of (phase, fraction from 0 to 1, seconds left) instead of the bar.

    Raises InputError, with the line of the program that is wrong; FusebenchError if measuring fails; Interrupted on
    Ctrl+C, with what was measured in its `result`.
    """
    if isinstance(program, list):
        names = [None if out is None else Path(out).with_name(f"{Path(out).stem}-{number}{Path(out).suffix}")
                 for number in range(1, len(program) + 1)]
        results: List[Result] = []
        for one, name in zip(program, names):
            try:
                results.append(compare(one, args, executors=executors, sweep=sweep, baseline=baseline, title=title,
                                       device=device, quick=quick, budget=budget, sessions=sessions, python=python,
                                       out=name, progress=progress))
            except Interrupted as stop:
                stop.results[:0] = results
                raise
        return results
    measure = _measure_settings(_setting("budget", budget, None), _setting("sessions", sessions, None))
    shown = _setting("progress", progress, True)
    if not isinstance(shown, bool) and not callable(shown):
        raise InputError(f"progress: must be True, False or a function of (phase, fraction, seconds left), not {shown!r}")
    given_executors = _setting("executors", executors, None)
    given_baseline = _setting("baseline", baseline, None)
    folder = tempfile.TemporaryDirectory(prefix="fusebench-")
    text, hidden = "", ""
    try:
        is_file = isinstance(program, Path) or (isinstance(program, str) and _is_experiment_name(program))
        if is_file or isinstance(program, Mapping):
            given = {"args": args, "executors": executors, "sweep": sweep, "baseline": baseline, "title": title,
                     "budget": budget, "sessions": sessions}
            wrong = [word for word, value in given.items() if value is not None]
            if wrong:
                raise InputError(f"compare: an experiment has its own {', '.join(wrong)}; change them in it")
        if is_file:
            named = str(program)
        else:
            if isinstance(program, Mapping):
                made = dict(program)
            elif _is_module(program):
                usual = ["torch", "torch.compile", "eager", "static"]
                made = _captured(program, args, sweep, usual if given_executors is None else given_executors, given_baseline, title, measure,
                                 Path(folder.name))
            elif isinstance(program, str) or callable(program):
                made = experiments.build(program, args, sweep=sweep,
                                         executors=["eager", "static"] if given_executors is None else given_executors,
                                         baseline=given_baseline, title=title, measure=measure)
                text = "\n".join(made["program"])
            else:
                raise InputError(f"compare: cannot measure {type(program).__name__}; pass source text, a function, a "
                                 "torch.nn.Module, or an experiment")
            named = hidden = str(Path(folder.name) / "experiment.json")
            Path(named).write_text(json.dumps(made), encoding="utf-8")
        path = Path(out) if out is not None else Path(folder.name) / "run.jsonl"
        command = ["run", named, "--json", "--out", str(path), "--progress",
                   "--device", str(_setting("device", device, "cpu"))]
        if _setting("quick", quick, False):
            command.append("--quick")
        chosen = _setting("python", python, sys.executable if _has_torch() else None)
        if chosen:
            command += ["--python", str(chosen)]
        result = _measure(command, path, shown, text, hidden)
    except BaseException as error:
        if not (isinstance(error, Interrupted) and error.result is not None and out is None):
            folder.cleanup()
        elif error.result is not None:
            error.result._keep(folder)
        raise
    return result._keep(folder)


def _measure(command: List[str], path: Path, progress: Union[bool, Progress], text: str, hidden: str) -> Result:
    bar = Bar("fusebench") if progress is True else None
    shown: Optional[Progress] = bar if bar is not None else progress if callable(progress) else None
    try:
        answer = run_cli(command, shown)
    finally:
        if bar is not None:
            bar.close()
    if answer.code == 2:
        raise_for(answer, text, hidden)
    try:
        result = Result(parsed(answer), path, answer.messages)
    except FusebenchError:
        if answer.interrupted:
            raise Interrupted(None) from None
        raise
    _last[:] = [result]
    if answer.interrupted:
        raise Interrupted(result)
    if answer.code != 0 and all(cell["latency_ns"] is None for cell in result.data["cells"]):
        raise FusebenchError(message_of(answer) if answer.messages else next(iter(result.errors().values()), "failed"))
    return result



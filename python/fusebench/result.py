# SPDX-License-Identifier: GPL-3.0-or-later
"""The results of a run."""
from __future__ import annotations

import contextlib
import importlib
import os
import shutil
import subprocess
import tempfile
import webbrowser
from pathlib import Path
from typing import Any, Dict, Iterator, List, Mapping, NamedTuple, Optional, Union

from . import chart
from .errors import FusebenchError, InputError, OutputError, Unavailable
from .program import json_of, raise_for, run_cli, window_path

PathLike = Union[str, "os.PathLike[str]"]
_UNITS = (("s", 1e9), ("ms", 1e6), ("us", 1e3), ("ns", 1.0))


class BreakEven(NamedTuple):
    """Where a variant becomes faster than its baseline along an axis, with the 95 % interval, in the axis' unit.

    along: the axis. held: the values of the other axes. backwards: from here on the variant is slower again.
    """

    variant: str
    baseline: str
    at: float
    low: float
    high: float
    along: str
    held: Dict[str, int]
    backwards: bool


class Payback(NamedTuple):
    """After how many calls a variant's compile has paid for itself, with the 95 % interval (None: too few compiles)."""

    variant: str
    baseline: str
    at: float
    low: Optional[float]
    high: Optional[float]
    point: Dict[str, int]


class Best(NamedTuple):
    """The fastest variant at one point: median time per call in nanoseconds with its 95 % interval.

    certain: whether there are intervals, and that of no other variant overlaps with it. With too few samples for
    an interval, low_ns and high_ns are None. Variants that fail do not count; one that there was no time for does.
    """

    variant: str
    latency_ns: float
    low_ns: Optional[float]
    high_ns: Optional[float]
    certain: bool


def time_text(nanoseconds: Optional[float]) -> str:
    """A time with three digits and its unit.

    >>> time_text(86.9), time_text(1234.5), time_text(None)
    ('86.9 ns', '1.23 us', '-')
    """
    if nanoseconds is None:
        return "-"
    for unit, size in _UNITS:
        if nanoseconds >= size or unit == "ns":
            return f"{nanoseconds / size:.3g} {unit}" if nanoseconds < 999.5 * size else f"{nanoseconds / size:.0f} {unit}"
    raise AssertionError


@contextlib.contextmanager
def _whole(target: Path) -> Iterator[Path]:
    """A path to write to, which replaces `target` when all is written. After an error the target is as it was.

    Raises OutputError if it cannot be written there.
    """
    part = target.with_name(target.name + ".part")
    try:
        yield part
        os.replace(part, target)
    except OSError as error:
        raise OutputError(f"{target}: cannot be written: {error.strerror or error}") from error
    finally:
        with contextlib.suppress(OSError):
            part.unlink(missing_ok=True)


class Result:
    """The results of a run: `table()`, `break_evens()`, `paybacks()`, `best()`; in a notebook, its chart.

    title, device, baseline: as in the experiment. interrupted: whether measuring was stopped early.
    messages: what fusebench-cli noted while measuring, one line each.
    """

    def __init__(self, data: Mapping[str, Any], path: PathLike, messages: Optional[List[str]] = None) -> None:
        self._data = dict(data)
        self._path = Path(path)
        self._folder: Optional[tempfile.TemporaryDirectory[str]] = None
        self.title: str = str(self._data.get("title", ""))
        self.device: str = str(self._data.get("device", "cpu"))
        self.baseline: str = str(self._data.get("baseline", ""))
        self.interrupted: bool = bool(self._data.get("interrupted", False))
        self.messages: List[str] = list(messages or [])

    def _keep(self, folder: tempfile.TemporaryDirectory[str]) -> Result:
        self._folder = folder  # is removed with this object
        return self

    @property
    def path(self) -> Path:
        """The run file. It is temporary unless `compare` was given `out`; see `save`."""
        return self._path

    @property
    def data(self) -> Dict[str, Any]:
        """The JSON that `fusebench-cli analyze --json` prints for the run; see the documentation of the command line."""
        return self._data

    @property
    def axes(self) -> List[str]:
        """The names of the axes."""
        return [str(axis["name"]) for axis in self._data.get("axes", [])]

    @property
    def variants(self) -> List[str]:
        """The names of the variants, in order."""
        return list(dict.fromkeys(str(cell["variant"]) for cell in self._data["cells"]))

    def _at(self, cell: Mapping[str, Any]) -> Dict[str, int]:
        return dict(zip(self.axes, cell["at"]))

    def table(self) -> List[Dict[str, Any]]:
        """One dictionary per data point: the axes' values and

        variant; latency_ns (median time per call), low_ns and high_ns (its 95 % interval); speedup over the baseline;
        launches per call; peak_bytes; compile_ns (first compile, without any cache); rel_error (against double
        precision); samples; sessions; stop (why sampling stopped); error (one line). None: not measured.
        """
        rows = []
        for cell in self._data["cells"]:
            launches = cell.get("launches") or {}
            speedup = cell.get("speedup")
            rows.append({"variant": cell["variant"], **self._at(cell), "latency_ns": cell["latency_ns"],
                         "low_ns": cell["ci_low_ns"], "high_ns": cell["ci_high_ns"],
                         "speedup": speedup.get("value") if isinstance(speedup, dict) else speedup,
                         "launches": launches.get("mean"), "peak_bytes": cell["peak_bytes"],
                         "compile_ns": cell["compile_first_ns"], "rel_error": cell["rel_error"],
                         "samples": cell["samples"], "sessions": cell["sessions"], "stop": cell["stop"],
                         "error": cell["error"]})
        return rows

    def to_pandas(self) -> Any:
        """`table()` as a pandas.DataFrame. Raises Unavailable without pandas."""
        try:
            pandas = importlib.import_module("pandas")
        except ImportError:
            raise Unavailable("to_pandas() needs pandas (pip install pandas); table() needs nothing") from None
        return pandas.DataFrame(self.table())

    def break_evens(self) -> List[BreakEven]:
        """The break-evens of all variants. A variant that is faster or slower at every point has none."""
        found = []
        for crossing in self._data["crossings"]:
            if crossing["kind"] == "break-even" and crossing["status"] == "found":
                others = [axis for axis in self.axes if axis != crossing["along"]]
                found.append(BreakEven(crossing["variant"], crossing["baseline"], crossing["at"], crossing["ci_low"],
                                       crossing["ci_high"], crossing["along"],
                                       dict(zip(others, crossing.get("cell") or [])),
                                       bool(crossing.get("backwards", False))))
        return found

    def paybacks(self) -> List[Payback]:
        """After how many calls each compile has paid for itself, where it has."""
        return [Payback(crossing["variant"], crossing["baseline"], crossing["at"], crossing["ci_low"],
                        crossing["ci_high"], self._at({"at": crossing.get("cell") or []}))
                for crossing in self._data["crossings"]
                if crossing["kind"] == "payback" and crossing["status"] == "found"]

    def best(self, at: Optional[Mapping[str, int]] = None) -> Best:
        """The fastest variant at a point. `at`: the value of every axis; not needed if there is only one point.

        Raises InputError if there is no such point, or nothing was measured there.
        """
        if at is not None and not isinstance(at, Mapping):
            raise InputError(f"best(at={at!r}): must be a dictionary such as {{\"batch\": 4}}")
        wanted = dict(at or {})
        points = [self._at(cell) for cell in self._data["cells"]]
        chosen = [point for point in points if all(point.get(axis) == value for axis, value in wanted.items())]
        distinct = [dict(pairs) for pairs in dict.fromkeys(tuple(point.items()) for point in chosen)]
        if len(distinct) != 1:
            measured = {axis: sorted({point[axis] for point in points}) for axis in self.axes}
            raise InputError(f"best(at={wanted}): must name one measured point; values of the axes: {measured}")
        there = [cell for cell, point in zip(self._data["cells"], points) if point == distinct[0]]
        here = [cell for cell in there if cell["latency_ns"] is not None]
        if not here:
            raise InputError(f"best(at={wanted}): nothing was measured there; table() says why")
        here.sort(key=lambda cell: float(cell["latency_ns"]))
        first = here[0]
        highest, others = first["ci_high_ns"], here[1:]
        certain = (highest is not None and all(other["ci_low_ns"] is not None and highest < other["ci_low_ns"] for other in others)
                   and all(cell["error"] for cell in there if cell["latency_ns"] is None))
        return Best(first["variant"], first["latency_ns"], first["ci_low_ns"], first["ci_high_ns"], certain)

    def errors(self) -> Dict[str, str]:
        """Why variants were not measured, one line each."""
        return {str(cell["variant"]): str(cell["error"]) for cell in self._data["cells"] if cell["error"]}

    def text(self) -> str:
        """The report that `fusebench-cli analyze` prints."""
        answer = run_cli(["analyze", str(self._path)])
        raise_for(answer)
        return answer.out

    def save(self, path: PathLike) -> Path:
        """Copies the run file (.jsonl), which the window and fusebench-cli open. Returns its path."""
        target = Path(path)
        if self._path.resolve() != target.resolve():
            with _whole(target) as part:
                shutil.copyfile(self._path, part)
        return target

    def report(self, path: PathLike) -> Path:
        """Writes a self-contained report. Returns its path.

        .html: written by the window program where it is installed, else by this package (chart and table). .pdf, .svg,
        .png, .md, .csv and what else `fusebench --export` knows need the window program; Unavailable without it.
        """
        target = Path(path)
        window = window_path()
        if window is not None:
            ended = subprocess.run([window, "--export", str(target), str(self._path)], stdin=subprocess.DEVNULL,
                                   capture_output=True, text=True, check=False)
            if ended.returncode != 0:
                raise FusebenchError(ended.stderr.strip().split("\n")[-1] or f"{target}: could not be exported")
            return target
        if target.suffix.lower() != ".html":
            raise Unavailable(f"{target}: only .html can be written without the window program, fusebench; install it")
        run = self._path.read_text(encoding="utf-8")
        with _whole(target) as part:
            part.write_text(chart.page(self.title, self._data, run), encoding="utf-8")
        return target

    def show(self) -> None:
        """Opens the window where it is installed, else the HTML report in the browser. See `fusebench.show`."""
        window = window_path()
        if window is not None and (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
            subprocess.Popen([window, str(self._path)], stdin=subprocess.DEVNULL, start_new_session=True)
            return
        target = Path(tempfile.mkdtemp(prefix="fusebench-")) / "report.html"
        webbrowser.open(self.report(target).as_uri())

    def _repr_html_(self) -> str:
        return chart.figure(self._data)

    def __str__(self) -> str:
        lines = [self.title or "Run"]
        for row in self.table():
            place = ", ".join(f"{axis} = {row[axis]}" for axis in self.axes)
            name = f"  {place}{': ' if place else ''}{row['variant']} "
            if row["latency_ns"] is None:
                lines.append(f"{name}not measured ({row['error'] or row['stop']})")
                continue
            interval = (f" [{time_text(row['low_ns'])}, {time_text(row['high_ns'])}]" if row["low_ns"] is not None
                        else " (too few samples for an interval)")
            lines.append(name + time_text(row["latency_ns"]) + interval
                         + (f" {row['speedup']:.2f}x" if row["speedup"] is not None else ""))
        return "\n".join(lines)

    def __repr__(self) -> str:
        return f"<fusebench.Result {self.title!r}: {len(self._data['cells'])} data points on {self.device}>"


def open_run(path: PathLike) -> Result:
    """Opens a run file (.jsonl), a report with one run inside, or a shipped recording by its name.

    Raises InputError if it is neither.
    """
    return Result(json_of(["analyze", str(path), "--json"]), path)


def show(run: Union[Result, PathLike]) -> None:
    """Opens a run in the window where it is installed, else its HTML report in the browser.

    run: a Result, or what `open` takes. Raises InputError if it is not a run.
    """
    (run if isinstance(run, Result) else open_run(run)).show()

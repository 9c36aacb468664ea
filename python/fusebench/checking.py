# SPDX-License-Identifier: GPL-3.0-or-later
"""The gate for continuous integration: fusebench.check."""
from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any, Dict, List, Mapping, Optional, Sequence, Union

from .errors import FusebenchError, InputError, Interrupted
from .program import Bar, message_of, parsed, raise_for, run_cli
from .result import PathLike, Result

_VERDICTS = {0: "within", 1: "slower", 3: "cannot tell"}


class Check:
    """The result of a check.

    verdict: "within", "slower" or "cannot tell". ok: whether it is "within". summary: one sentence.
    cells: one dictionary per data point: variant, at (values of the axes), baseline_ns, now_ns (medians), change with
    change_low and change_high (relative: 0.1 is 10 % longer) of the lower deciles baseline_fast_ns and now_fast_ns,
    median_change with its interval, verdict, samples, samples_needed, why. None: not measured.
    """

    def __init__(self, data: Mapping[str, Any]) -> None:
        self.data: Dict[str, Any] = dict(data)
        self.verdict: str = str(self.data["verdict"])
        self.ok: bool = self.verdict == "within"
        self.summary: str = str(self.data["summary"])
        self.cells: List[Dict[str, Any]] = list(self.data["cells"])

    def slower(self) -> List[Dict[str, Any]]:
        """The data points that are slower than allowed, or fail."""
        return [cell for cell in self.cells if cell["verdict"] == "slower"]

    def __str__(self) -> str:
        lines = [self.summary]
        for cell in self.cells:
            if cell["verdict"] in ("within", "new"):
                continue
            place = ", ".join(f"{axis} = {value}" for axis, value in zip(self.data["axes"], cell["at"]))
            change = "" if cell["change"] is None else (f" {100 * cell['change']:+.1f}% "
                                                        f"[{100 * cell['change_low']:+.1f}, {100 * cell['change_high']:+.1f}]")
            why = f": {cell['why']}" if cell["why"] else ""
            lines.append(f"  {cell['variant']}{' at ' if place else ''}{place}: {cell['verdict']}{change}{why}")
        return "\n".join(lines)

    def __repr__(self) -> str:
        return f"<fusebench.Check: {self.summary}>"


Checked = Union[Result, Mapping[str, Any], PathLike]


def check(given: Union[Checked, Sequence[Result]], against: Union[Checked, Sequence[Checked]], *,
          max_slowdown: float = 0.05, confidence: float = 0.95, runs: int = 4, budget: Optional[float] = None, device: Optional[str] = None,
          python: Optional[str] = None, any_machine: bool = False, progress: bool = True) -> Check:
    """Checks that nothing became slower than in a baseline. See the command `fusebench-cli check`.

    given: a Result or several, the path of a run file (.jsonl); or an experiment to measure: a path, a shipped name or
        a dictionary.
    against: the baseline: a Result or the path of a run file, or several of them.
    max_slowdown: the largest relative slowdown that passes: 0.05 is 5 %.
    confidence: the probability that all intervals contain the true changes.
    runs: the most times that an experiment is measured; an alarm needs two unless this is 1.
    budget: no further measurement is started that would end after this many seconds.
    any_machine: also compare with a baseline of another machine.

    Raises InputError, for example for a baseline of another machine, with what differs.
    """
    for name, value, like in (("max_slowdown", max_slowdown, 0.05), ("confidence", confidence, 0.95),
                              ("budget", budget, 60)):
        if value is not None and (isinstance(value, bool) or not isinstance(value, (int, float))):
            raise InputError(f"check({name}={value!r}): must be a number such as {like}")
    with tempfile.TemporaryDirectory(prefix="fusebench-") as folder:
        def named(one: Any) -> str:
            if isinstance(one, Result):
                return str(one.path)
            if isinstance(one, Mapping):
                path = Path(folder) / "experiment.json"
                path.write_text(json.dumps(dict(one)), encoding="utf-8")
                return str(path)
            return str(one)

        def several(value: Any) -> List[str]:
            return [named(one) for one in value] if isinstance(value, (list, tuple)) else [named(value)]

        command = ["check", *several(given), "--json", "--progress", "--max-slowdown", f"{100 * max_slowdown:.6g}%",
                   "--confidence", f"{100 * confidence:.6g}%", "--runs", str(runs), "--against", *several(against)]
        if budget is not None:
            command += ["--budget", f"{budget:g}"]
        if device:
            command += ["--device", device]
        if python:
            command += ["--python", python]
        if any_machine:
            command.append("--any-machine")
        bar = Bar("fusebench check") if progress else None
        try:
            answer = run_cli(command, bar)
        finally:
            if bar is not None:
                bar.close()
    if answer.interrupted:
        raise Interrupted(None)
    if answer.code == 2:
        raise_for(answer)
    if answer.code not in _VERDICTS:
        raise FusebenchError(message_of(answer))
    return Check(parsed(answer))

# SPDX-License-Identifier: GPL-3.0-or-later
"""A pytest plugin: tests that measure, and fail when something became slower than in a baseline.

    pytest --fusebench                       measures and checks against the baselines
    pytest --fusebench --fusebench-update    measures and keeps the runs as baselines

Without --fusebench, tests that use the fixture are skipped.
"""
from __future__ import annotations

import re
import warnings
from pathlib import Path
from typing import Any

import pytest

from .checking import Check, check
from .comparing import compare
from .errors import InputError
from .result import Result


def pytest_addoption(parser: pytest.Parser) -> None:
    """Adds the options."""
    group = parser.getgroup("fusebench")
    group.addoption("--fusebench", action="store_true", help="run tests that measure with Fusebench")
    group.addoption("--fusebench-update", action="store_true", help="keep what is measured as the new baselines")
    group.addoption("--fusebench-baselines", default="fusebench-baselines", metavar="DIR",
                    help="directory of the baselines (default: fusebench-baselines)")
    group.addoption("--fusebench-max-slowdown", type=float, default=0.05, metavar="SHARE",
                    help="largest slowdown that passes (default: 0.05)")
    group.addoption("--fusebench-runs", type=int, default=4, metavar="N",
                    help="largest number of measurements until the result is clear (default: 4)")
    group.addoption("--fusebench-any-machine", action="store_true",
                    help="also compare with baselines of another machine")


class Session:
    """The object that the fixture `fusebench` gives to a test."""

    def __init__(self, config: pytest.Config, name: str) -> None:
        self._config = config
        self._name = name
        self._count = 0

    def _baseline(self) -> Path:
        self._count += 1
        name = re.sub(r"[^\w.-]+", "-", self._name) + (f"-{self._count}" if self._count > 1 else "")
        return Path(str(self._config.getoption("--fusebench-baselines"))) / f"{name}.jsonl"

    def compare(self, program: Any, args: Any = None, **options: Any) -> Result:
        """Measures as `fusebench.compare` does, and checks against the test's baseline.

        The test fails if a data point is slower than allowed. If the result is unclear, there is a warning. Without a
        baseline there is nothing to check; --fusebench-update makes one.
        """
        path = self._baseline()
        update = bool(self._config.getoption("--fusebench-update"))
        options.setdefault("progress", False)
        if update:
            path.parent.mkdir(parents=True, exist_ok=True)
            options["out"] = path
        result = compare(program, args, **options)
        assert isinstance(result, Result)
        if update or not path.exists():
            if not update:
                warnings.warn(f"{path}: there is no baseline; make one with --fusebench-update", stacklevel=2)
            return result
        most = max(int(self._config.getoption("--fusebench-runs")), 1)
        # A disturbance of one measurement must not count as a slowdown: a second one has to show it too. The probability
        # of a false alarm is divided among the further measurements.
        confidence = 1 - 0.05 / max(most - 1, 1)
        measured = [result]
        while True:
            try:
                checked = self.check(measured, path, confidence=confidence)
            except InputError as error:  # such as a baseline of another machine; the line has what differs
                pytest.fail(str(error), pytrace=False)
            if checked.ok or len(measured) == most or (checked.verdict == "slower" and len(measured) > 1):
                break
            again = compare(program, args, **options)
            assert isinstance(again, Result)
            measured.append(again)
        if checked.verdict == "slower":
            pytest.fail(str(checked), pytrace=False)
        if not checked.ok:
            warnings.warn(str(checked), stacklevel=2)
        return result

    def check(self, given: Any, against: Any, *, confidence: float = 0.95) -> Check:
        """`fusebench.check` with the options of the command line."""
        return check(given, against, confidence=confidence,
                     max_slowdown=float(self._config.getoption("--fusebench-max-slowdown")),
                     any_machine=bool(self._config.getoption("--fusebench-any-machine")), progress=False)


@pytest.fixture
def fusebench(request: pytest.FixtureRequest) -> Session:
    """Measures in a test: `fusebench.compare(...)`. Skips the test without --fusebench."""
    if not request.config.getoption("--fusebench"):
        pytest.skip("measures only with --fusebench")
    return Session(request.config, request.node.nodeid)

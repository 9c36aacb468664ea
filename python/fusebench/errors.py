# SPDX-License-Identifier: GPL-3.0-or-later
"""The exceptions of this package. Each message is one line: location, cause, fix."""
from __future__ import annotations

import re
from typing import TYPE_CHECKING, List, Optional

if TYPE_CHECKING:
    from .result import Result

_PLACE = re.compile(r"\bline (\d+) of the program|:(\d+)(?::\d+)?: ")


class FusebenchError(Exception):
    """Measuring or reading failed. Its text is the line that fusebench-cli printed."""


class InputError(FusebenchError, ValueError):
    """A program, an experiment, a file or an argument is wrong.

    line: the number of the line in the program or file that the message names, from 1; None if it names none.
    source: that line itself, where the text is known.
    """

    def __init__(self, message: str, text: str = "") -> None:
        place = _PLACE.search(message)
        lines = text.splitlines()
        self.line: Optional[int] = int(place.group(1) or place.group(2)) if place else None
        self.source: Optional[str] = None
        if self.line is not None and 0 < self.line <= len(lines):
            self.source = lines[self.line - 1].strip()
            message += f" [{self.source}]"
        super().__init__(message)


class OutputError(InputError, OSError):
    """A file cannot be written."""


class Unavailable(FusebenchError):
    """Something that this call needs is not installed; the message says how to get it."""


class Interrupted(KeyboardInterrupt):
    """Measuring was interrupted. Nothing is lost: `result` holds what was measured until then.

    result: a Result whose `interrupted` is True; None if nothing was measured yet.
    results: the results of a list of programs until then, `result` included.
    """

    def __init__(self, result: Optional[Result]) -> None:
        super().__init__("interrupted; what was measured is in this exception's .result and in fusebench.last()")
        self.result = result
        self.results: List[Result] = [] if result is None else [result]

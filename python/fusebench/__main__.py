# SPDX-License-Identifier: GPL-3.0-or-later
"""The command fusebench-cli of the wheel: runs the program, and Python files with benchmarks."""
from __future__ import annotations

import os
import sys
from typing import List, Optional

from .benchmarks import names_benchmarks, run_file
from .errors import FusebenchError
from .program import cli_path, environment


def main(given: Optional[List[str]] = None) -> int:
    """`run FILE.py ...` measures the benchmarks of a Python file that imports this package; all else goes to the program,
    which replaces this one. It reads a script of PyTorch code, which needs no package.

    Returns the exit code.
    """
    arguments = sys.argv[1:] if given is None else given
    if arguments[:1] == ["run"] and any(names_benchmarks(word) for word in arguments[1:2]):
        return run_file(arguments[1:])
    try:
        program = cli_path()
    except FusebenchError as error:
        print(f"fusebench-cli: {error}", file=sys.stderr)
        return 2
    variables = environment()
    variables.setdefault("FUSEBENCH_PYTHON", sys.executable)
    sys.stdout.flush()
    os.execve(program, ["fusebench-cli", *arguments], variables)


if __name__ == "__main__":
    sys.exit(main())

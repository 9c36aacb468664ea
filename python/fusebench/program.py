# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs fusebench-cli in a process of its own and reads its JSON."""
from __future__ import annotations

import contextlib
import importlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any, Callable, Dict, List, NamedTuple, Optional, Sequence

from .errors import FusebenchError, InputError, Unavailable

Progress = Callable[[str, float, float], None]


class Answer(NamedTuple):
    """What a command printed: exit code, standard output, messages (lines of standard error)."""

    code: int
    out: str
    messages: List[str]
    interrupted: bool


def _is_program(path: Path) -> bool:
    try:
        with open(path, "rb") as file:
            return file.read(4) == b"\x7fELF" and os.access(path, os.X_OK)
    except OSError:
        return False


def cli_path() -> str:
    """The path of the program fusebench-cli that this package drives.

    The environment variable FUSEBENCH_CLI comes first, then the program inside the installed wheel, then PATH.
    Raises Unavailable if there is none.
    """
    named = os.environ.get("FUSEBENCH_CLI")
    if named:
        if not _is_program(Path(named)):
            raise Unavailable(f"FUSEBENCH_CLI={named}: must name the program fusebench-cli; unset it or correct it")
        return named
    inside = Path(__file__).parent / "_data" / "bin" / "fusebench-cli"
    if _is_program(inside):
        return str(inside)
    for folder in os.environ.get("PATH", "").split(os.pathsep):
        # The wheel's own command of this name is a script, which would call us again.
        if folder and _is_program(Path(folder) / "fusebench-cli"):
            return str(Path(folder) / "fusebench-cli")
    raise Unavailable("fusebench-cli was not found; install the wheel, or name the program with FUSEBENCH_CLI")


def window_path() -> Optional[str]:
    """The path of the window program, fusebench; None if it is not installed."""
    window = Path(cli_path()).with_name("fusebench")
    if _is_program(window):
        return str(window)
    found = shutil.which("fusebench")
    return found if found and _is_program(Path(found)) else None


def environment() -> Dict[str, str]:
    """The environment for the program: its shipped files, and messages in English unless a language was chosen."""
    variables = dict(os.environ)
    shipped = Path(__file__).parent / "_data" / "resources"
    if shipped.is_dir():
        variables.setdefault("FUSEBENCH_RESOURCES", str(shipped))
    return variables


def _progress_of(line: str) -> Optional[Dict[str, Any]]:
    if not line.startswith('{"phase"'):
        return None
    try:
        said = json.loads(line)
    except ValueError:
        return None
    return said if isinstance(said, dict) else None


def run_cli(arguments: Sequence[str], progress: Optional[Progress] = None) -> Answer:
    """Runs the program with `arguments` and waits for it.

    progress: called with (phase, fraction from 0 to 1, seconds left) if the command was given --progress.
    On KeyboardInterrupt the program is asked to stop; it keeps what it measured, and the answer says `interrupted`.
    A second one terminates it and is raised.
    """
    # A session of its own: Ctrl+C in a terminal reaches Python alone, which passes it on once.
    process = subprocess.Popen([cli_path(), *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True, encoding="utf-8", errors="replace",
                               env=environment(), start_new_session=True)
    out: List[str] = []
    said: List[str] = []
    latest: List[Dict[str, Any]] = []

    def read_out() -> None:
        assert process.stdout is not None
        out.append(process.stdout.read())

    def read_messages() -> None:
        assert process.stderr is not None
        for line in process.stderr:
            report = _progress_of(line)
            if report is None:
                said.append(line.rstrip("\n"))
            else:
                latest[:] = [report]

    readers = [threading.Thread(target=read_out, daemon=True), threading.Thread(target=read_messages, daemon=True)]
    for reader in readers:
        reader.start()
    interrupted = False
    try:
        while process.poll() is None:
            try:
                with contextlib.suppress(subprocess.TimeoutExpired):
                    process.wait(0.1)
                if progress is not None and latest:
                    report = latest.pop()
                    progress(str(report.get("phase", "")), float(report.get("fraction", 0)),
                             float(report.get("seconds_left", 0)))
            except KeyboardInterrupt:
                if interrupted:
                    raise
                interrupted = True
                process.send_signal(signal.SIGINT)
    finally:
        if process.poll() is None:
            process.kill()
            process.wait()
        for reader in readers:
            reader.join()
        for stream in (process.stdout, process.stderr):
            if stream is not None:
                stream.close()
    return Answer(process.returncode, "".join(out), said, interrupted)


def message_of(answer: Answer) -> str:
    """The line that says what went wrong."""
    for line in reversed(answer.messages):
        if line.strip():
            return line.strip()
    return f"fusebench-cli ended with exit code {answer.code} and no message"


def raise_for(answer: Answer, text: str = "", hidden: str = "") -> None:
    """Raises InputError for exit code 2, FusebenchError for what else is not 0.

    text: what the line is of that the message names. hidden: a file of ours, whose name says nothing to a reader.
    """
    if answer.code == 2:
        message = message_of(answer)
        if hidden and message.startswith(hidden + ":"):
            message = re.sub(r"^:\d+:\d+: (program: )?", "", message[len(hidden):])
        raise InputError(message, text)
    if answer.code != 0:
        raise FusebenchError(message_of(answer))


def json_of(arguments: Sequence[str], text: str = "") -> Dict[str, Any]:
    """The JSON object that a command prints. Raises InputError or FusebenchError."""
    answer = run_cli(arguments)
    raise_for(answer, text)
    return parsed(answer)


def parsed(answer: Answer) -> Dict[str, Any]:
    """The JSON object in an answer. Raises FusebenchError if there is none."""
    try:
        value = json.loads(answer.out)
    except ValueError:
        raise FusebenchError(message_of(answer)) from None
    if not isinstance(value, dict):
        raise FusebenchError("fusebench-cli printed no JSON object; its version does not fit this package")
    return value


class Bar:
    """Shows progress on standard error: tqdm's bar where tqdm is installed, else a line now and then."""

    def __init__(self, title: str) -> None:
        self._title = title
        self._line = -1
        self._bar: Any = None
        try:
            tqdm = importlib.import_module("tqdm.auto").tqdm
        except ImportError:
            return
        self._bar = tqdm(total=100, desc=title, unit="%", leave=False,
                         bar_format="{desc}: {percentage:3.0f}%|{bar}| {postfix}")

    def __call__(self, phase: str, fraction: float, seconds_left: float) -> None:
        if self._bar is not None:
            self._bar.n = round(100 * fraction)
            self._bar.set_postfix_str(f"{phase}, {seconds_left:.0f} s left")
            return
        tenth = int(10 * fraction)
        if tenth > self._line:
            self._line = tenth
            print(f"{self._title}: {phase}, {100 * fraction:.0f}%, {seconds_left:.0f} s left", file=sys.stderr, flush=True)

    def close(self) -> None:
        """Takes the bar away."""
        if self._bar is not None:
            self._bar.close()

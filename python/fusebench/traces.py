# SPDX-License-Identifier: GPL-3.0-or-later
"""Traces of profilers: torch.profiler's Chrome traces, Perfetto, Nsight Systems."""
from __future__ import annotations

from typing import Any, Dict, List

from .program import json_of, raise_for, run_cli
from .result import PathLike


class Trace:
    """One or more traces. `data`: what `fusebench-cli analyze --json` prints of them. Times are in nanoseconds."""

    def __init__(self, data: Dict[str, Any], paths: List[str]) -> None:
        self.data = data
        self._paths = paths

    def _each(self, key: str, more: str) -> List[Dict[str, Any]]:
        rows = []
        for trace in self.data["traces"]:
            for entry in trace.get(key) or []:
                rows.append({more: trace["title"], **entry} if len(self.data["traces"]) > 1 else dict(entry))
        return rows

    def kernels(self) -> List[Dict[str, Any]]:
        """One dictionary per kernel, copy or host span: name, kind, count, total_ns, self_ns, share of the total."""
        return self._each("names", "trace")

    def breakdown(self) -> List[Dict[str, Any]]:
        """One dictionary per device: total_ns, computing_ns, communication_ns, memory_ns, idle_ns, kernels, ..."""
        return self._each("devices", "trace")

    def classes(self) -> List[Dict[str, Any]]:
        """One dictionary per class of kernels (matmul, pointwise, ...): count, total_ns, share."""
        return self._each("classes", "trace")

    def savings(self) -> List[Dict[str, Any]]:
        """Estimated savings by fusing or by a graph; one dictionary per sequence of short kernels.

        kernels, count, runs, now_ns, one_kernel_ns (if fused), one_graph_ns (as one graph), saved_ns.
        """
        return self._each("savings", "trace")

    def text(self) -> str:
        """The report that `fusebench-cli analyze` prints."""
        answer = run_cli(["analyze", *self._paths])
        raise_for(answer)
        return answer.out

    def __repr__(self) -> str:
        titles = ", ".join(str(trace["title"]) for trace in self.data["traces"])
        return f"<fusebench.Trace: {titles}>"


def trace(*paths: PathLike) -> Trace:
    """Reads traces (.json, .json.gz, .sqlite of Nsight Systems, .pftrace), or a directory with one per rank.

    Raises InputError if a file is not a trace.
    """
    names = [str(path) for path in paths]
    return Trace(json_of(["analyze", *names, "--json"]), names)

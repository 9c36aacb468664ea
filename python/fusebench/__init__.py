# SPDX-License-Identifier: GPL-3.0-or-later
"""Fusebench: measures when compiling a tensor program pays off, with intervals.

>>> import fusebench as fb
>>> r = fb.compare("def f(x): return torch.sin(x * 2).sum()", {"x": ("n",)}, sweep={"n": [64, 4096]},
...                budget=2, progress=False)
>>> sorted(r.table()[0])[:4]
['compile_ns', 'error', 'high_ns', 'latency_ns']
>>> r.best(at={"n": 4096}).variant in r.variants
True

Measuring happens in processes of their own; this package has no compiled part and drives the program fusebench-cli.
"""
from .benchmarks import Benchmark, benchmark, benchmarks, benchmarks_in, clear_benchmarks
from .checking import Check, check
from .comparing import capture, compare, last, settings
from .errors import FusebenchError, InputError, Interrupted, OutputError, Unavailable
from .experiment import Tensor
from .program import cli_path
from .result import Best, BreakEven, Payback, Result
from .result import open_run as open
from .result import show
from .traces import Trace, trace

__version__ = "0.1.0"
__all__ = ["Benchmark", "Best", "BreakEven", "Check", "FusebenchError", "InputError", "Interrupted", "OutputError", "Payback",
           "Result", "Tensor", "Trace", "Unavailable", "benchmark", "benchmarks", "benchmarks_in", "capture", "check",
           "clear_benchmarks", "cli_path", "compare", "last", "open", "settings", "show", "trace"]

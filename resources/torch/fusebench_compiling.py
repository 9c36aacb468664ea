# SPDX-License-Identifier: GPL-3.0-or-later
"""What torch.compile does when a program is called: how often it compiles, why again, and for how long.

Nothing here is imported before torch.compile is used: its compiler takes seconds to come.
"""
import atexit
import logging
import os
import shutil
import tempfile

import torch

from fusebench_memory import silence
from fusebench_programs import Unavailable

PREFIX = "fusebench-torch-"


def sweep():
    """Removes the folders of processes that were killed."""
    for name in os.listdir(tempfile.gettempdir()):
        owner = name[len(PREFIX):].split("-")[0]
        if name.startswith(PREFIX) and owner.isdigit() and not os.path.exists("/proc/" + owner):
            shutil.rmtree(os.path.join(tempfile.gettempdir(), name), True)


class _Reasons(logging.Handler):
    """Collects the guards that failed, out of what PyTorch logs of recompiles."""

    def __init__(self):
        super().__init__()
        self.lines = []

    def emit(self, record):
        for line in record.getMessage().splitlines():
            line = line.strip()
            if line.startswith("- "):
                # "- 0/1: tensor 'x' size mismatch ...": the newest of the compiled ones comes first.
                self.lines.append(line[2:].split(": ", 1)[-1])
                return


class Compiler:
    """PyTorch's compiler in this process. Its cache on disk is a folder of this process alone, so that what a person
    has compiled before neither helps nor is touched."""

    def __init__(self):
        sweep()
        self.folder = tempfile.mkdtemp(prefix="%s%d-" % (PREFIX, os.getpid()))
        atexit.register(shutil.rmtree, self.folder, True)
        os.environ["TORCHINDUCTOR_CACHE_DIR"] = self.folder
        import torch._dynamo
        import torch._dynamo.utils
        self.config = torch._dynamo.config
        self.counters = torch._dynamo.utils.counters
        self.reasons = _Reasons()
        self._listen()
        self.warm = False

    def _listen(self):
        logging.getLogger("torch.utils.cpp_extension").setLevel(logging.ERROR)
        logs = getattr(torch, "_logging", None)
        if not hasattr(logs, "set_logs"):
            return  # PyTorch 2.0: recompiles are counted, their reasons unknown
        logs.set_logs(dynamo=logging.ERROR, recompiles=True)
        for name in list(logging.root.manager.loggerDict):
            if name.endswith(".__recompiles"):
                logger = logging.getLogger(name)
                logger.handlers, logger.propagate = [self.reasons], False

    def warm_up(self, device):
        """Pays the one-time cost of the first compile in a process (imports, a test of the C++ compiler, its header),
        which must not count for a program."""
        if self.warm:
            return
        self.warm = True
        torch.compile(lambda x: x + 1)(torch.zeros(4, device=device))

    def set_limit(self, compiles):
        """How often one function is compiled before PyTorch gives up and runs it eagerly."""
        for name in ("recompile_limit", "cache_size_limit"):
            if _has(self.config, name):
                setattr(self.config, name, compiles)
                return

    def set_memory_share(self, share):
        """Sets the fraction of the activations that a compiled program with gradients may save; the rest are
        recomputed. Raises Unavailable."""
        try:
            import torch._functorch.config as config
            config.activation_memory_budget  # raises what the next line would not
        except (ImportError, AttributeError):
            if share < 1:
                raise Unavailable("torch %s has no activation_memory_budget, which 2.4 and later have; name an "
                                  "interpreter that has it: with --python or FUSEBENCH_PYTHON, or in the window's menu "
                                  "under Python for PyTorch"
                                  % torch.__version__)
            return
        config.activation_memory_budget = share

    def graphs(self):
        """Graphs captured so far in this process: a function is one, or with graph breaks several."""
        return self.counters["stats"]["unique_graphs"]

    def compiled(self):
        """Functions compiled so far in this process, recompiles included."""
        return self.counters["frames"]["ok"]

    def fetched(self):
        """Graphs that came from the cache on disk."""
        return self.counters["inductor"]["fxgraph_cache_hit"]

    def forget_memory(self):
        """Forgets the kernels that this process holds; those in use stay."""
        import torch._inductor.utils as utils
        for name in ("clear_caches", "clear_inductor_caches"):
            if hasattr(utils, name):
                getattr(utils, name)()
                return

    def forget_all(self):
        """Nothing is compiled any more, in memory or on disk, but the C++ compiler's own precompiled header."""
        self.forget_memory()
        for entry in os.listdir(self.folder):
            if entry != "precompiled_headers":
                path = os.path.join(self.folder, entry)
                shutil.rmtree(path, True) if os.path.isdir(path) else os.unlink(path)


def _has(config, name):
    try:
        getattr(config, name)
        return True
    except AttributeError:
        return False


def ran_compiled(call, inputs):
    """Whether a call runs compiled code, not the eager program that PyTorch falls back to; None if PyTorch does not
    tell. Not for timing: the call is profiled."""
    try:
        with silence(), torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CPU]) as profile:
            call(*inputs)
    except RuntimeError:
        return None
    names = [event.name for event in profile.events()]
    if not names:
        return None
    return any("Compiled" in name for name in names)

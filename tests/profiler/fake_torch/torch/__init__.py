# SPDX-License-Identifier: GPL-3.0-or-later
"""Enough of PyTorch 2 for exported scripts and for the worker's compiling half: torch.compile counts compiles by code
object, up to the limit that is set when the function is called, keeps what it made in memory and on disk, and runs
calls beyond the limit eagerly, as PyTorch's does. A call allocates as many bytes as a constant below states, which its
profiler sees."""
import contextlib
import os
import sys
import time
import types

__version__ = "2.fake"


class dtype(str):
    @property
    def is_floating_point(self):
        return self.startswith("float")


float32, float64, int64, bool = map(dtype, ("float32", "float64", "int64", "bool"))
_compiled = {}  # id of the code object -> (the object, kinds of shapes)
_ran = []  # calls, as a profiler sees them
_allocated = []  # bytes allocated and freed, as a profiler sees them
EAGER_BYTES, KEPT_BYTES = 3000, 10000  # bytes per eager call; per compiled call that may keep everything


class Tensor:
    def __init__(self, shape):
        self.shape = tuple(shape)

    def stride(self):
        return ()

    def numel(self):
        count = 1
        for extent in self.shape:
            count *= extent
        return count

    def element_size(self):
        return 4

    def detach(self):
        return self

    def requires_grad_(self):
        return self

    def sum(self):
        return self

    def reshape(self, shape):
        return Tensor(shape)

    # Numbers that a script draws have no values: no list of positions has an element.
    def __len__(self):
        return 0

    def _same(self, *others, **more):
        return self

    def __setitem__(self, index, value):
        pass

    __add__ = to = float = double = __getitem__ = _same


class device:
    def __init__(self, name):
        self.type = name.split(":")[0]

    def __str__(self):
        return self.type


def randn(shape, dtype=None, device=None):
    return Tensor(shape if isinstance(shape, tuple) else (shape,))


rand = zeros = ones = empty = randn


def arange(*ends):
    return Tensor((0,))


no_grad = contextlib.nullcontext


def sin(x):
    _take(EAGER_BYTES)
    return x


def _take(size):
    _allocated.extend([size, -size])


def sum(x):
    return x


def manual_seed(seed):
    pass


_recording = True


def set_grad_enabled(enabled):
    """Nothing is recorded here."""
    global _recording
    _recording = enabled


def is_grad_enabled():
    return _recording


def set_num_threads(threads):
    pass


def get_num_threads():
    return 1


class _Config:
    """Has cache_size_limit alone, as older versions of PyTorch, if FAKE_TORCH_OLD is set."""
    def __init__(self, name):
        setattr(self, name, 1)


_limit = "cache_size_limit" if "FAKE_TORCH_OLD" in os.environ else "recompile_limit"
_dynamo = types.ModuleType("torch._dynamo")
_dynamo.config = _Config(_limit)
_dynamo.utils = types.ModuleType("torch._dynamo.utils")
_dynamo.utils.counters = {"frames": {"ok": 0}, "inductor": {"fxgraph_cache_hit": 0}, "stats": {"unique_graphs": 0}}
_functorch = types.ModuleType("torch._functorch")
_functorch.config = types.ModuleType("torch._functorch.config")
if "FAKE_TORCH_OLD" not in os.environ:
    _functorch.config.activation_memory_budget = 1.0
_inductor = types.ModuleType("torch._inductor")
_inductor.utils = types.ModuleType("torch._inductor.utils")
_inductor.utils.clear_caches = lambda: None
nn = types.ModuleType("torch.nn")
nn.functional = types.ModuleType("torch.nn.functional")
nn.Module = type("Module", (), {})
for _module in (_dynamo, _dynamo.utils, _functorch, _functorch.config, _inductor, _inductor.utils, nn, nn.functional):
    sys.modules[_module.__name__] = _module


class profiler:
    class ProfilerActivity:
        CPU = 0

    class profile:
        def __init__(self, activities):
            pass

        def __enter__(self):
            _ran.clear()
            return self

        def __exit__(self, *problem):
            return False

        def events(self):
            return [types.SimpleNamespace(name=name) for name in _ran]


class _MemoryEvent:
    def __init__(self, place, size):
        self.place, self.size = place, size

    def name(self):
        return "[memory]"

    def start_ns(self):
        return self.place

    def nbytes(self):
        return self.size


class autograd:
    @staticmethod
    def grad(of, by):
        return tuple(by)

    class profiler:
        class profile:
            def __init__(self, profile_memory):
                pass

            def __enter__(self):
                _allocated.clear()
                return self

            def __exit__(self, *problem):
                moments = [_MemoryEvent(place, size) for place, size in enumerate(_allocated)]
                self.kineto_results = types.SimpleNamespace(events=lambda: moments[::-1])
                return False


def _cache():
    """A file for each compile there has been, as Inductor keeps them."""
    return os.environ["TORCHINDUCTOR_CACHE_DIR"]


def compile(function, dynamic=False):
    def call(*inputs):
        known = _compiled.setdefault(id(function.__code__), (function.__code__, {}))[1]
        kind = "any" if dynamic else tuple(x.shape for x in inputs)
        if kind not in known and len(known) < getattr(_dynamo.config, _limit):
            known[kind] = getattr(_functorch.config, "activation_memory_budget", 1.0)
            _dynamo.utils.counters["frames"]["ok"] += 1
            _dynamo.utils.counters["stats"]["unique_graphs"] += 1
            file = os.path.join(_cache(), "%s-%s" % (function.__code__.co_code.hex()[:40], hash(kind)))
            found = os.path.exists(file)
            _dynamo.utils.counters["inductor"]["fxgraph_cache_hit"] += found
            time.sleep(0.0 if found else 0.005)
            open(file, "w").close()
        _ran.append("Torch-Compiled Region" if kind in known else "aten::sin")
        results = function(*inputs)
        if kind in known:
            _allocated.clear()
            _take(int(KEPT_BYTES * known[kind]))
        return results
    return call

# SPDX-License-Identifier: GPL-3.0-or-later
import argparse
import atexit
import contextlib
import copy
import gc
import itertools
import json
import math
import os
import random
import shutil
import statistics
import sys
import tempfile
import time
import types

import torch

# ==== the study ====

# ==== how it is measured ====

def why_not(executor):
    """Why the executor cannot run here, in one line; None: it can."""
    if executor in ("instant", "replay"):
        return "PyTorch has no counterpart of " + executor
    if executor not in COMPILED and executor not in ("eager", "torch"):
        return "unknown executor " + executor
    if executor in COMPILED and not hasattr(torch, "compile"):
        return "torch %s has no torch.compile; 2.0 and later do" % torch.__version__
    if executor in ("static+replay", "torch-replay") and DEVICE.type != "cuda":
        return "CUDA graphs need a CUDA device"
    return None


COMPILED = ("static", "torch-static", "dynamic", "torch-dynamic", "static+replay", "torch-replay")
_made = itertools.count(1)


def executable(executor, function):
    """The program as this executor runs it. PyTorch counts recompiles per code object, so each variant gets its own."""
    own = with_own_code(function)
    if executor not in COMPILED:
        return own
    if executor in ("dynamic", "torch-dynamic"):
        return torch.compile(own, dynamic=True)
    if executor in ("static", "torch-static"):
        return torch.compile(own, dynamic=False)
    return torch.compile(own, dynamic=False, mode="reduce-overhead")


def with_own_code(function):
    def renamed(code):
        return code.replace(co_name="%s_%d" % (code.co_name, next(_made)))
    if isinstance(function, types.FunctionType):
        own = types.FunctionType(renamed(function.__code__), function.__globals__, function.__name__,
                                 function.__defaults__, function.__closure__)
        own.__kwdefaults__ = function.__kwdefaults__
        return own
    # Each program has its own class of the module.
    forward = getattr(type(function), "forward", None)
    if isinstance(forward, types.FunctionType) and type(function).__module__ == __name__:
        forward.__code__ = renamed(forward.__code__)
    return function


def as_tuple(results):
    if isinstance(results, dict):
        return tuple(results.values())
    return tuple(results) if isinstance(results, (tuple, list)) else (results,)


def differentiating(forward, by, back, scale, held):
    """A call that also computes gradients of its first result by the inputs numbered `by`; without `back`, PyTorch only
    records the tape. `held`: the program's weights by number, which a call does not pass. The result is multiplied by
    `scale` before, and the gradients are divided by it after."""
    def call(*inputs):
        results = forward(*inputs)
        if not back:
            return results
        first = as_tuple(results)[0]
        free = iter(inputs)
        everything = [held[i] if i in held else next(free) for i in range(len(inputs) + len(held))]
        leaves = [everything[i] for i in by]
        if scale == 1:
            return results, torch.autograd.grad(first, leaves)
        return results, tuple(gradient * (1 / scale) for gradient in torch.autograd.grad(first * scale, leaves))
    return call


def forgetting(call, held):
    """Clears all gradients before each call."""
    def begun(*inputs):
        for each in itertools.chain(inputs, held.values()):
            if each is not None:
                each.grad = None
        return call(*inputs)
    return begun


def synchronize():
    if DEVICE.type == "cuda":
        torch.cuda.synchronize()


@contextlib.contextmanager
def silence():
    """The profiler is talkative."""
    said, nowhere = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 2)
    try:
        yield
    finally:
        os.dup2(said, 2)
        os.close(said)
        os.close(nowhere)


def peak_of(call, inputs, held):
    """Peak bytes of a call, including its inputs and the program's weights; None if PyTorch does not report them."""
    own = sum(x.numel() * x.element_size() for x in inputs + held)
    if DEVICE.type == "cuda":
        synchronize()
        torch.cuda.reset_peak_memory_stats()
        before = torch.cuda.memory_allocated()
        call(*inputs)
        synchronize()
        return torch.cuda.max_memory_allocated() - before + own
    try:
        with silence(), torch.autograd.profiler.profile(profile_memory=True) as profile:
            results = call(*inputs)
        events = profile.kineto_results.events()
    except (AttributeError, RuntimeError):
        return None
    del results
    moments = [(event.start_ns() if hasattr(event, "start_ns") else event.start_us(), event.nbytes())
               for event in events if event.name() == "[memory]"]
    now = most = 0
    for _, size in sorted(moments, key=lambda moment: moment[0]):
        now += size
        most = max(most, now)
    return most + own


class Compiler:
    """PyTorch's compiler with a disk cache of its own: earlier caches do not speed it up and are not changed."""

    def __init__(self):
        self.folder = tempfile.mkdtemp(prefix="fusebench-script-")
        atexit.register(shutil.rmtree, self.folder, True)
        os.environ["TORCHINDUCTOR_CACHE_DIR"] = self.folder
        import torch._dynamo
        import torch._dynamo.utils
        self.config, self.counters = torch._dynamo.config, torch._dynamo.utils.counters
        # The one-time cost of the first compile in a process must not count for a program.
        torch.compile(lambda x: x + 1)(torch.zeros(4, device=DEVICE))

    def set_limit(self, compiles):
        """How often one function is compiled before PyTorch gives up and runs it eagerly."""
        for name in ("recompile_limit", "cache_size_limit"):  # the older name comes second
            try:
                getattr(self.config, name)
            except AttributeError:
                continue
            setattr(self.config, name, compiles)
            return

    def set_memory_share(self, share):
        """Sets the fraction of the activations that a compiled program with gradients may save; the rest are
        recomputed."""
        import torch._functorch.config as config
        if hasattr(config, "activation_memory_budget"):
            config.activation_memory_budget = share
        elif share < 1:
            raise RuntimeError("torch %s has no activation_memory_budget, which 2.4 and later have" % torch.__version__)

    def compiled(self):
        """Functions compiled so far, recompiles included."""
        return self.counters["frames"]["ok"]

    def forget(self):
        """Nothing compiled so far helps the next compile, but the C++ compiler's precompiled header."""
        import torch._inductor.utils as utils
        for name in ("clear_caches", "clear_inductor_caches"):
            if hasattr(utils, name):
                getattr(utils, name)()
                break
        for entry in os.listdir(self.folder):
            path = os.path.join(self.folder, entry)
            if entry == "precompiled_headers":
                continue
            shutil.rmtree(path, True) if os.path.isdir(path) else os.unlink(path)


_compiler = None


def compiler():
    """Made when it is first wanted: it takes seconds to come."""
    global _compiler
    if _compiler is None:
        _compiler = Compiler()
    return _compiler


class Cell:
    """One variant at one place: what is measured. Times in nanoseconds per call."""

    def __init__(self, variant, executor, input_set, threads, limit, at):
        self.variant, self.executor, self.at, self.limit = variant, executor, at, limit
        self.threads = at[AXES.index("threads")] if "threads" in AXES else threads
        self.samples, self.compile_ns, self.recompiles, self.passes = [], [], 0, None
        self.budget, self.share, self.peak = BUDGETS.get(variant, BUDGETS.get((variant, at))), 1, None
        self.problem = why_not(executor)
        if self.problem:
            return
        make = program_of(variant, at)
        if isinstance(make, str):
            self.problem = make
            return
        try:
            self.function, takes, self.held, self.records = make()
        except Exception as error:
            self.problem = (str(error).strip().splitlines() or [type(error).__name__])[0]
            return
        if not isinstance(self.held, State):
            self.held = State(self.held)
        dtype = FLOATS.get(variant)
        try:
            self.inputs = [tuple(one[name] for name in takes) for one in make_inputs(input_set, *at)]
        except FileNotFoundError as error:
            self.problem = str(error)
            return
        if dtype:  # this variant converts all floating-point inputs
            self.inputs = [tuple(like(x, dtype) if x.is_floating_point() else x for x in one) for one in self.inputs]
        if hasattr(self.function, "to"):  # a module
            self.function.to(DEVICE)
        for each in self.held.values():
            if each is not None:
                each.data = each.data.to(DEVICE, dtype if dtype and each.is_floating_point() else each.dtype)
        self.held.start(PLACES.get(input_set, {}))
        by = GRADIENTS.get(variant, ([], False, 1))[0]
        free = [i for i in range(len(takes) + len(self.held)) if i not in self.held]
        self.inputs = [tuple(x.detach().requires_grad_() if i in by else x for i, x in zip(free, one))
                       for one in self.inputs]
        self.held.keep()
        self.written = [i for i, number in enumerate(free) if number in self.held.writes]
        self.first = [[one[i].detach().clone() for i in self.written] for one in self.inputs]
        self.set_up()
        try:
            if self.budget and executor in COMPILED:
                self.keep_within_budget()
            for _ in range(COMPILES if executor in COMPILED else 1):
                self.compile()
            self.peak = self.peak_bytes()
        except Exception as error:
            self.problem = (str(error).strip().splitlines() or [type(error).__name__])[0]

    def set_up(self):
        torch.set_num_threads(self.threads)
        torch.set_grad_enabled(self.records or self.variant in GRADIENTS)  # nobody else's calls record anything
        if self.executor in COMPILED:
            compiler().set_limit(self.limit)
            compiler().set_memory_share(self.share)

    def restore(self, only=None):
        """Restores the first values of all that calls write. `only`: the number of the one list of inputs that needs them."""
        with torch.no_grad():
            for number, (one, first) in enumerate(zip(self.inputs, self.first)):
                if only is None or number == only:
                    for i, value in zip(self.written, first):
                        one[i].detach().copy_(value)
            self.held.restore()

    def resets(self):
        return RESET == "each call" and bool(self.held.writes)

    def kinds(self):
        """The first inputs of each kind of shapes and strides."""
        kinds = {}
        for one in self.inputs:
            kinds.setdefault(tuple((x.shape, x.stride()) for x in one), one)
        return kinds.values()

    def compile(self):
        """A function of its own, called once with each kind of inputs: the time of the calls that compiled, whole."""
        if self.executor in COMPILED:
            compiler().forget()
        self.call = executable(self.executor, self.function)
        by, back, scale = GRADIENTS.get(self.variant, ([], False, 1))
        if by:
            self.call = differentiating(self.call, by, back, scale, self.held)
        if self.records:
            self.call = forgetting(self.call, self.held)
        self.restore()
        took = made = 0
        for one in self.kinds():
            before = compiler().compiled() if self.executor in COMPILED else 0
            synchronize()
            started = time.perf_counter_ns()
            self.call(*one)
            synchronize()
            taken = time.perf_counter_ns() - started
            if self.executor in COMPILED and compiler().compiled() > before:
                took += taken
                made += compiler().compiled() - before
        self.compile_ns.append(took)
        self.recompiles = max(made - 1, 0)

    def peak_bytes(self):
        """Bytes that a call takes at most at a time, its inputs and results included; None if PyTorch does not say."""
        self.restore()
        held = tuple(each for each in self.held.values() if each is not None)
        peaks = [peak_of(self.call, one, held) for one in self.kinds()]
        return None if None in peaks else max(peaks, default=None)

    def keep_within_budget(self):
        """Finds the most that the compiled program may keep with which each call takes no more than its budget."""
        least = None
        for tenths in range(10, -1, -1):
            self.share = tenths / 10
            self.set_up()
            self.compile()
            peak = self.peak_bytes()
            if peak is None:
                raise RuntimeError("torch %s does not report the memory of a call" % torch.__version__)
            if peak <= self.budget:
                self.compile_ns.clear()
                return
            least = min(least or (peak, self.share), (peak, self.share))
        raise RuntimeError("every activation_memory_budget exceeds the budget: its smallest peak is %d bytes, with %g; "
                           "give a budget of that or more" % least)

    def once(self, passes=1):
        """Nanoseconds for whole passes over the inputs."""
        call, inputs = self.call, self.inputs
        if self.resets():
            return self.once_with_resets(passes)
        synchronize()
        started = time.perf_counter_ns()
        for _ in range(passes):
            for one in inputs:
                call(*one)
        synchronize()
        return time.perf_counter_ns() - started

    def once_with_resets(self, passes):
        """The same of calls that each begin with the first values, and are timed alone."""
        taken = 0
        for _ in range(passes):
            for number, one in enumerate(self.inputs):
                self.restore(number)
                synchronize()
                started = time.perf_counter_ns()
                self.call(*one)
                synchronize()
                taken += time.perf_counter_ns() - started
        return taken

    def settle(self):
        """Warms up, and finds how many passes a sample takes."""
        for _, (number, one) in zip(range(20), itertools.cycle(enumerate(self.inputs))):
            if self.resets():
                self.restore(number)
            self.call(*one)
        self.passes, taken = 1, self.once()
        while taken < LEAST_SAMPLE_NS:
            self.passes = min(max(int(self.passes * LEAST_SAMPLE_NS / taken) + 1, self.passes + 1), 10 * self.passes)
            taken = self.once(self.passes)

    def untimed(self):
        """A pass, cut off after a millisecond: what other cells left in the caches is not measured."""
        started = time.perf_counter_ns()
        for number, one in enumerate(self.inputs):
            if self.resets():
                self.restore(number)
            self.call(*one)
            if time.perf_counter_ns() - started >= 1_000_000:
                break

    def sample(self):
        self.set_up()
        gc.disable()
        self.restore()
        if self.passes is None:
            self.settle()
        self.untimed()
        self.restore()
        self.samples.append(self.once(self.passes) / (self.passes * len(self.inputs)))
        gc.enable()

    def done(self):
        if self.problem or len(self.samples) >= MOST_SAMPLES:
            return True
        if len(self.samples) < LEAST_SAMPLES:
            return False
        middle, low, high = estimate(self.samples)
        return (high - low) / 2 <= PRECISION * middle


def measure(cells, seconds):
    """Samples every cell once per round, in a new random order, so that drift affects all of them equally."""
    shuffle, end = random.Random(SEED), time.monotonic() + seconds
    while True:
        todo = [cell for cell in cells if not cell.done()]
        if not todo or (time.monotonic() > end and all(cell.samples for cell in todo)):
            return
        shuffle.shuffle(todo)
        for cell in todo:
            cell.sample()


# ==== what it says ====

LEAST_FOR_INTERVAL = 6


def estimate(values):
    """Median with its distribution-free 95% interval, from order statistics; the range while there are too few."""
    ordered, m = sorted(values), len(values)
    if m < 8:
        return statistics.median(ordered), ordered[0], ordered[-1]
    low = math.floor((m - 1.96 * math.sqrt(m)) / 2)
    high = math.ceil(1 + (m + 1.96 * math.sqrt(m)) / 2)
    return statistics.median(ordered), ordered[max(0, low - 1)], ordered[min(m, high) - 1]


def speed_up(base, cell):
    """base / cell with its interval, paired by round: every cell was sampled in every round until it was done."""
    logs = [math.log(a) - math.log(b) for a, b in zip(base.samples, cell.samples)]
    return [math.exp(x) for x in estimate(logs)]


def sign(base, cell):
    """1: the cell is measurably faster; -1: slower; 0: neither; None: too few samples to be sure."""
    if min(len(base.samples), len(cell.samples)) < LEAST_FOR_INTERVAL:
        return None
    _, low, high = speed_up(base, cell)
    return 1 if low > 1 else -1 if high < 1 else 0


def crossing_in(places, ahead, rising):
    """Where the lead turns, by linear interpolation; if it does not, the end to which the turn has moved."""
    found = [x0 + (x1 - x0) * a / (a - b)
             for x0, x1, a, b in zip(places, places[1:], ahead, ahead[1:]) if (a < 0) != (b < 0)]
    if found:
        return found[len(found) // 2]
    return places[0] if (ahead[0] >= 0) == rising else places[-1]


def crossing(chance, places, base, mine, rising):
    """The crossing between the first and the last of these places, with a 95% bootstrap interval over rounds."""
    ahead = [statistics.median(a.samples) - statistics.median(b.samples) for a, b in zip(base, mine)]
    at, drawn = crossing_in(places, ahead, rising), []

    def again(cell):
        return statistics.median(chance.choices(cell.samples, k=len(cell.samples)))

    for _ in range(1000):
        drawn.append(crossing_in(places, [again(a) - again(b) for a, b in zip(base, mine)], rising))
    drawn.sort()
    return at, min(at, drawn[24]), max(at, drawn[-25])


def break_evens(cells):
    """Where a variant's curve crosses the baseline's along the first axis. A crossing takes a place where the variant
    is measurably behind and one where it is measurably ahead."""
    chance, rows = random.Random(SEED), []
    for held in sorted({cell.at[1:] for cell in cells}):
        curves = {}
        for cell in cells:
            if cell.at[1:] == held and cell.samples:
                curves.setdefault(cell.variant, {})[cell.at[0]] = cell
        base = curves.pop(BASELINE, {})
        for name, curve in curves.items():
            places = sorted(set(base) & set(curve))
            signs = [sign(base[x], curve[x]) for x in places]
            row = {"variant": name, "baseline": BASELINE, "kind": "break-even", "along": AXES[0], "cell": list(held),
                   "ahead": signs.count(1), "places": len(places), "tied": signs.count(0), "few": signs.count(None)}
            last, found = None, []
            for i, one in enumerate(signs):
                if not one:
                    continue
                if last is not None and one != signs[last]:
                    part = places[last:i + 1]
                    at, low, high = crossing(chance, part, [base[x] for x in part], [curve[x] for x in part], one > 0)
                    found.append(dict(row, status="found", at=at, ci_low=low, ci_high=high, backwards=one < 0))
                last = i
            if not found:
                all_ahead = signs and row["ahead"] == len(signs)
                nowhere = signs.count(-1) > 0 and row["ahead"] == 0 and row["few"] == 0
                found = [dict(row, status="always" if all_ahead else "never" if nowhere else "undefined")]
            rows += found
    return rows


def sentence(row):
    name, base, unit = row["variant"], BASELINE, UNIT
    where = " at %s" % ", ".join(str(x) for x in row["cell"]) if row["cell"] else ""
    if row["status"] == "found":
        return "%s is %s than %s%s at %.3g or more %s (%.3g to %.3g)" % (
            name, "slower again" if row["backwards"] else "faster", base, where, row["at"], unit, row["ci_low"],
            row["ci_high"])
    if row["status"] == "always":
        return "%s is faster than %s at every point measured%s" % (name, base, where)
    if row["status"] == "never":
        return "%s is not faster than %s at any point measured%s" % (name, base, where)
    if not row["places"]:
        return "%s and %s%s were not both measured anywhere" % (name, base, where)
    if row["few"]:
        return "%s: too few samples to be sure how it compares with %s%s" % (name, base, where)
    if row["ahead"]:
        return "%s is faster than %s%s at %d of %d points, within noise elsewhere" % (
            name, base, where, row["ahead"], row["places"])
    return "%s and %s%s are within noise of each other" % (name, base, where)


def text_of(nanoseconds):
    # A value that rounds to 1000 is written in the next larger unit.
    for unit, size in (("s", 1e9), ("ms", 1e6), ("us", 1e3), ("ns", 1)):
        value = nanoseconds / size
        if value >= 0.9995 or unit == "ns":
            return "%.*f %s" % (0 if value >= 99.95 else 1 if value >= 9.995 else 2, value, unit)


def bytes_of(size):
    if size is None:
        return "-"
    for unit, one in (("GiB", 2 ** 30), ("MiB", 2 ** 20), ("KiB", 2 ** 10)):
        value = size / one
        if size >= 9999.5 and value >= (1 if unit == "KiB" else 0.9995):
            return "%.*f %s" % (0 if value >= 99.95 else 1 if value >= 9.995 else 2, value, unit)
    return "%d B" % size


def recompiles_of(cell):
    if cell.executor not in COMPILED:
        return "-"
    return "%d%s" % (cell.recompiles, ", the limit" if cell.recompiles + 1 >= cell.limit else "")


def report(cells, rows):
    line = "%-12s %-16s %-10s %-22s %-8s %-10s %-10s %s"
    print(line % (", ".join(AXES), "variant", "median", "95% interval", "samples", "memory", "compile", "recompiles"))
    for cell in cells:
        place = ", ".join(str(value) for value in cell.at)
        if cell.problem:
            print("%-12s %-16s %s" % (place, cell.variant, cell.problem))
            continue
        middle, low, high = estimate(cell.samples)
        few = " (range)" if len(cell.samples) < LEAST_FOR_INTERVAL else ""
        compiled = text_of(statistics.median(cell.compile_ns)) if cell.executor in COMPILED else "-"
        print((line % (place, cell.variant, text_of(middle), "%s to %s%s" % (text_of(low), text_of(high), few),
                       len(cell.samples), bytes_of(cell.peak), compiled, recompiles_of(cell))).rstrip())
    print()
    for row in rows:
        print(sentence(row))
    if any(cell.recompiles + 1 >= cell.limit for cell in cells if cell.executor in COMPILED):
        print("The limit: PyTorch compiled as often as it is allowed to; calls that no compiled code fits run eagerly.")


def result(cells, rows):
    table = []
    for cell in cells:
        middle, low, high = (None, None, None) if cell.problem else estimate(cell.samples)
        compiled = statistics.median(cell.compile_ns) if cell.compile_ns and not cell.problem else None
        table.append({"variant": cell.variant, "at": list(cell.at), "latency_ns": middle, "ci_low_ns": low,
                      "ci_high_ns": high, "samples": len(cell.samples), "compile_first_ns": compiled,
                      "peak_bytes": cell.peak, "recompiles": cell.recompiles,
                      "activation_memory_budget": cell.share if cell.budget else None, "error": cell.problem})
    return {"fusebench": "result", "version": 1, "title": TITLE, "device": str(DEVICE), "baseline": BASELINE,
            "torch": torch.__version__,
            "axes": [{"name": name, "values": values} for name, values in zip(AXES, VALUES)], "cells": table,
            "crossings": rows}


def main():
    global DEVICE, COMPILES
    parser = argparse.ArgumentParser(description=TITLE)
    parser.add_argument("--device", default="cpu", help="cpu, cuda, cuda:1, ... (cpu)")
    parser.add_argument("--seconds", type=float, default=SECONDS, help="for sampling (%(default)s)")
    parser.add_argument("--compiles", type=int, default=COMPILES,
                        help="of each cell, with nothing kept from before; the median counts (%(default)s)")
    parser.add_argument("--json", metavar="FILE", help="write the results there as well")
    options = parser.parse_args()
    DEVICE, COMPILES = torch.device(options.device), max(options.compiles, 1)
    torch.manual_seed(SEED)
    print("%s\ntorch %s on %s" % (TITLE, torch.__version__, DEVICE), file=sys.stderr)
    with torch.no_grad():
        cells = [Cell(*variant, at) for at in itertools.product(*VALUES) for variant in VARIANTS]
        measure(cells, options.seconds)
    rows = break_evens(cells)
    report(cells, rows)
    if options.json:
        with open(options.json, "w") as file:
            json.dump(result(cells, rows), file, indent=1)


if __name__ == "__main__":
    main()

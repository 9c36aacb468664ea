# SPDX-License-Identifier: GPL-3.0-or-later
"""One cell, a program run by one executor over a list of inputs: compiled, counted, timed and checked.

The timed region is the one of Fusebench's own worker: whole passes over the list of inputs, one call after the
other, and on a GPU one synchronization at the end, divided by the number of calls. It holds Python's loop, the call,
and the freeing of results that nobody keeps, as in a program that uses PyTorch. It does not hold making or reading the
inputs, compiling (done before), garbage collection (off meanwhile), or autograd (no_grad, unless the cell or its
program is about gradients).
"""
import gc
import itertools
import math
import time

import torch

import fusebench_device as device_times
import fusebench_layers as layers
import fusebench_memory as memory
import fusebench_programs as programs
import fusebench_values as values

WARM_UP_CALLS = 20
UNTIMED_NS = 1_000_000
# After some idling calls are slower for a while: a lowered clock speed, or, in a virtual machine, a processor that
# others used meanwhile.
PAUSE_NS = 20_000_000
AWAKENING_NS = 30_000_000
SHORTEST_NS = 1_000_000
MOST_REASONS = 20
MOST_COUNTED = 1000000  # calls that are counted until a call fails
CANCELED = 1e-4
SUSPICIOUS = 1e-5  # an error of a result above which reasons for it are looked for
SAME = 1e-6  # two calls whose results differ by less made the same computation
TF32 = ("PyTorch may compute convolutions in TF32, which has 10 mantissa bits, unless a program "
        "sets torch.backends.cudnn.allow_tf32 to False")
CARRIED_ON = ("PyTorch's calls after the first return different results, because lists or other Python values of "
              "the program keep what earlier calls put there, whereas Fusebench begins each call with the initial "
              "values. To compare the same work, use --reset each-call, or \"reset\": \"each call\" under \"measure\"")
READS_UNSET = ("PyTorch's results depend on elements that torch.empty leaves unset, so they are not compared: set all "
               "elements before they are read, or use torch.zeros")
KEPT_TENSORS = ("after %d calls: %s; calls keep the values of %s; to restore them before each call, use --reset each-call, "
                "or \"reset\": \"each call\" under \"measure\"")
KEPT_VALUES = ("after %d calls: %s; lists or other Python values of the program keep what earlier calls put there; to "
               "restore them before each call, use --reset each-call, or \"reset\": \"each call\" under \"measure\"")

clock = time.perf_counter_ns


class Stopped(Exception):
    """Work was given up because a stop was asked for."""


def clock_cost():
    """Nanoseconds that one reading of the clock takes: the least of several tries."""
    costs = []
    for _ in range(5):
        start = clock()
        for _ in range(1000):
            clock()
        costs.append((clock() - start) / 1000)
    return min(costs)


class Cell:
    """`worker` gives device, compiler(), give_way() (throws Stopped), beat() (reports that work continues) and finished
    (when it last had something to do)."""

    def __init__(self, worker, request):
        self.worker, self.device = worker, worker.device
        self.executor, self.text = request["executor"], request["program"]
        self.threads = int(request.get("threads", 1))
        self.limit = int(request.get("recompile_limit", 8))
        self.file = request["inputs"]
        self.module = request.get("module")  # the user's own, in place of the text
        self.quantize, self.calibration = request.get("quantise"), request.get("calibration")
        gradients = request.get("gradients") or {}
        self.by, self.back = gradients.get("by", []), bool(gradients.get("back"))
        self.scale = gradients.get("scale", 1)
        # A program may also ask for gradients itself, as one that trains does.
        self.records = (bool(self.by) or bool(request.get("records")) or
                        any(word in self.text for word in programs.RECORDING))
        self.budget = request.get("memory_budget")  # bytes that a compiled call may take, its inputs included
        self.share = memory.ALL  # of the activations that PyTorch keeps by itself
        self.parallel = request.get("parallel")  # of several ranks: what they share, and how it passes between them
        self.writes = [int(i) for i in request.get("writes") or []]
        self.may_reset = request.get("reset") == "each call"
        self.resets = self.may_reset and bool(self.writes)
        self.source = self.call = self.list = self.on_device = None
        self.passes = 0
        reason = programs.why_not(self.executor, self.device)
        if reason:
            raise programs.Unavailable(reason)
        self.compiles = self.executor in programs.COMPILED

    # ---- what it runs on ----

    def inputs(self):
        """The list of inputs; read again if the worker had to drop it."""
        if self.list is None:
            self.list = self.worker.inputs(self.file)
            if self.by:
                self.list = [values.Entry(programs.requiring(entry.inputs, self.by), entry.results, entry.scales)
                             for entry in self.list]
            self.given = self.list
            if "distributed" in self.text and self.list:  # collectives write to their inputs
                self.writes = range(len(self.list[0].inputs))
            if self.writes:
                self.list = [values.Entry(self.own(entry.inputs), entry.results, entry.scales)
                             for entry in self.given]
        self.worker.touch(self)
        return self.list

    def own(self, inputs):
        """The same tensors, of which those that the program writes to are copies: others share the list."""
        return [self.copy_of(x) if i in self.writes else x for i, x in enumerate(inputs)]

    @staticmethod
    def copy_of(x):
        """A tensor of its own with the same strides."""
        made = torch.empty_strided(x.size(), x.stride(), dtype=x.dtype, device=x.device)
        return made.copy_(x.detach()).requires_grad_(x.requires_grad)

    def restore(self, only=None):
        """Restores the initial values of the tensors that the program writes to. Not timed. `only`: the number of the
        one entry whose inputs are restored."""
        entries = self.inputs()
        for number, entry in enumerate(entries if self.writes else ()):
            if only is not None and number != only:
                continue
            for i in self.writes:
                if i not in self.source.held:
                    entry.inputs[i].detach().copy_(self.given[number].inputs[i].detach())
        if entries:
            self.source.begin(self.given[0].inputs, self.writes)

    def begin_call(self, number=None):
        """Restores the state that calls write, if each call is to begin with it: that of one entry, or of all. Not
        timed."""
        if self.resets:
            self.restore(number)
            self.synchronize()

    def set_up(self):
        torch.set_grad_enabled(self.records)  # nobody else's calls record anything
        if torch.get_num_threads() != self.threads:
            torch.set_num_threads(self.threads)
        if self.compiles:
            self.worker.compiler().set_limit(self.limit)
            self.worker.compiler().set_memory_share(self.share)

    def synchronize(self):
        if self.device.type == "cuda":
            torch.cuda.synchronize(self.device)

    def kinds(self):
        """(inputs, how many entries are like them) of each kind of shapes, in the order of the list."""
        members = {}
        for entry in self.inputs():
            members.setdefault(entry.kind(), [entry, 0])[1] += 1
        return members.values()

    # ---- compiling ----

    def made(self, entries):
        """Executes the program's text and binds its weights and buffers. Static ranges are measured on `entries`."""
        if self.quantize:
            source, self.note = layers.quantized(self.text, self.quantize, self.calibration,
                                                 [self.own(entry.inputs) for entry in entries], self.device.type)
        else:
            source = programs.source_of(self.text, self.module)
            source.move(self.device)
            if entries:
                source.bind(entries[0].inputs)
        missing = [i for i in self.by if i in source.held and i not in source.tensors]
        if missing:
            raise programs.Unavailable("PyTorch has no tensor of its own for input %d, for which gradients are "
                                       "requested" % missing[0])
        return source

    def fresh(self):
        source = self.made(self.inputs())
        if self.source:
            self.source.forget()
        self.source, self.call = source, self.executable(source)

    def executable(self, source):
        shared = [i for i in self.by if i in self.parallel["shared"]] if self.parallel and self.back else []
        if shared:
            return self.worker.ranks.training(lambda module: programs.executable(self.executor, module, self.device),
                                              source, self.by, shared, self.parallel["bucket_bytes"],
                                              [entry.inputs for entry in self.inputs()], self.scale)
        call = programs.executable(self.executor, source.call, self.device)
        if self.by:
            return programs.differentiating(call, self.by, self.back, self.scale, source if source.held else None)
        # Otherwise gradients would accumulate over the calls.
        if ".backward(" in self.text and "zero_grad" not in self.text:
            return programs.forgetting(call, source)
        return call

    def compile_once(self):
        """Makes the executable again and calls it with each kind of inputs. Returns what compiling took, in the form
        that Fusebench keeps: nanoseconds of the first calls that compiled, whole (tracing, Inductor, the C++ compiler,
        the launch), since PyTorch does not tell them apart in the same way from version to version."""
        self.fresh()
        took = made = found = 0
        self.graphs = None
        compiler = self.worker.compiler() if self.compiles else None
        if compiler:
            compiler.reasons.lines.clear()
        for entry, _ in self.kinds():
            before, fetched = (compiler.compiled(), compiler.fetched()) if compiler else (0, 0)
            graphs = compiler.graphs() if compiler else 0
            given = self.source.free(entry.inputs)
            self.begin_call()
            start = clock()
            self.call(*given)
            self.synchronize()
            end = clock()
            if compiler and self.graphs is None:  # later ones may find some of theirs compiled
                self.graphs = compiler.graphs() - graphs
            if compiler and compiler.compiled() > before:
                took += end - start
                made += compiler.compiled() - before
                found += compiler.fetched() - fetched
            self.worker.beat()
            self.worker.give_way()
        self.resets = self.resets or (self.may_reset and self.source.state.has_changed())
        # The guard that failed last may have met the limit, and then nothing was compiled any more.
        self.recompiles = max(made - 1, 0)
        self.reasons = compiler.reasons.lines[:min(self.recompiles, MOST_REASONS)] if compiler else []
        return {"trace": 0, "fusion": 0, "codegen": 0, "compiler": took, "load": 0, "first_launch": 0,
                "kernels": made, "from_disk": min(found, made), "from_memory": 0}

    def measure_compile(self, repeats, seconds):
        compiler = self.worker.compiler()
        first, start = [], time.monotonic()
        for repeat in range(repeats):
            if self.worker.agreed(repeat > 0 and time.monotonic() - start >= seconds):
                break
            compiler.forget_all()
            first.append(self.compile_once())
        measured = {"compile_first": first}
        if seconds <= 0:
            return measured
        compiler.forget_memory()
        disk = self.compile_once()
        if disk["kernels"] > 0 and disk["from_disk"] >= disk["kernels"]:
            measured["compile_disk"] = disk
        memory = self.compile_once()
        memory["from_disk"], memory["from_memory"] = 0, memory["kernels"]
        measured["compile_memory"] = memory
        return measured

    def prepare(self, repeats, seconds):
        """Compiles as often as asked, and what is known of the cell before it is timed."""
        self.set_up()
        self.passes = 0
        if self.compiles:
            self.worker.compiler().warm_up(self.device)
            self.worker.beat()
        if self.compiles and self.budget:
            self.keep_within_budget()
        if self.compiles and repeats > 0:
            measured = self.measure_compile(repeats, seconds)
        else:
            nothing = self.compile_once()
            # Eager PyTorch compiles nothing: that is known, not measured.
            measured = {"compile_first": [nothing]} if repeats > 0 and not self.compiles else {}
        measured["inputs_used"] = len(self.inputs())
        if self.compiles:
            measured["recompiles"] = self.recompiles
            measured["recompile_reasons"] = self.reasons
            share = self.eager_share()
            if share is not None:
                measured["eager_share"] = share
            if self.graphs:
                measured["graphs"] = self.graphs
            if self.budget:
                measured["activation_memory_budget"] = self.share
        else:
            measured["recompiles"], measured["eager_share"] = 0, 0.0
        peak = self.peak_bytes()
        if peak is not None:
            measured["peak_bytes"] = peak
        return measured

    def keep_within_budget(self):
        """Finds the share of activations to keep with which each call takes what it may: compiled for that once each,
        before anything is measured."""
        def peak_at(share):
            self.share = share
            self.set_up()
            self.compile_once()
            peak = self.peak_bytes()
            if peak is None:
                raise programs.Unavailable("torch %s does not report the memory of a call, so a budget cannot be "
                                           "kept" % torch.__version__)
            return self.worker.agreed(peak)
        self.share = memory.share_within(self.budget, peak_at)
        self.set_up()

    def eager_share(self):
        """Share of the calls that run eagerly since PyTorch stopped compiling; None if unknown."""
        from fusebench_compiling import ran_compiled
        if self.recompiles + 1 < self.limit:
            return 0.0
        eager = 0
        for entry, amount in self.kinds():
            self.begin_call()
            compiled = ran_compiled(self.call, self.source.free(entry.inputs))
            if compiled is None:
                return None
            eager += 0 if compiled else amount
        return eager / len(self.inputs())

    def peak_bytes(self):
        """Bytes that one call takes, its inputs and results included: the most over the kinds. None if unknown."""
        peaks = []
        for entry, _ in self.kinds():
            self.begin_call()
            peaks.append(memory.peak_of(self.call, self.source.free(entry.inputs), self.device, entry.inputs))
            self.worker.beat()
            self.worker.give_way()
        return None if None in peaks else max(peaks, default=None)

    # ---- timing ----

    def timed_passes(self, passes):
        """Nanoseconds of so many passes over the list: the timed region."""
        call, entries = self.call, self.arguments
        self.worker.barrier()
        if self.resets:
            return self.resetting_passes(passes)
        start = clock()
        for _ in itertools.repeat(None, passes):
            for inputs in entries:
                call(*inputs)
        self.synchronize()
        return clock() - start

    def resetting_passes(self, passes):
        """The same of calls of which each is timed alone, without what reading the clock takes."""
        call, taken = self.call, 0
        for _ in itertools.repeat(None, passes):
            for number, inputs in enumerate(self.arguments):
                self.begin_call(number)
                start = clock()
                call(*inputs)
                self.synchronize()
                taken += max(clock() - start - self.worker.clock_cost, 0)
        return int(taken)

    def untimed_pass(self):
        """What came before is not measured: a pass of at most 1 ms, or after a pause, in which another worker was
        measured, passes until the processor is awake."""
        start = clock()
        paused = self.worker.agreed(start - self.worker.finished > PAUSE_NS)
        numbered = list(enumerate(self.arguments))
        for number, inputs in itertools.cycle(numbered) if paused else numbered:
            self.begin_call(number)
            self.call(*inputs)
            if self.worker.agreed(clock() - start >= (AWAKENING_NS if paused else UNTIMED_NS)):
                break
        self.synchronize()

    def warm_up(self):
        for _, (number, inputs) in zip(range(WARM_UP_CALLS), itertools.cycle(enumerate(self.arguments))):
            self.worker.give_way()
            self.begin_call(number)
            self.call(*inputs)
        self.synchronize()
        wanted = self.worker.agreed(max(SHORTEST_NS, 1000 * self.worker.clock_cost))
        self.passes = 1
        taken = self.worker.agreed(self.timed_passes(1))
        while taken < wanted:
            self.worker.give_way()
            estimate = int(self.passes * wanted / max(taken, 1)) + 1
            self.passes = min(max(estimate, self.passes + 1), self.passes * 10)
            taken = self.worker.agreed(self.timed_passes(self.passes))

    def sample(self):
        """One sample: nanoseconds per call, and the passes it took."""
        self.set_up()
        self.arguments = [self.source.free(entry.inputs) for entry in self.inputs()]
        try:
            return self.take_sample()
        except Stopped:
            raise
        except Exception as error:  # whatever the program raises
            self.explain(error)
            raise

    def explain(self, error):
        """Raises an error that says after how many calls one failed, and which tensors or Python values keep what earlier
        calls made of them."""
        kept = ", ".join("`%s`" % self.source.held[i].replace("_module.", "", 1)
                         for i in self.writes if i in self.source.tensors)
        if not (kept or self.source.state.has_changed()) or self.worker.ranks or self.resets:
            return
        self.restore()
        calls = 0
        try:
            for calls in range(MOST_COUNTED):
                self.worker.give_way()
                self.call(*self.arguments[calls % len(self.arguments)])
        except Stopped:
            raise
        except Exception as again:
            if calls > 0:
                text = (str(again).strip() or type(again).__name__).splitlines()[0]
                raise RuntimeError(KEPT_TENSORS % (calls, text, kept) if kept else KEPT_VALUES % (calls, text))

    def take_sample(self):
        collecting = gc.isenabled()
        gc.disable()
        try:
            if self.passes == 0:
                self.warm_up()
            self.restore()
            self.untimed_pass()
            self.worker.give_way()
            taken = self.timed_passes(self.passes)
            others = self.device_times()
        finally:
            if collecting:
                gc.enable()
        return {"ns": taken / (self.passes * len(self.arguments)), "passes": self.passes, **others}

    def device_times(self):
        """The other times of a sample on a GPU. Calls that begin with restored state are not timed in a row, and ranks
        wait for each other: they have none."""
        if self.device.type != "cuda" or self.resets or self.worker.ranks:
            return {}
        if self.on_device is None:
            self.on_device = device_times.DeviceTimes(torch.cuda, self.device)
        self.worker.give_way()
        return self.on_device.of(self.call, self.arguments)

    # ---- checking ----

    def check(self, path):
        """The results against those in a file, which Fusebench computed in double precision."""
        self.set_up()
        file = values.ValuesFile(path, self.device)
        call, source = self.call, self.source
        if file.separate:  # other shapes than those it runs on: nothing may be compiled for them there
            source = self.made(file.entries)
            call = self.executable(source)
        worst, noise, signal = 0.0, 0.0, 0.0
        carried_on = False
        for entry in file.entries:
            given = programs.requiring(entry.inputs, self.by) if self.by else entry.inputs
            given = self.own(given) if self.writes else given
            # Both sides make one call from the same state.
            source.begin(entry.inputs)
            got = programs.like(programs.tensors_of(call(*source.free(given))), entry.results,
                                len(self.by) if self.back else 0)
            worst = max(worst, values.largest_difference(got, entry.results, entry.scales))
            for mine, exact in zip(got, entry.results):
                if not mine.is_floating_point():
                    continue
                noise += float(((mine.double() - exact.double()) ** 2).sum())
                signal += float((exact.double() ** 2).sum())
            carried_on = carried_on or self.carries_on(source, call, entry, got)
            self.worker.beat()
            self.worker.give_way()
        if source is not self.source:
            source.forget()
        self.restore()
        notes = [file.note, self.note if self.quantize else "", self.short_of_float32(), CARRIED_ON if carried_on else ""]
        if not worst <= SUSPICIOUS and self.reads_unset(file.entries[0]):
            return {"check_note": READS_UNSET}
        checked = {"rel_error": worst, "check_note": "; ".join(note for note in notes if note)}
        # The error of a result that is almost 0 compared with the terms of its sum is not relative to its own size.
        if signal > 0 and math.isfinite(noise) and not (noise > signal and worst <= CANCELED):
            checked["accuracy"] = {"relative": math.sqrt(noise / signal)}
        return checked

    def reads_unset(self, entry):
        gradients = {"by": self.by, "back": self.back, "scale": self.scale}
        return not self.quantize and programs.reads_unset(self.text, entry.inputs, gradients, self.module)

    def carries_on(self, source, call, entry, first):
        """Whether a second call from the same tensors returns something other than the first one did, because Python
        values of the program have changed."""
        if self.resets or not source.state.has_changed():
            return False
        first = [each.clone() for each in first]
        given = programs.requiring(entry.inputs, self.by) if self.by else entry.inputs
        given = self.own(given) if self.writes else given
        source.begin_tensors(entry.inputs)
        try:
            second = programs.like(programs.tensors_of(call(*source.free(given))), first, 0)
            return values.largest_difference(second, first, entry.scales) > SAME
        except Exception:  # an iterator that has ended, an empty list, other shapes
            return True

    def short_of_float32(self):
        """What PyTorch, as it is, computes less exactly than in the program's float32; empty: nothing."""
        if self.device.type != "cuda" or "conv" not in self.text.lower():
            return ""
        if not any(x.dtype == torch.float32 for entry in self.inputs() for x in entry.inputs):
            return ""
        try:
            cudnn = torch.backends.cudnn
            fast = cudnn.enabled and cudnn.allow_tf32 and torch.cuda.get_device_capability(self.device)[0] >= 8
        except (AttributeError, RuntimeError):
            fast = False
        return TF32 if fast else ""


def compare(text, path, device, gradients=None, module=None):
    """Fusebench's results in a file against PyTorch's on the same inputs, in double precision where PyTorch can. Each
    entry is one call from the initial state."""
    file = values.ValuesFile(path, device)
    worst, double = 0.0, True
    for entry in file.entries:
        expected, exact = programs.in_double(text, entry.inputs, gradients, module)
        double = double and exact
        expected = programs.like(expected, entry.results,
                                 len(gradients["by"]) if gradients and gradients["back"] else 0)
        worst = max(worst, values.largest_difference(entry.results, expected, entry.scales))
    if not worst <= SUSPICIOUS and programs.reads_unset(text, file.entries[0].inputs, gradients, module):
        return {"check_note": READS_UNSET}
    return {"difference": worst, "precision": "float64" if double else "float32"}

# SPDX-License-Identifier: GPL-3.0-or-later
"""PyTorch as a measuring process of Fusebench: requests and replies are JSON lines on standard input and output.

    python3 fusebench_torch.py [--device cpu] [--ranks N --rank SOCKET]

Speaks the protocol of `fusebench-cli worker`, and says in `hello` what it wants with each cell: the program's text
and its inputs by value, in a file. It knows no schedule. Needs torch; without it, it says so. Python 3.7 or newer.
"""
import argparse
import collections
import json
import math
import os
import select
import signal
import sys
import threading
import time
import warnings
import weakref

PROTOCOL = 1
LONGEST_LINE = 1 << 20
VERBS = ("hello", "load", "prepare", "sample", "check", "compare", "trace", "stop", "quit", "code")

torch = cells = programs = values = NO_TORCH = None  # until import_torch()


def import_torch():
    """Takes seconds."""
    global torch, cells, programs, values, NO_TORCH
    try:
        import torch
        import fusebench_cells as cells
        import fusebench_programs as programs
        import fusebench_values as values
    except Exception as error:  # whatever is wrong with the installation, the driver is to hear of it
        torch, NO_TORCH = None, error
        return
    # torch.autocast("cuda") without a GPU: PyTorch computes something else than the program says.
    for message in ("User provided device_type of 'cuda', but CUDA is not available",
                    "CUDA is not available or torch_xla is imported. Disabling autocast"):
        warnings.filterwarnings("error", message=message)


class RequestError(Exception):
    pass


class Unsupported(Exception):
    pass


def no_torch():
    """Why there is no PyTorch, and how to get it, in one line."""
    where = "Python %d.%d.%d (%s)" % (sys.version_info[:3] + (sys.executable,))
    how = ("install it there (pip install torch; for Debian's own Python apt-get install python3-torch), or name an "
           "interpreter that has it: --python, FUSEBENCH_PYTHON, or in the window Menu, Python for PyTorch")
    if isinstance(NO_TORCH, ModuleNotFoundError) and NO_TORCH.name == "torch":
        return "%s has no PyTorch; %s" % (where, how)
    return "PyTorch cannot be used in %s: %s: %s; %s" % (
        where, type(NO_TORCH).__name__, one_line(NO_TORCH), how)


def one_line(error):
    text = str(error).strip()
    return text.splitlines()[0][:500] if text else type(error).__name__


def number(value):
    """JSON has no infinity."""
    if isinstance(value, float) and not math.isfinite(value):
        return "nan" if math.isnan(value) else "inf" if value > 0 else "-inf"
    return value


class Lines:
    """Requests as they come in, read on a thread of its own so that a `stop` is heard while something is being done,
    and replies, written whole."""

    def __init__(self, incoming, outgoing):
        self.incoming, self.outgoing = incoming, outgoing
        self.writing = threading.Lock()
        self.waiting = collections.deque()
        self.lock = threading.Lock()
        self.there = threading.Condition(self.lock)
        self.stopping = False
        self.ended = self.done = False

    def start(self):
        threading.Thread(target=self.read_all, daemon=True).start()

    def write(self, reply):
        line = (json.dumps(reply, allow_nan=False) + "\n").encode()
        try:
            with self.writing:
                while line:
                    line = line[os.write(self.outgoing, line):]
        except OSError:
            os._exit(0)  # nobody reads any more

    def error(self, number_, kind, message):
        self.write({"id": number_, "error": {"kind": kind, "message": message}})

    def read_all(self):
        rest = b""
        while True:
            try:
                piece = os.read(self.incoming, 1 << 16)
            except OSError:
                piece = b""
            if not piece:
                break
            *whole, rest = (rest + piece).split(b"\n")
            for line in whole:
                self.take(line)
            if len(rest) > LONGEST_LINE:
                self.error(None, "request", "the line is longer than 1 MiB")
                os._exit(1)
        with self.lock:
            self.ended = True
            self.there.notify()
        # Queued requests are still processed while the replies are read.
        poll = select.poll()
        poll.register(self.outgoing, 0)
        while not self.done:
            if any(events & (select.POLLERR | select.POLLHUP) for _, events in poll.poll(100)):
                os._exit(0)

    def take(self, line):
        if not line.strip():
            return
        try:
            request = json.loads(line)
            if not isinstance(request, dict):
                raise ValueError
        except ValueError:
            return self.error(None, "request", "this is not a JSON object: " + ascii(line[:60].decode("latin-1")))
        name = request.get("id")
        if not isinstance(name, int):
            return self.error(None, "request", "the request has no number; add \"id\"")
        if request.get("do") not in VERBS:
            return self.error(name, "request", "there is no request %s" % ascii(request.get("do")))
        with self.lock:
            if request["do"] == "stop":
                for dropped in self.waiting:
                    self.error(dropped["id"], "stopped", "stopped")
                self.waiting.clear()
                self.stopping = True
            self.waiting.append(request)
            self.there.notify()

    def next(self):
        """The next request; None at the end."""
        with self.lock:
            while not self.waiting and not self.ended:
                self.there.wait()
            if not self.waiting:
                return None
            request = self.waiting.popleft()
            if request["do"] == "stop":
                self.stopping = False
            return request


class Worker:
    def __init__(self, lines, device, ranks=None):
        """`ranks`: the group that this is one of, a fusebench_ranks.Ranks."""
        self.lines, self.device_name, self.ranks = lines, device, ranks
        self.cells, self.lists, self.recent = {}, weakref.WeakValueDictionary(), collections.OrderedDict()
        self.held, self.request = 0, None
        self.finished = time.perf_counter_ns()  # its last request
        self.compiler_ = None
        self.most = available_memory() // 2
        if torch:
            self.device = torch.device(device)
            self.clock_cost = cells.clock_cost()

    # ---- what cells ask for ----

    def agreed(self, ours):
        """A whole number that all ranks have alike, so that they make the same calls: rank 0's."""
        return self.ranks.agreed(ours) if self.ranks else ours

    def barrier(self):
        if self.ranks:
            self.ranks.barrier()

    def compiler(self):
        if self.compiler_ is None:
            from fusebench_compiling import Compiler
            self.compiler_ = Compiler()
        return self.compiler_

    def give_way(self):
        if self.lines.stopping:
            raise cells.Stopped()

    def beat(self):
        """Tells the driver that long work continues."""
        self.lines.write({"id": self.request, "working": True})

    def inputs(self, path):
        """The entries of a file of values; cells whose lists are alike share one."""
        found = self.lists.get(path)
        if found is None:
            found = InputList(values.ValuesFile(path, self.device))
            self.lists[path] = found
        return found

    def touch(self, cell):
        """Lists used least recently go when all together pass half of the memory that was free."""
        self.recent.pop(cell, None)
        self.recent[cell] = True
        while len(self.recent) > 1 and sum(one.bytes for one in list(self.lists.values())) > self.most:
            oldest, _ = self.recent.popitem(last=False)
            oldest.list = None
            oldest.arguments = None

    # ---- requests ----

    def answer(self, request):
        self.request = request["id"]
        return getattr(self, "do_" + request["do"])(request)

    def do_hello(self, _):
        greeting = {"protocol": PROTOCOL, "worker": "torch", "pid": os.getpid(), "device": self.device_name,
                    "wants": ["program", "inputs"], "compares": not self.ranks, "interpreter": sys.executable,
                    "environment": environment(self.device_name)}
        if NO_TORCH is not None:
            greeting["unavailable"] = no_torch()
            return greeting
        if self.ranks:
            greeting["environment"]["ranks"] = self.ranks.described()
        greeting["version"] = torch.__version__
        greeting["description"] = "PyTorch %s in Python %s" % (torch.__version__, sys.version.split()[0])
        greeting["executors"] = {name: programs.why_not(name, self.device) for name in programs.EXECUTORS}
        return greeting

    def do_load(self, request):
        if not isinstance(request.get("experiment"), str):
            raise RequestError("\"experiment\" must be a text")
        self.cells.clear()
        self.recent.clear()
        return {}

    def do_prepare(self, request):
        if NO_TORCH is not None:
            raise ImportError(no_torch())
        for key, kind in (("program", str), ("inputs", str), ("executor", str)):
            if not isinstance(request.get(key), kind):
                raise RequestError("\"%s\" is missing; this worker takes each cell's program and inputs" % key)
        cell = cells.Cell(self, request)
        measured = cell.prepare(int(request.get("compile_repeats", 5)), float(request.get("seconds", 1e9)))
        self.cells[key_of(request)] = cell
        return measured

    def cell(self, request):
        try:
            return self.cells[key_of(request)]
        except KeyError:
            raise RequestError("the cell is not prepared; send \"prepare\" first")

    def do_sample(self, request):
        return self.cell(request).sample()

    def do_check(self, request):
        if not isinstance(request.get("values"), str):
            raise RequestError("\"values\" is missing: the file of the expected results")
        return self.cell(request).check(request["values"])

    def do_compare(self, request):
        if NO_TORCH is not None:
            raise ImportError(no_torch())
        return cells.compare(request["program"], request["values"], torch.device("cpu"),
                             request.get("gradients"), request.get("module"))

    def do_trace(self, _):
        raise Unsupported("PyTorch's launches are not recorded by this worker")

    def do_code(self, _):
        raise Unsupported("the code that PyTorch generates is not shown")

    def do_stop(self, _):
        return {}

    do_quit = do_stop

    def reply(self, request):
        name = request["id"]
        try:
            result = self.answer(request)
            return {"id": name, "ok": {key: number(value) for key, value in result.items()}}
        except RequestError as error:
            kind, message = "request", one_line(error)
        except Unsupported as error:
            kind, message = "unsupported", one_line(error)
        except ImportError as error:
            kind, message = "unavailable", one_line(error)
        except MemoryError:
            kind, message = "unavailable", "there is not enough memory"
        except OSError as error:
            kind, message = "failed", one_line(error)
        except Exception as error:
            kind, message = self.judge(error)
        return {"id": name, "error": {"kind": kind, "message": message}}

    @staticmethod
    def judge(error):
        """The kind of an error that PyTorch or a cell raised."""
        if isinstance(error, cells.Stopped):
            return "stopped", "stopped"
        if isinstance(error, programs.Unavailable):
            return "unavailable", one_line(error)
        placed = programs.without_gpu(error)
        if placed:
            return "unavailable", placed
        if "out of memory" in str(error) or "can't allocate memory" in str(error):
            return "unavailable", "there is not enough memory: " + one_line(error)
        return "failed", "%s: %s" % (type(error).__name__, one_line(error))


class InputList(list):
    """Entries that cells share; a list that can be referred to weakly."""

    def __init__(self, file):
        super().__init__(file.entries)
        self.bytes = file.bytes

    __hash__ = object.__hash__


def key_of(request):
    try:
        return int(request["variant"]), tuple(int(value) for value in request["at"])
    except (KeyError, TypeError, ValueError):
        raise RequestError("the request names no cell")


def available_memory():
    try:
        with open("/proc/meminfo") as file:
            for line in file:
                if line.startswith("MemAvailable:"):
                    return int(line.split()[1]) * 1024
    except OSError:
        pass
    return 4 << 30


def environment(device):
    """The facts besides the machine on which PyTorch's times depend."""
    found = {"python": sys.version.split()[0]}
    if torch:
        found["torch"] = torch.__version__
        found["parallel"] = "OpenMP" if torch.backends.openmp.is_available() else "native"
        found["cpu_capability"] = capability()
        if torch.version.cuda and device != "cpu":
            found["cuda"] = torch.version.cuda
    return found


def capability():
    """The vector unit that PyTorch's own kernels use."""
    try:
        return torch.backends.cpu.get_cpu_capability()
    except AttributeError:
        for line in torch.__config__.show().splitlines():
            if "CPU capability usage" in line:
                return line.split(":")[-1].strip()
    return "unknown"


def private_output():
    """Whatever a library prints goes to standard error, never between the replies."""
    kept = os.dup(1)
    os.set_inheritable(kept, False)
    os.dup2(2, 1)
    return kept


def gain_no_privileges(device):
    """Nothing that this process starts (compilers) gets privileges that it lacks itself, and no core files are written.

    PyTorch needs files, compilers and sockets of its own, so it is held to no more. A GPU's driver may start a helper
    that needs privileges.
    """
    try:
        import resource
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        if device == "cpu":
            import ctypes
            no_new_privileges = 38  # PR_SET_NO_NEW_PRIVS of linux/prctl.h
            ctypes.CDLL(None).prctl(no_new_privileges, 1, 0, 0, 0)
    except Exception:  # measuring does not depend on it
        pass


def main():
    parser = argparse.ArgumentParser(description="PyTorch as a measuring process of Fusebench")
    parser.add_argument("--device", default="cpu", help="cpu, cuda, cuda:1, ... (cpu)")
    parser.add_argument("--ranks", type=int, default=1, help="how many processes run each cell together (1)")
    parser.add_argument("--rank", help="be one of them, and talk over this socket")
    given = parser.parse_args()
    device = given.device
    gain_no_privileges(device)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if given.rank:
        return rank_main(given)
    lines = Lines(0, private_output())
    lines.start()
    request = lines.next()
    if request is not None:
        # A sign of life: the driver waits for the first answer of an interpreter for a short time only.
        if request["do"] == "hello":
            lines.write({"id": request["id"], "working": True})
        import_torch()
        worker = Worker(lines, device)
        if torch:
            torch.set_grad_enabled(False)
        serve(lines, worker, request)
    return 0


def serve(lines, worker, request):
    """Answers requests, this one first, until there are none."""
    while request is not None:
        reply = worker.reply(request)
        worker.finished = time.perf_counter_ns()
        lines.write(reply)
        if request["do"] == "quit":
            break
        request = lines.next()
    lines.done = True


def rank_main(given):
    """One of several processes that run each cell together: see fusebench_ranks."""
    import fusebench_ranks
    meeting = fusebench_ranks.meet(given.rank)
    private_output()
    lines = Lines(meeting.fileno(), meeting.fileno())
    import_torch()
    try:
        if torch is None:
            raise ImportError(no_torch())
        ranks = fusebench_ranks.Ranks(given.rank, given.ranks, given.device)
    except Exception as error:  # the process that started the ranks reports it
        lines.write({"problem": one_line(error)})
        return 1
    lines.write({"rank": ranks.rank, "pid": os.getpid()})
    ranks.start_beats(lines)
    lines.start()
    torch.set_grad_enabled(False)
    serve(lines, Worker(lines, ranks.device, ranks), lines.next())
    ranks.leave()
    return 0


if __name__ == "__main__":
    sys.exit(main())

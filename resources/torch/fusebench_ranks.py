# SPDX-License-Identifier: GPL-3.0-or-later
"""One of several PyTorch processes that run a cell together: connected by gloo, on GPUs of their own by NCCL, they
train as DistributedDataParallel does.

The process that starts them (`fusebench-cli torch-worker --ranks N`, by mpirun) communicates with each over its own
socket: the worker's lines, and twice per second {"beat": seconds that this rank has been waiting for the others}.
"""
import ctypes
import datetime
import os
import signal
import socket
import threading
import time

BEAT_SECONDS = 0.5
# A rank that waits longer has lost the others; the host detects that earlier.
PATIENCE = datetime.timedelta(seconds=120)
PR_SET_PDEATHSIG = 1

torch = distributed = None  # until enter()


def own_rank():
    """As mpirun says."""
    for name in ("OMPI_COMM_WORLD_RANK", "PMI_RANK"):
        if name in os.environ:
            return int(os.environ[name])
    return 0


def rank_of_machine():
    """This process' number among the ranks of its machine, as mpirun says."""
    for name in ("OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID", "PMI_RANK"):
        if name in os.environ:
            return int(os.environ[name])
    return 0


def device_of_rank(device, rank, gpus):
    """The device of a rank: the GPUs in turn, beginning with the named one. Ranks share GPUs if there are too few."""
    if not device.startswith("cuda") or gpus == 0:
        return device
    first = int(device[5:]) if device.startswith("cuda:") else 0
    return "cuda:%d" % ((first + rank) % gpus)


def meet(path):
    """Connects to the socket of the process that started the ranks, and returns it."""
    try:  # nobody outlives who started it
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    except (OSError, AttributeError):
        pass
    meeting = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    meeting.connect(path)
    return meeting


class Ranks:
    """The group, seen from one of its ranks. Every call is one that all ranks make, in the same order."""

    def __init__(self, path, count, device="cpu"):
        """`device`: as for one process; self.device is this rank's own."""
        global torch, distributed
        import torch
        import torch.distributed as distributed
        gpus = torch.cuda.device_count() if device.startswith("cuda") else 0
        self.device = device_of_rank(device, rank_of_machine(), gpus)
        # In addition to gloo, which connects the hosts. Needs a GPU per rank, and a backend per kind of device.
        self.nccl = (gpus >= count and distributed.is_available() and distributed.is_nccl_available()
                     and int(torch.__version__.split(".")[0]) >= 2)
        if gpus:
            torch.cuda.set_device(self.device)
        gloo = distributed.is_available() and getattr(distributed, "is_gloo_available", lambda: True)()
        if not gloo:
            raise RuntimeError("torch %s is built without gloo, which several ranks need" % torch.__version__)
        os.environ.setdefault("GLOO_SOCKET_IFNAME", "lo")  # they are processes of one machine
        self.rank, self.count, self.since = own_rank(), count, None
        distributed.init_process_group("cpu:gloo,cuda:nccl" if self.nccl else "gloo", init_method="file://" + path + ".gloo", rank=self.rank,
                                       world_size=count, timeout=PATIENCE)

    def described(self):
        return {"count": self.count,
                "by": ("NCCL" if self.nccl else "gloo") + " of PyTorch " + torch.__version__}

    def waiting(self):
        since = self.since
        return 0.0 if since is None else time.monotonic() - since

    def leave(self):
        distributed.destroy_process_group()

    def barrier(self):
        self.since = time.monotonic()
        if self.nccl:  # whose barrier would be the devices'
            distributed.all_reduce(torch.zeros(1))
        else:
            distributed.barrier()
        self.since = None

    def agreed(self, ours):
        """The whole number that rank 0 passes, on all ranks."""
        self.since = time.monotonic()
        said = torch.tensor([int(ours)])
        distributed.broadcast(said, 0)
        self.since = None
        return int(said)

    def start_beats(self, lines):
        def beat():
            while True:
                lines.write({"beat": self.waiting()})
                time.sleep(BEAT_SECONDS)
        threading.Thread(target=beat, daemon=True).start()

    def training(self, compiled, source, by, shared, bucket_bytes, entries, scale=1):
        """A call that takes gradients of the first result by `by`, as programs.differentiating does; those by `shared`
        are averaged over the ranks by DistributedDataParallel, in buckets of so many bytes: 0, each by itself; below 0,
        all at the end. `compiled` makes of a module what runs it; `source`: the program; `entries`: the inputs that it
        will be called with; `scale`: what the first result is multiplied by before, and the gradients are divided by
        after."""
        given = [i for i in shared if i not in source.held]
        replica = replica_of(source, shared, entries[0])
        weights = dict(zip(shared, replica.weights))
        call = compiled(distributed_data_parallel(replica, bucket_bytes))
        # Inputs that differ between calls are put into the module before each; usually all calls share them.
        same = all(torch.equal(each[i], entries[0][i]) for each in entries for i in given)
        free = [i for i in range(len(entries[0])) if i not in source.held]
        passed = [at for at, i in enumerate(free) if i not in given]

        def train(*inputs):
            if not same:
                for i in given:
                    weights[i].data = inputs[free.index(i)].detach()
            results = as_tuple(call(*[inputs[at] for at in passed]))
            (results[0] if scale == 1 else results[0] * scale).backward()
            leaves = [weights[i] if i in weights else inputs[free.index(i)] for i in by]
            gradients = tuple(leaf.grad for leaf in leaves)
            for leaf in leaves:
                leaf.grad = None
            if scale != 1:
                gradients = tuple(gradient * (1 / scale) for gradient in gradients)
            return results + gradients
        return train


def replica_of(source, shared, inputs):
    """A module that calls the program. Its parameters are the shared inputs: weights of the program itself, and copies of
    those that a call passes."""
    class Replica(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.weights = torch.nn.ParameterList(
                source.tensors[i] if i in source.held else torch.nn.Parameter(inputs[i].detach()) for i in shared)
            self.given = {i: weight for i, weight in zip(shared, self.weights) if i not in source.held}
            self.free = [i for i in range(len(inputs)) if i not in source.held]

        def forward(self, *rest):
            rest = iter(rest)
            return as_tuple(source.call(*[self.given[i] if i in self.given else next(rest) for i in self.free]))

    # PyTorch caches compiled code per code object, so each replica needs its own.
    Replica.forward.__code__ = Replica.forward.__code__.replace(co_name="forward_")
    return Replica()


def distributed_data_parallel(module, bucket_bytes):
    everything = sum(weight.numel() * weight.element_size() for weight in module.parameters())
    cap = max(everything if bucket_bytes < 0 else bucket_bytes, 1)
    # The size of the first bucket, which would differ in some versions, and later in torch.compile.
    distributed._DEFAULT_FIRST_BUCKET_BYTES = cap
    return torch.nn.parallel.DistributedDataParallel(module, bucket_cap_mb=cap / (1 << 20))


def as_tuple(result):
    if isinstance(result, dict):
        result = tuple(result.values())
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

# SPDX-License-Identifier: GPL-3.0-or-later
"""Peak memory of a call, and the fraction of a compiled program's activations that may be saved within a memory budget.

On a GPU PyTorch counts the peak itself. On a CPU its profiler records all allocations and deallocations, in a call
that is not timed.
"""
import contextlib
import os

import torch

from fusebench_programs import Unavailable

# Tenths of what PyTorch keeps by itself: each that is tried is compiled.
STEPS = 10
ALL = 1.0


@contextlib.contextmanager
def silence():
    """The profiler is talkative; so are libraries below Python, which is why this is done to the file."""
    said, nowhere = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 2)
    try:
        yield
    finally:
        os.dup2(said, 2)
        os.close(said)
        os.close(nowhere)


def bytes_of(inputs):
    return sum(x.numel() * x.element_size() for x in inputs)


def peak_of(call, inputs, device, kept=None):
    """Peak bytes of a call, including its inputs, its results and the program's weights (`kept`: inputs and weights); None
    if PyTorch does not report them. Allocations inside libraries are not counted."""
    most = on_gpu(call, inputs, device) if device.type == "cuda" else on_cpu(call, inputs)
    return None if most is None else most + bytes_of(inputs if kept is None else kept)


def on_gpu(call, inputs, device):
    torch.cuda.synchronize(device)
    torch.cuda.reset_peak_memory_stats(device)
    before = torch.cuda.memory_allocated(device)
    call(*inputs)
    torch.cuda.synchronize(device)
    return torch.cuda.max_memory_allocated(device) - before


def on_cpu(call, inputs):
    try:
        with silence(), torch.autograd.profiler.profile(profile_memory=True) as profile:
            results = call(*inputs)  # kept until the profile ends
        events = profile.kineto_results.events()
    except (AttributeError, RuntimeError):  # a PyTorch that is built without it
        return None
    del results
    # Nanoseconds, or microseconds before 2.2. Events of the same time stay in the order in which they were recorded.
    moments = [(event.start_ns() if hasattr(event, "start_ns") else event.start_us(), event.nbytes())
               for event in events if event.name() == "[memory]"]
    now = most = 0
    for _, size in sorted(moments, key=lambda moment: moment[0]):
        now += size
        most = max(most, now)
    return most


def size_text(size):
    """1234567: "1235 KB", rounded up, so that it is enough as a budget."""
    return "%d KB" % ((size + 999) // 1000)


def share_within(budget, peak_at):
    """The largest share, in tenths, of the activations that PyTorch keeps by itself with which a call takes no more
    bytes than `budget`. `peak_at`: what it takes with a share. Throws Unavailable, naming the least, if none does."""
    least = None
    for tenths in range(STEPS, -1, -1):
        # Every fraction is tried: with fewer saved activations, more recomputed ones may be in memory at the same time.
        share = tenths / STEPS
        peak = peak_at(share)
        if peak <= budget:
            return share
        least = min(least or (peak, share), (peak, share))
    raise Unavailable("torch.compile exceeds the budget with every activation_memory_budget: its smallest peak is "
                      "%s, with %g; give a budget of at least that" % (size_text(least[0]), least[1]))

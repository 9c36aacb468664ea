# SPDX-License-Identifier: GPL-3.0-or-later
"""The times of calls on a GPU other than the wall's, as Fusebench measures them for its own executors: until a call
returns to the host, on the device, between events, and with the wait for it."""
import time

MOST_HELD_CALLS = 16  # PyTorch does not tell how many launches a call has; a driver queues about 1,024
FIRST_STALL_NS = 1_000_000  # beyond twice what the calls take the host
LONGEST_STALL_NS = 200_000_000
GREATEST_CLOCK = 3  # cycles per nanosecond: no GPU is faster, and a slower one stalls for longer


class DeviceTimes:
    """Times calls in the current stream of a GPU. `cuda` is torch.cuda; `clock` returns nanoseconds."""

    def __init__(self, cuda, device, clock=time.perf_counter_ns):
        self.cuda, self.device, self.clock = cuda, device, clock
        self.holds = hasattr(cuda, "_sleep")

    def event(self):
        event = self.cuda.Event(enable_timing=True)
        event.record()
        return event

    def enqueued(self, call, entries, most):
        """(calls, nanoseconds that the host took for them): so many calls of the entries, in turn."""
        start = self.clock()
        for number in range(most):
            call(*entries[number % len(entries)])
        return most, self.clock() - start

    def queued(self, call, entries):
        """(until a call returns, between events): nanoseconds per call, of calls in a row that are waited for once."""
        self.cuda.synchronize(self.device)
        begin = self.event()
        calls, host = self.enqueued(call, entries, MOST_HELD_CALLS)
        end = self.event()
        self.cuda.synchronize(self.device)
        return host / calls, begin.elapsed_time(end) * 1e6 / calls

    def held(self, call, entries, host):
        """Nanoseconds per call on the device, which is kept busy until all calls are enqueued; None if it cannot be:
        a call waits for the device, or has more launches than the driver queues. `host`: what enqueuing takes per
        call, in nanoseconds."""
        stall = 2 * host * MOST_HELD_CALLS + FIRST_STALL_NS
        while self.holds and stall <= LONGEST_STALL_NS:
            self.cuda.synchronize(self.device)
            self.cuda._sleep(int(stall * GREATEST_CLOCK))
            begin = self.event()
            calls, took = self.enqueued(call, entries, MOST_HELD_CALLS)
            lasted = not begin.query()
            end = self.event()
            self.cuda.synchronize(self.device)
            if lasted:
                return begin.elapsed_time(end) * 1e6 / calls
            stall = 4 * max(stall, took)
        self.holds = False  # each attempt takes as long as its stall
        return None

    def synchronized(self, call, entries):
        """Nanoseconds per call with the wait for it, over one pass."""
        taken = 0
        for inputs in entries:
            start = self.clock()
            call(*inputs)
            self.cuda.synchronize(self.device)
            taken += self.clock() - start
        return taken / len(entries)

    def of(self, call, entries):
        """The times of a sample, by the keys of the worker's protocol."""
        host, between = self.queued(call, entries)
        times = {"enqueue_ns": host, "event_ns": between, "single_ns": self.synchronized(call, entries)}
        device = self.held(call, entries, host)
        if device:
            times["device_ns"] = device
        return times

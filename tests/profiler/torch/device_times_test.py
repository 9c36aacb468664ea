# SPDX-License-Identifier: GPL-3.0-or-later
"""The times on a GPU that the PyTorch worker reports, on a GPU with a queue and a known clock."""
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "resources" / "torch"))

from fusebench_device import GREATEST_CLOCK, MOST_HELD_CALLS, DeviceTimes


class Event:
    def __init__(self, gpu):
        self.gpu, self.at = gpu, None

    def record(self):
        self.at = self.gpu.end()

    def query(self):
        return self.at <= self.gpu.now

    def elapsed_time(self, other):
        return (other.at - self.at) / 1e6


class Gpu:
    """As torch.cuda: a host and one stream, in nanoseconds of a virtual clock."""

    def __init__(self, wait=500):
        self.now, self.ready, self.wait, self.slept = 0, 0, wait, 0

    def clock(self):
        return self.now

    def end(self):
        """When all that is enqueued now is done."""
        self.ready = max(self.ready, self.now)
        return self.ready

    def launch(self, host, device):
        self.now += host
        self.ready = self.end() + device

    def _sleep(self, cycles):
        self.slept += 1
        self.launch(0, cycles / GREATEST_CLOCK)

    def synchronize(self, _device=None):
        self.now = max(self.now, self.ready) + self.wait

    def Event(self, enable_timing):
        assert enable_timing
        return Event(self)


class Times(unittest.TestCase):
    def times(self, gpu, call, entries=((1,), (2,))):
        return DeviceTimes(gpu, "cuda:0", gpu.clock).of(call, entries)

    def test_the_device_does_not_wait_for_a_slower_host(self):
        gpu = Gpu()
        times = self.times(gpu, lambda _: gpu.launch(host=8000, device=2000))
        self.assertEqual(times["enqueue_ns"], 8000)
        self.assertEqual(times["event_ns"], (MOST_HELD_CALLS * 8000 + 2000) / MOST_HELD_CALLS)
        self.assertEqual(times["single_ns"], 8000 + 2000 + gpu.wait)
        self.assertAlmostEqual(times["device_ns"], 2000)
        self.assertEqual(gpu.slept, 1)

    def test_a_slower_device_takes_what_it_takes(self):
        gpu = Gpu()
        times = self.times(gpu, lambda _: gpu.launch(host=3000, device=50000))
        self.assertAlmostEqual(times["device_ns"], 50000)
        self.assertAlmostEqual(times["event_ns"], 50000, delta=3000)

    def test_a_call_that_waits_for_the_device_has_no_time_on_it_and_is_not_tried_again(self):
        gpu = Gpu()

        def call(_):
            gpu.launch(host=3000, device=1000)
            gpu.synchronize()
        of_gpu = DeviceTimes(gpu, "cuda:0", gpu.clock)
        self.assertNotIn("device_ns", of_gpu.of(call, [(1,)]))
        tries = gpu.slept
        self.assertGreater(tries, 0)
        self.assertLess(gpu.now, 1e9)
        self.assertIn("event_ns", of_gpu.of(call, [(1,)]))
        self.assertEqual(gpu.slept, tries)

    def test_a_host_that_is_late_once_gets_a_longer_stall(self):
        gpu, calls = Gpu(), []

        def call(_):
            calls.append(1)
            late = len(calls) == 2 + 2 * MOST_HELD_CALLS  # in the held row
            gpu.launch(host=5_000_000 if late else 4000, device=1000)
        times = self.times(gpu, call)
        self.assertAlmostEqual(times["device_ns"], 1000)
        self.assertEqual(gpu.slept, 2)

    def test_a_torch_that_cannot_keep_the_device_busy_lacks_only_this_time(self):
        class Older(Gpu):
            _sleep = property()  # raises AttributeError
        gpu = Older()
        times = self.times(gpu, lambda _: gpu.launch(host=3000, device=1000))
        self.assertEqual(sorted(times), ["enqueue_ns", "event_ns", "single_ns"])


if __name__ == "__main__":
    unittest.main()

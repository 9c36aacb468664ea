# SPDX-License-Identifier: GPL-3.0-or-later
"""The memory that the PyTorch worker reports for a call, and how it keeps a compiled program within a budget.

    python3 memory_test.py                    # against the fake torch next to this folder
    ~/venv/bin/python memory_test.py --real   # against the torch 2 of that interpreter: a minute
"""
import unittest

import compiling_test
from compiling_test import REAL, Entry, Worker

import torch

import fusebench_cells as cells
import fusebench_memory as memory
import fusebench_programs as programs

INPUT_BYTES = 4 * 8 * 4
# Blocks that are wide inside and narrow between: their insides can be recomputed one after another.
BLOCKS = ("def program(x, up, down):\n" + "    x = x + torch.tanh(x @ up) @ down\n" * 4 + "    return x.sum()\n")
WIDE = 512 * 512 * 4
BROKEN = ("def program(x):\n    y = torch.sin(x)\n    if y.mean() > -2:\n        y = torch.exp(y)\n"
          "    else:\n        y = torch.cos(y)\n    return y.sum()\n")


def cell(executor, budget=None, shapes=((4, 8),)):
    request = {"executor": executor, "program": compiling_test.PROGRAM, "inputs": "list"}
    if budget:
        request["memory_budget"] = budget
    return cells.Cell(Worker(shapes), request)


class Blocks(Worker):
    """With the inputs of BLOCKS."""

    def __init__(self):
        entry = Entry((512, 32))
        entry.inputs += [torch.randn(32, 512), torch.randn(512, 32)]
        entry.results, entry.scales = [], []
        super().__init__([])
        self.list = [entry]


def blocks(executor, budget=None):
    request = {"executor": executor, "program": BLOCKS, "inputs": "list", "gradients": {"by": [1, 2], "back": True}}
    if budget:
        request["memory_budget"] = budget
    return cells.Cell(Blocks(), request)


class Budgets(unittest.TestCase):
    def test_the_most_that_keeps_within_it_is_kept(self):
        self.assertEqual(memory.share_within(700, lambda share: 1000 * share), 0.7)
        self.assertEqual(memory.share_within(1000, lambda share: 1000 * share), 1.0)

    def test_less_kept_may_take_more(self):
        self.assertEqual(memory.share_within(400, lambda share: 1000 * share if share else 900), 0.4)

    def test_what_cannot_be_kept_names_the_least(self):
        with self.assertRaisesRegex(programs.Unavailable, "its smallest peak is 101 KB, with 0.1; give a budget of at least that"):
            memory.share_within(400, lambda share: 1000123 * share if share else 900000)


@unittest.skipIf(REAL, "counts the bytes of the fake one")
class InTheFake(unittest.TestCase):
    def test_an_eager_call_takes_what_it_allocates_and_its_inputs(self):
        self.assertEqual(cell("torch").prepare(1, 60)["peak_bytes"], torch.EAGER_BYTES + INPUT_BYTES)

    def test_of_several_kinds_the_largest_counts(self):
        self.assertEqual(cell("torch", shapes=[(4, 8), (8, 8)]).prepare(1, 60)["peak_bytes"],
                         torch.EAGER_BYTES + 2 * INPUT_BYTES)

    def test_a_compiled_call_is_kept_to_its_budget(self):
        measured = cell("torch-static", torch.KEPT_BYTES // 2 + INPUT_BYTES).prepare(1, 60)
        self.assertEqual(measured["activation_memory_budget"], 0.5)
        self.assertEqual(measured["peak_bytes"], torch.KEPT_BYTES // 2 + INPUT_BYTES)
        # Others are compiled as they were.
        self.assertEqual(cell("torch-static").prepare(1, 60)["peak_bytes"], torch.KEPT_BYTES + INPUT_BYTES)

    def test_a_function_without_breaks_is_one_graph(self):
        self.assertEqual(cell("torch-static", shapes=compiling_test.SHAPES).prepare(2, 60)["graphs"], 1)
        self.assertNotIn("graphs", cell("torch").prepare(1, 60))


@unittest.skipUnless(REAL, "needs a torch 2")
class InPyTorch(unittest.TestCase):
    def test_an_eager_call_keeps_what_its_derivative_reads(self):
        peak = blocks("torch").prepare(0, 60)["peak_bytes"]
        self.assertGreater(peak, 4 * WIDE)
        self.assertLess(peak, 8 * WIDE)

    def test_a_compiled_call_is_kept_to_its_budget(self):
        free = blocks("torch-static").prepare(0, 60)
        self.assertNotIn("activation_memory_budget", free)
        budget = free["peak_bytes"] - 2 * WIDE + 100000
        kept = blocks("torch-static", budget).prepare(0, 60)
        self.assertLess(kept["activation_memory_budget"], 1)
        self.assertGreater(kept["activation_memory_budget"], 0)
        self.assertLessEqual(kept["peak_bytes"], budget)

    def test_a_choice_by_values_makes_two_graphs(self):
        self.assertEqual(cells.Cell(Worker([(64,)]), {"executor": "torch-static", "program": BROKEN,
                                                      "inputs": "list"}).prepare(1, 60)["graphs"], 2)


if __name__ == "__main__":
    unittest.main()

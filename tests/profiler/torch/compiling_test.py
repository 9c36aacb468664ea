# SPDX-License-Identifier: GPL-3.0-or-later
"""The compiling half of the PyTorch worker: what it counts, forgets, finds again and says of recompiles.

    python3 compiling_test.py                    # against the fake torch next to this folder
    ~/venv/bin/python compiling_test.py --real   # against the torch 2 of that interpreter

The same claims hold for both; a real one takes a minute.
"""
import glob
import logging
import os
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
REAL = "--real" in sys.argv
if REAL:
    sys.argv.remove("--real")
else:
    sys.path.insert(0, os.path.join(HERE, "..", "fake_torch"))
sys.path.insert(0, os.path.join(HERE, "..", "..", "..", "resources", "torch"))

import torch

import fusebench_cells as cells
import fusebench_compiling as compiling

PROGRAM = "def program(x):\n    return torch.sin(x) + x\n"


class Entry:
    """One of a list of inputs."""

    def __init__(self, shape):
        self.inputs = [torch.randn(shape)]
        self.results, self.scales = [], []

    def kind(self):
        return tuple(self.inputs[0].shape)


class Worker:
    """As much of a worker as a cell asks of."""

    device = torch.device("cpu")
    clock_cost = 50
    finished = 0
    the_compiler = None  # one in a process, as in the worker
    ranks = None

    def __init__(self, shapes):
        self.list = [Entry(shape) for shape in shapes]

    def agreed(self, ours):
        return ours

    def barrier(self):
        pass

    def inputs(self, file):
        return self.list

    def compiler(self):
        if Worker.the_compiler is None:
            Worker.the_compiler = compiling.Compiler()
        return Worker.the_compiler

    def touch(self, cell):
        pass

    def beat(self):
        pass

    def give_way(self):
        pass


def cell(executor, shapes, limit=8):
    return cells.Cell(Worker(shapes), {"executor": executor, "program": PROGRAM, "inputs": "list",
                                       "recompile_limit": limit})


SHAPES = [(4, 8), (5, 8), (6, 8), (4, 8)]


class Recording(unittest.TestCase):
    def records(self, program, **more):
        one = cells.Cell(Worker(SHAPES[:1]), dict(executor="torch", program=program, inputs="list", **more))
        one.set_up()
        return torch.is_grad_enabled()

    def tearDown(self):
        torch.set_grad_enabled(False)

    def test_is_for_cells_and_programs_that_are_about_gradients(self):
        self.assertTrue(self.records("def program(x):\n    x.requires_grad_()\n    return torch.sin(x)\n"))
        self.assertFalse(self.records(PROGRAM), "the one before leaves nothing behind")
        self.assertTrue(self.records(PROGRAM, gradients={"by": [0], "back": True}))

    @unittest.skipUnless(REAL, "the fake torch differentiates nothing")
    def test_a_step_of_training_written_out_is_run(self):
        text = ("def program(x):\n    x.requires_grad_()\n    loss = (x * x).sum()\n"
                "    g = torch.autograd.grad(loss, x)[0]\n    x.detach().add_(g, alpha=-0.5)\n    return loss\n")
        one = cells.Cell(Worker(SHAPES[:1]), {"executor": "torch", "program": text, "inputs": "list", "writes": [0]})
        one.prepare(0, 60)
        self.assertGreater(one.sample()["ns"], 0)
        self.assertEqual(float(one.list[0].inputs[0].detach().abs().max()), 0.0)


class Compiling(unittest.TestCase):
    def test_static_compiles_once_for_each_kind_of_shapes(self):
        measured = cell("torch-static", SHAPES).prepare(2, 60)
        self.assertEqual([once["kernels"] for once in measured["compile_first"]], [3, 3])
        self.assertTrue(all(once["compiler"] > 0 for once in measured["compile_first"]))
        self.assertEqual(measured["recompiles"], 2)
        self.assertEqual(measured["eager_share"], 0.0)
        self.assertEqual(measured["inputs_used"], 4)

    def test_dynamic_compiles_once_for_all(self):
        measured = cell("torch-dynamic", SHAPES).prepare(1, 60)
        self.assertEqual(measured["compile_first"][0]["kernels"], 1)
        self.assertEqual(measured["recompiles"], 0)

    def test_what_is_compiled_anew_came_from_no_cache(self):
        for once in cell("torch-static", SHAPES[:2]).prepare(3, 60)["compile_first"]:
            self.assertEqual((once["from_disk"], once["from_memory"]), (0, 0))

    def test_from_disk_is_what_the_cache_had(self):
        disk = cell("torch-static", SHAPES[:2]).prepare(1, 60).get("compile_disk")
        self.assertIsNotNone(disk, "a second process would compile all of it again")
        self.assertEqual(disk["from_disk"], disk["kernels"])

    def test_in_memory_nothing_is_fetched(self):
        memory = cell("torch-static", SHAPES[:2]).prepare(1, 60)["compile_memory"]
        self.assertEqual(memory["from_disk"], 0)
        self.assertEqual(memory["from_memory"], memory["kernels"])

    def test_beyond_the_limit_calls_run_eagerly_and_that_is_said(self):
        measured = cell("torch-static", [(n, 8) for n in (4, 5, 6, 7)], limit=2).prepare(1, 60)
        self.assertEqual(measured["compile_first"][0]["kernels"], 2)
        self.assertEqual(measured["recompiles"], 1)
        self.assertEqual(measured["eager_share"], 0.5)

    def test_eager_is_known_to_compile_nothing(self):
        measured = cell("torch", SHAPES).prepare(1, 60)
        self.assertEqual(measured["compile_first"][0]["kernels"], 0)
        self.assertEqual(measured["recompiles"], 0)

    def test_why_it_was_compiled_again_is_the_newest_guard(self):
        compiler = Worker([]).compiler()
        compiler.reasons.lines.clear()
        text = ("Recompiling function f in <string>:1\n"
                "    triggered by the following guard failure(s):\n"
                "    - 0/1: tensor 'x' size mismatch at index 0. expected 5, actual 6\n"
                "    - 0/0: tensor 'x' size mismatch at index 0. expected 4, actual 6\n")
        compiler.reasons.emit(logging.LogRecord("a", logging.DEBUG, "", 0, text, (), None))
        self.assertEqual(compiler.reasons.lines,
                         ["tensor 'x' size mismatch at index 0. expected 5, actual 6"])

    def test_forgetting_leaves_the_precompiled_header_alone(self):
        compiler = Worker([]).compiler()
        header = os.path.join(compiler.folder, "precompiled_headers")
        os.makedirs(header, exist_ok=True)
        open(os.path.join(compiler.folder, "kernel"), "w").close()
        compiler.forget_all()
        self.assertEqual(os.listdir(compiler.folder), ["precompiled_headers"])

    def test_folders_of_processes_that_are_gone_are_swept(self):
        gone, here = (tempfile.mkdtemp(prefix="%s%d-" % (compiling.PREFIX, owner))
                      for owner in (2 ** 22 + 1, os.getpid()))  # no process has the first number
        compiling.sweep()
        self.assertFalse(os.path.exists(gone))
        self.assertTrue(os.path.exists(here))
        os.rmdir(here)

    def test_its_cache_is_its_own(self):
        compiler = Worker([]).compiler()
        self.assertEqual(os.environ["TORCHINDUCTOR_CACHE_DIR"], compiler.folder)
        self.assertIn(compiler.folder,
                      glob.glob(os.path.join(tempfile.gettempdir(), "%s%d-*" % (compiling.PREFIX, os.getpid()))))


if __name__ == "__main__":
    unittest.main()

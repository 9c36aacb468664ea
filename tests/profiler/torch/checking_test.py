# SPDX-License-Identifier: GPL-3.0-or-later
"""The PyTorch worker's notes on a cell's error.

    python3 checking_test.py                    # with the fake torch next to this folder
    ~/venv/bin/python checking_test.py --real   # with the torch 2 of that interpreter
"""
import types
import unittest
from unittest import mock

import compiling_test

import torch

import fusebench_cells as cells

assert compiling_test  # importing it finds torch and the modules

CONVOLUTION = "def program(x, w):\n    return F.conv2d(x, w)\n"


def note(text=CONVOLUTION, device="cuda", dtype=torch.float32, allowed=True, capability=(9, 0)):
    cell = cells.Cell.__new__(cells.Cell)
    cell.text, cell.device = text, types.SimpleNamespace(type=device)
    cell.inputs = lambda: [types.SimpleNamespace(inputs=[types.SimpleNamespace(dtype=dtype)])]
    backends = types.SimpleNamespace(cudnn=types.SimpleNamespace(enabled=True, allow_tf32=allowed))
    cuda = types.SimpleNamespace(get_device_capability=lambda _: capability)
    with mock.patch.object(torch, "backends", backends, create=True), mock.patch.object(torch, "cuda", cuda, create=True):
        return cell.short_of_float32()


class ShortOfFloat32(unittest.TestCase):
    def test_convolutions_in_tf32_are_said(self):
        self.assertEqual(note(), cells.TF32)
        self.assertIn("torch.backends.cudnn.allow_tf32", note())

    def test_nothing_is_said_where_there_are_none(self):
        self.assertEqual(note(allowed=False), "")
        self.assertEqual(note(device="cpu"), "")
        self.assertEqual(note(capability=(7, 5)), "")
        self.assertEqual(note(dtype=torch.float64), "")
        self.assertEqual(note(text="def program(x, w):\n    return x @ w\n"), "")

    def test_a_torch_that_does_not_tell_is_taken_as_it_is(self):
        cell = cells.Cell.__new__(cells.Cell)
        cell.text, cell.device = CONVOLUTION, types.SimpleNamespace(type="cuda")
        cell.inputs = lambda: [types.SimpleNamespace(inputs=[types.SimpleNamespace(dtype=torch.float32)])]
        with mock.patch.object(torch, "backends", types.SimpleNamespace(), create=True):
            self.assertEqual(cell.short_of_float32(), "")


if __name__ == "__main__":
    unittest.main()

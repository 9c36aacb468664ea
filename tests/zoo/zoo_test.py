# SPDX-License-Identifier: GPL-3.0-or-later
"""The page of the zoo, made from results that are written here. Needs neither PyTorch nor the program."""
import pathlib
import sys
import types
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import zoo  # noqa: E402


def result(name, static, torch, compiled, **more):
    cell = {"torch_difference": 1e-7, "launches": {"mean": 3}, "peak_bytes": 1e6}
    times = {"eager": 2 * static, "static": static, "dynamic": static, "instant": static, "torch": torch,
             "torch-static": compiled}
    return {"name": name, "captured": True, "nodes": 3, "graph": 0.0,
            "cells": {each: dict(cell, latency_ns=time) for each, time in times.items()}, **more}


ANATOMY = {"parts": {"kernel": 80.0, "dispatch": 20.0},
           "launches": [{"kernel": "conv2d", "parts": {"kernel": 30.0}}, {"kernel": "conv2d", "parts": {"kernel": 40.0}},
                        {"kernel": "add, relu", "parts": {"kernel": 10.0, "dispatch": 20.0}}]}


def page(results, timings=True):
    return zoo.page(results, {each["name"]: "CNN" for each in results}, types.SimpleNamespace(timings=timings))


class Page(unittest.TestCase):
    def test_speedups_have_their_median_over_all_models(self):
        text = page([result("a", 100, 200, 150), result("b", 100, 300, 90), result("c", 100, 50, 120)])
        self.assertIn("- over PyTorch eager: median 2.00, from 0.50 to 3.00; slower for 1 of 3 models", text)
        self.assertIn("- over torch.compile: median 1.20, from 0.90 to 1.50; slower for 1 of 3 models", text)

    def test_a_slower_model_has_its_reason_in_its_row(self):
        text = page([result("a", 100, 200, 150, work=zoo.work_of(ANATOMY)), result("b", 100, 90, 80, work=zoo.work_of(ANATOMY))])
        fast, slow = [line for line in text.splitlines() if line.startswith(("| a |", "| b |"))]
        self.assertTrue(fast.endswith("| 2.00 | 1.50 |  |"), fast)
        self.assertIn("slower than PyTorch eager (0.90) and torch.compile (0.80): 70% in 2 launches of conv2d, 10% in 1 "
                      "launch of add, relu, 20% outside of kernels", slow)

    def test_a_model_without_a_recorded_call_has_no_guess(self):
        self.assertEqual(zoo.reason(result("a", 100, 90, 150, work=zoo.work_of(None))), "slower than PyTorch eager (0.90)")
        self.assertEqual(zoo.reason(result("a", 100, 110, 150)), "")
        self.assertEqual(zoo.reason({"name": "a", "captured": False}), "")

    def test_a_page_without_times_states_that(self):
        text = page([result("a", 100, 90, 150)], timings=False)
        self.assertIn("Times were not measured", text)
        self.assertNotIn("slower than", text)


if __name__ == "__main__":
    unittest.main()

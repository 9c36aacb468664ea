# SPDX-License-Identifier: GPL-3.0-or-later
"""The Python package from outside, with the program that was built.

Run as: package_test.py SOURCES FUSEBENCH_CLI
"""
import doctest
import importlib
import io
import json
import os
import pathlib
import re

import signal
import subprocess
import sys
import tempfile
import types
import unittest
from unittest import mock

SOURCES = pathlib.Path(sys.argv[1]).resolve()
os.environ["FUSEBENCH_CLI"] = os.path.abspath(sys.argv[2])
os.environ.setdefault("LANG", "C.UTF-8")
sys.path.insert(0, str(SOURCES / "python"))

import fusebench as fb  # noqa: E402
from fusebench import experiment, program  # noqa: E402

MLP = "def mlp(x, w):\n    h = torch.relu(x @ w)\n    return torch.sin(h).sum()\n"
QUICK = {"quick": True, "budget": 5, "progress": False}


torch = None  # functions below are read as text, never called


def scaled(x):
    y = torch.sin(x * 2)
    return y.sum()


def skip(test, reason):
    print(f"\nSKIPPED: {reason}", flush=True)  # packaging/count_skips.sh reads it
    test.skipTest(reason)


def python_with(module):
    """A Python that has the module: this one or the distribution's, which need not be the same."""
    for python in (sys.executable, "/usr/bin/python3"):
        if os.path.exists(python) and subprocess.run([python, "-c", f"import {module}"], capture_output=True).returncode == 0:
            return python
    return None


class Shape:
    """An array by its shape and dtype, without numpy."""

    def __init__(self, shape, dtype="float32"):
        self.shape, self.dtype = shape, dtype


class Experiments(unittest.TestCase):
    def test_a_functions_source_is_its_program(self):
        self.assertEqual(experiment.source_of(scaled).splitlines()[0], "def scaled(x):")
        self.assertEqual(experiment.source_of("\n    x = x + 1\n    return x\n"), "x = x + 1\nreturn x\n")

    def test_inputs_are_named_by_the_parameters(self):
        made = experiment.build(MLP, [("batch", 64), Shape((64, 8), "torch.float16")], executors=["eager"],
                                sweep={"batch": [4, 1]})
        tensors = made["inputs"][0]["tensors"]
        self.assertEqual([(t["name"], t["extents"], t["dtype"]) for t in tensors],
                         [("x", ["batch", 64], "float32"), ("w", [64, 8], "float16")])
        self.assertEqual(made["axes"], [{"name": "batch", "unit": "batch", "values": [1, 4]}])

    def test_an_axis_that_no_extent_names_is_dimension_0_of_arrays_of_one_length(self):
        made = experiment.build(MLP, {"x": Shape((2, 64)), "w": Shape((64, 8)), "y": Shape((2, 8))},
                                executors=["eager"], sweep={"batch": [1]})
        self.assertEqual([t["extents"] for t in made["inputs"][0]["tensors"]], [["batch", 64], [64, 8], ["batch", 8]])

    def test_pytorchs_names_of_executors_are_known_and_its_eager_is_the_baseline(self):
        made = experiment.build("return x", {"x": (1,)}, executors=["static", "torch.compile", "torch"], sweep=None)
        self.assertEqual([v["executor"] for v in made["variants"]], ["static", "torch-static", "torch"])
        self.assertEqual(made["baseline"], "torch")

    def test_parts_of_a_model_are_compared_with_their_own_baseline(self):
        made = experiment.variants_of_programs(["part 1", "part 2"], ["static", "torch", "torch.compile"])
        self.assertEqual([(v["name"], v["executor"], v["inputs"], v["against"]) for v in made[3:]],
                         [("part 2, torch", "torch", "part 2", "part 2, torch"),
                          ("part 2, static", "static", "part 2", "part 2, torch"),
                          ("part 2, torch.compile", "torch-static", "part 2", "part 2, torch")])
        self.assertEqual(experiment.variants_of_programs([], ["eager"]), experiment.variants_of(["eager"]))

    def test_what_is_no_function_is_refused_in_one_line(self):
        class Scaling:
            def __call__(self, x):
                return x
        for given in (lambda x: (x
                                   + 1), Scaling()):
            with self.assertRaises(fb.InputError):
                experiment.source_of(given)

    def test_wrong_arguments_are_named(self):
        for given, word in (({"args": [(1,)]}, "parameters"), ({"args": {"x": 3}}, "input x"),
                            ({"args": {"x": (1,), "w": (1,)}, "sweep": {"n": [1]}}, "no extent uses n"),
                            ({"args": {}, "sweep": {"n": []}}, "no values"), ({"args": {}, "executors": []}, "at least one")):
            with self.assertRaisesRegex(fb.InputError, word):
                experiment.build(MLP, given["args"], executors=given.get("executors", ["eager"]), sweep=given.get("sweep"))

    def test_values_of_a_wrong_type_are_refused_in_one_line(self):
        for wrong, word in (({"sweep": {"n": "12"}}, "values of n must be a list"), ({"sweep": {"n": 4}}, "values of n must be a list"),
                            ({"sweep": {"n": [1.5]}}, "whole numbers, not 1.5"), ({"sweep": [1]}, "sweep: must be a dictionary"),
                            ({"executors": "eager"}, "executors: must be a list"), ({"executors": []}, "name at least one"),
                            ({"budget": "x"}, "budget: must be a number"), ({"sessions": 1.5}, "sessions: must be a whole number"),
                            ({"progress": "yes"}, "progress: must be True, False or a function")):
            with self.assertRaises(fb.InputError) as caught:
                fb.compare("return x + 1", {"x": ("n",)}, **{"sweep": {"n": [1]}, "progress": False, **wrong})
            self.assertIn(word, str(caught.exception))
            self.assertNotIn("\n", str(caught.exception))
        for wrong in ({"max_slowdown": "5%"}, {"confidence": "high"}, {"budget": "1 s"}):
            with self.assertRaisesRegex(fb.InputError, "must be a number such as"):
                fb.check("a.jsonl", "b.jsonl", **wrong)

    def test_whole_numbers_of_other_types_are_taken(self):
        class Index:
            def __index__(self):
                return 8
        self.assertEqual(experiment.axes_of({"n": (Index(), 4)})[0]["values"], [4, 8])


class Measured(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        # Not quick: a quick run may have too few samples for intervals on a busy machine.
        cls.result = fb.compare(MLP, [("batch", 64), (64, 32)], sweep={"batch": [1, 64]}, title="A <b>", budget=2, progress=False)

    def test_the_table_has_a_row_per_data_point(self):
        rows = self.result.table()
        self.assertEqual(len(rows), 4)
        self.assertEqual({row["variant"] for row in rows}, {"eager", "static"})
        for row in rows:
            self.assertLessEqual(row["low_ns"], row["latency_ns"])
            self.assertLessEqual(row["latency_ns"], row["high_ns"])
        self.assertEqual([row["speedup"] is None for row in rows], [row["variant"] == "eager" for row in rows])

    def test_the_best_variant_is_the_fastest_of_the_point(self):
        best = self.result.best(at={"batch": 64})
        here = [row["latency_ns"] for row in self.result.table() if row["batch"] == 64]
        self.assertEqual(best.latency_ns, min(here))
        with self.assertRaisesRegex(fb.InputError, "batch"):
            self.result.best()
        with self.assertRaisesRegex(fb.InputError, "1, 64"):
            self.result.best(at={"batch": 2})

    def test_without_intervals_the_best_is_not_certain(self):
        def cell(variant, latency, low=None, high=None, error=None):
            return {"variant": variant, "at": [], "latency_ns": latency, "ci_low_ns": low, "ci_high_ns": high, "error": error,
                    "stop": "budget", "speedup": None, "peak_bytes": None, "compile_first_ns": None, "rel_error": None,
                    "samples": 1, "sessions": 1}
        for cells, certain in (([cell("a", 10.0), cell("b", 99.0)], False), ([cell("a", 10.0, 9, 11), cell("b", 99.0)], False),
                               ([cell("a", 10.0, 9, 11), cell("b", None)], False),
                               ([cell("a", 10.0, 9, 11), cell("b", None, error="fails")], True),
                               ([cell("a", 10.0, 9, 11), cell("b", 99.0, 90, 110)], True)):
            result = fb.Result({"cells": cells, "axes": []}, "absent.jsonl")
            self.assertEqual((result.best().variant, result.best().certain), ("a", certain), cells)
        text = str(fb.Result({"cells": [cell("a", 10.0), cell("b", None)], "axes": []}, "absent.jsonl"))
        self.assertEqual(text, "Run\n  a 10 ns (too few samples for an interval)\n  b not measured (budget)")

    def test_break_evens_and_paybacks_are_those_of_the_run(self):
        crossing = {"variant": "static", "baseline": "eager", "kind": "break-even", "status": "found", "along": "batch",
                    "at": 3.5, "ci_low": 2.0, "ci_high": 5.0, "cell": [], "backwards": False}
        payback = dict(crossing, kind="payback", along="calls", at=100, ci_low=None, ci_high=None, cell=[64])
        never = dict(crossing, status="never", at=None)
        made = fb.Result(dict(self.result.data, crossings=[crossing, payback, never]), "run.jsonl")
        self.assertEqual(made.break_evens(), [fb.BreakEven("static", "eager", 3.5, 2.0, 5.0, "batch", {}, False)])
        self.assertEqual(made.paybacks(), [fb.Payback("static", "eager", 100, None, None, {"batch": 64})])

    def test_a_run_is_saved_and_opened_again(self):
        with tempfile.TemporaryDirectory() as folder:
            again = fb.open(self.result.save(pathlib.Path(folder, "run.jsonl")))
            self.assertEqual(again.table(), self.result.table())

    def test_a_file_that_cannot_be_written_whole_stays_as_it_was(self):
        def cut_off(source, target):
            pathlib.Path(target).write_text("half")
            raise OSError("no space left")
        with tempfile.TemporaryDirectory() as folder, mock.patch("shutil.copyfile", cut_off):
            target = pathlib.Path(folder, "run.jsonl")
            target.write_text("before")
            with self.assertRaises(OSError) as caught:
                self.result.save(target)
            self.assertIsInstance(caught.exception, fb.InputError)
            self.assertEqual(str(caught.exception), f"{target}: cannot be written: no space left")
            self.assertEqual(target.read_text(), "before")
            self.assertEqual(os.listdir(folder), ["run.jsonl"])

    def test_places_that_cannot_be_written_are_named(self):
        for write in (self.result.save, self.result.report):
            with mock.patch("fusebench.result.window_path", lambda: None):
                with self.assertRaisesRegex(fb.OutputError, "^/absent/r.html: cannot be written: No such file or directory$"):
                    write("/absent/r.html")

    def test_a_point_is_named_by_a_dictionary(self):
        with self.assertRaisesRegex(fb.InputError, "must be a dictionary"):
            self.result.best(at=64)

    def test_a_run_is_shown_by_its_object_or_its_file(self):
        with tempfile.TemporaryDirectory() as folder, mock.patch("fusebench.result.window_path", lambda: None):
            path = self.result.save(pathlib.Path(folder, "run.jsonl"))
            for run in (self.result, path):
                with mock.patch("webbrowser.open") as opened:
                    fb.show(run)
                self.assertTrue(opened.call_args.args[0].endswith("report.html"))
        with self.assertRaises(fb.InputError):
            fb.show("absent.jsonl")

    def test_a_report_is_self_contained_and_holds_the_run(self):
        with tempfile.TemporaryDirectory() as folder, mock.patch("fusebench.result.window_path", lambda: None):
            path = self.result.report(pathlib.Path(folder, "r.html"))
            text = path.read_text()
            self.assertIn("A &lt;b&gt;", text)
            self.assertNotIn("A <b>", text)
            self.assertEqual(re.findall(r'(?:src|href)="[^"]*"|@import|https?://(?!www\.w3\.org/2000/svg)', text), [])
            self.assertEqual(fb.open(path).table(), self.result.table())
            with self.assertRaisesRegex(fb.Unavailable, "only .html"):
                self.result.report(pathlib.Path(folder, "r.pdf"))

    def test_a_notebook_shows_every_variant(self):
        text = self.result._repr_html_()
        self.assertEqual(text.count('class="c"'), 2)
        for variant in self.result.variants:
            self.assertIn(f">{variant}</text>", text)
        self.assertNotEqual(re.search('id="([^"]*)"', text)[1], re.search('id="([^"]*)"', self.result._repr_html_())[1])

    def test_text_is_what_the_command_prints(self):
        self.assertIn("speed", self.result.text())
        self.assertIn("batch = 64: static", str(self.result))

    def test_its_file_is_removed_with_it(self):
        result = fb.compare("return x + 1", {"x": (4,)}, executors=["eager"], **QUICK)
        path = result.path
        self.assertTrue(path.exists())
        del result
        fb.comparing._last.clear()
        self.assertFalse(path.exists())

    def test_pandas_is_asked_for_only_where_it_is_used(self):
        frame = types.SimpleNamespace(DataFrame=lambda rows: len(rows))
        with mock.patch.dict(sys.modules, {"pandas": frame}):
            self.assertEqual(self.result.to_pandas(), 4)
        with mock.patch.dict(sys.modules, {"pandas": None}), self.assertRaisesRegex(fb.Unavailable, "pip install pandas"):
            self.result.to_pandas()


class Comparing(unittest.TestCase):
    def test_errors_are_exceptions_with_the_line_of_the_program(self):
        with self.assertRaises(fb.InputError) as caught:
            fb.compare("def f(x):\n    y = x + 1\n    return torch.sinn(y)", {"x": (4,)}, **QUICK)
        self.assertEqual((caught.exception.line, caught.exception.source), (3, "return torch.sinn(y)"))
        self.assertNotIn("\n", str(caught.exception))
        self.assertNotIn("/tmp", str(caught.exception))

    def test_a_function_an_object_a_file_and_a_list_are_measured(self):
        made = experiment.build(scaled, {"x": ("n",)}, executors=["eager"], sweep={"n": [8]})
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "e.json")
            path.write_text(json.dumps(made))
            results = fb.compare([made, path, str(path)], quick=True, progress=False)
            self.assertEqual([result.title for result in results], ["scaled"] * 3)
            self.assertEqual(fb.compare(scaled, {"x": (8,)}, **QUICK).variants, ["eager", "static"])

    def test_what_an_experiment_states_itself_is_not_overridden_in_silence(self):
        for more in ({"executors": ["torch"]}, {"sweep": {"n": [1]}}, {"budget": 1}, {"args": [(1,)]}):
            for given in ("fusion_study", {"fusebench": "experiment"}):
                with self.assertRaisesRegex(fb.InputError, next(iter(more))):
                    fb.compare(given, progress=False, **more)

    def test_integers_are_drawn_from_their_range(self):
        program, last = "def pick(w, t):\n    return w[t]\n", {}
        for low, high in ((1, 4), (4, 9)):
            given = fb.Tensor((8,), "int64", fill={"integers": [low, high]})
            try:
                last[low] = fb.compare(program, [(4, 2), given], executors=["eager"], **QUICK).errors()
            except fb.FusebenchError as failed:
                last[low] = {"eager": str(failed)}
        self.assertEqual(last[1], {})
        self.assertRegex(str(last[4]), "index [4-8] is out")

    def test_a_wrong_extent_is_told_like_any_other_input(self):
        with self.assertRaises(fb.InputError):
            fb.compare("def f(x): return x + 1", {"x": ("n +",)}, sweep={"n": [1]}, **QUICK)

    def test_settings_apply_within_their_block(self):
        with fb.settings(executors=["eager"], quick=True, progress=False):
            self.assertEqual(fb.compare("return x + 1", {"x": (4,)}).variants, ["eager"])
            self.assertEqual(fb.compare("return x + 1", {"x": (4,)}, executors=["static"]).variants, ["static"])
        self.assertEqual(fb.comparing._settings, [])
        with self.assertRaisesRegex(fb.InputError, "no such setting"), fb.settings(speed=1):
            pass

    def test_progress_rises_and_ends(self):
        seen = []
        fb.compare("return x + 1", {"x": (4,)}, executors=["eager"], quick=True, budget=5,
                   progress=lambda phase, fraction, left: seen.append((phase, fraction)))
        self.assertTrue(all(0 <= fraction <= 1 for _, fraction in seen))
        bar = io.StringIO()
        with mock.patch.dict(sys.modules, {"tqdm": None, "tqdm.auto": None}), mock.patch("sys.stderr", bar):
            shown = program.Bar("title")
            for fraction in (0.0, 0.01, 0.5):
                shown("measuring", fraction, 2.0)
            shown.close()
        self.assertEqual(bar.getvalue().count("\n"), 2)

    def test_an_interrupt_keeps_what_was_measured(self):
        def stop(phase, fraction, left):
            # As Ctrl+C would: it may arrive anywhere, also while progress is shown.
            if phase == "measuring" and not stopped:
                stopped.append(True)
                signal.raise_signal(signal.SIGINT)
        stopped = []
        with tempfile.TemporaryDirectory() as folder:
            out = pathlib.Path(folder, "run.jsonl")
            with self.assertRaises(fb.Interrupted) as caught:
                fb.compare(MLP, [("n", 64), (64, 64)], sweep={"n": [1, 2, 4, 8, 16, 32]}, budget=60, progress=stop, out=out)
            result = caught.exception.result
            self.assertTrue(result.interrupted)
            self.assertIs(fb.last(), result)
            self.assertGreater(sum(row["samples"] for row in result.table()), 0)
            self.assertEqual(fb.open(out).table(), result.table())

    def test_an_interrupt_keeps_the_results_of_the_programs_before(self):
        first, second = fb.open("h100_every_way"), fb.open("h100_every_way")
        with mock.patch("fusebench.comparing._measure", side_effect=[first, fb.Interrupted(second)]), self.assertRaises(fb.Interrupted) as caught:
            fb.compare(["return x + 1", "return x + 2"], {"x": (4,)}, progress=False)
        self.assertEqual(caught.exception.results, [first, second])
        self.assertIs(caught.exception.result, second)

    def test_a_missing_program_is_named(self):
        with mock.patch.dict(os.environ, {"FUSEBENCH_CLI": "/nowhere"}), self.assertRaisesRegex(fb.Unavailable, "FUSEBENCH_CLI"):
            fb.cli_path()
        with mock.patch.dict(os.environ, {"PATH": ""}), mock.patch.dict(os.environ):
            del os.environ["FUSEBENCH_CLI"]
            with self.assertRaisesRegex(fb.Unavailable, "not found"):
                fb.cli_path()


class Capturing(unittest.TestCase):
    def test_a_file_is_captured_by_the_command(self):
        answer = program.Answer(0, "", [], False)
        with mock.patch("fusebench.comparing.run_cli", return_value=answer) as run:
            path = fb.capture("model.py", name="make", out="m.json", dynamic=["batch"], weights=True, python="py")
        self.assertEqual(str(path), "m.json")
        self.assertEqual(run.call_args[0][0], ["capture", "model.py", "make", "--dynamic", "batch=0", "--out", "m.json",
                                               "--python", "py", "--weights"])

    def test_without_pytorch_the_remedy_is_named(self):
        with mock.patch("importlib.util.find_spec", return_value=None), self.assertRaisesRegex(fb.Unavailable, "pip install torch"):
            fb.capture(lambda x: x, (1,))

    def capture(self, model, script, **options):
        """With a stand-in for the script that works inside PyTorch."""
        with tempfile.TemporaryDirectory() as folder, mock.patch.dict(os.environ, {"FUSEBENCH_RESOURCES": folder}), \
                mock.patch("importlib.util.find_spec", return_value=True), mock.patch.dict(sys.modules):
            pathlib.Path(folder, "torch").mkdir()
            pathlib.Path(folder, "torch", "fusebench_capture.py").write_text(script)
            path = list(sys.path)
            try:
                fb.capture(model, (1, 2), pathlib.Path(folder, "m.json"), **options)
                return json.loads(pathlib.Path(folder, "m.json").read_text())
            finally:
                self.assertEqual(sys.path, path)

    def test_a_model_in_memory_is_captured_here_and_left_as_it_was(self):
        class Model:
            training = True

            def train(self, training):
                self.training = training

        script = ("import json\ndef capture(model, args, path, **more):\n    model.train(False)\n"
                  "    json.dump([list(args), more], open(path, 'w'))\n")
        model = Model()
        args, more = self.capture(model, script, dynamic=["batch", "width=1"], weights=True)
        self.assertEqual((args, more["dynamic"], more["weights"], more["name"]), ([1, 2], ["batch=0", "width=1"], True, "Model"))
        self.assertTrue(model.training)
        with self.assertRaisesRegex(fb.InputError, "^Model cannot be captured: ValueError: no$"):
            self.capture(model, "def capture(*args, **more):\n    raise ValueError('no\\nmore')\n")
        with self.assertRaisesRegex(fb.InputError, "^net.py:3: if x > 0: no; use torch.where$"):
            self.capture(model, "class Refused(Exception):\n    pass\n\ndef capture(*args, **more):\n"
                                "    raise Refused('net.py:3: if x > 0: no; use torch.where')\n")

    def captured(self, args, written, **options):
        """The experiment of a module whose capture wrote this, and how capturing was called."""
        calls = []

        def capture(model, values, out, **more):
            calls.append((tuple(values), more))
            pathlib.Path(out).write_text(json.dumps(written))
            return pathlib.Path(out)
        with tempfile.TemporaryDirectory() as folder, mock.patch("fusebench.comparing.capture", capture):
            made = fb.comparing._captured(object(), args, options.get("sweep"), options.get("executors", ["torch", "static"]),
                                          options.get("baseline"), None, {}, pathlib.Path(folder))
        return made, calls[0]

    def test_only_sizes_of_inputs_are_dynamic(self):
        made, (_, more) = self.captured((1,), {}, sweep={"batch": [1, 4], "threads": [1, 2]})
        self.assertEqual(more["dynamic"], ["batch"])
        self.assertEqual([axis["name"] for axis in made["axes"]], ["batch", "threads"])

    def test_a_modules_arguments_may_have_names(self):
        self.assertEqual(self.captured({"ids": 1}, {})[1], ((), {"kwargs": {"ids": 1}, "dynamic": []}))
        self.assertEqual(self.captured((1, 2), {})[1][0], (1, 2))
        self.assertEqual(self.captured(1, {})[1][0], (1,))

    def test_a_model_with_graph_breaks_is_measured_in_its_parts(self):
        made, _ = self.captured((1,), {"programs": {"part 1": [], "part 2": []}})
        self.assertEqual([variant["name"] for variant in made["variants"]],
                         ["part 1, torch", "part 1, static", "part 2, torch", "part 2, static"])
        self.assertEqual(made["baseline"], "part 1, torch")


class Checking(unittest.TestCase):
    def test_its_three_results_are_told_apart(self):
        made = experiment.build("x = torch.sin(x)\n" * 8 + "return x", {"x": ("n",)}, executors=["eager"],
                                sweep={"n": [8, 16]})
        slower = experiment.build("x = torch.sin(x)\n" * 10 + "return x", {"x": ("n",)}, executors=["eager"],
                                  sweep={"n": [8, 16]})
        before = fb.compare(made, device="sim:h100", progress=False)
        same = fb.check(made, before, progress=False)
        self.assertTrue(same.ok, same)
        worse = fb.check(slower, before, progress=False)
        self.assertEqual((worse.verdict, len(worse.slower())), ("slower", 2))
        self.assertIn("eager at n = 8: slower", str(worse))
        self.assertTrue(fb.check(slower, before, max_slowdown=0.5, progress=False).ok)
        with self.assertRaisesRegex(fb.InputError, "--confidence"):
            fb.check(before, before, confidence=2, progress=False)
        with self.assertRaisesRegex(fb.InputError, "--budget"):
            fb.check(before, before, budget=-1, progress=False)
        self.assertTrue(fb.check(made, before, budget=60, progress=False).ok)
        self.assertEqual(same.cells[0]["quantile"], 0.5, "a model's samples are sessions of one")


class Traces(unittest.TestCase):
    def test_kernels_breakdown_classes_and_savings_are_rows(self):
        trace = fb.trace(SOURCES / "resources" / "recordings" / "h100_launches.json.gz")
        for rows, key in ((trace.kernels(), "total_ns"), (trace.breakdown(), "idle_ns"), (trace.classes(), "share"),
                          (trace.savings(), "saved_ns")):
            self.assertTrue(rows)
            self.assertTrue(all(key in row and "trace" in row for row in rows))
        with self.assertRaises(fb.InputError):
            fb.trace(__file__)


class Benchmarks(unittest.TestCase):
    FILE = ("import fusebench as fb\n\n@fb.benchmark({'x': ('n', 8)}, sweep={'n': [1, 4]})\n"
            "def scaled(x):\n    return (x * 2).sum()\n\n@fb.benchmark(executors=['eager'])\n"
            "def text():\n    return 'return x + 1', {'x': (4,)}\n")

    def run_file(self, *arguments, text=FILE, more=()):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "bench_it.py")
            path.write_text(text)
            environment = dict(os.environ, PYTHONPATH=str(SOURCES / "python"), PYTHONDONTWRITEBYTECODE="1")
            return subprocess.run([*more, "run", str(path), *arguments], capture_output=True, text=True, env=environment)

    def test_the_command_measures_the_functions_of_a_file(self):
        python = [sys.executable, "-m", "fusebench"]
        listed = self.run_file("--list", more=python)
        self.assertEqual((listed.returncode, listed.stdout), (0, "scaled\ntext\n"), listed.stderr)
        ended = self.run_file("--quick", "--json", more=python)
        self.assertEqual(ended.returncode, 0, ended.stderr)
        measured = {one["name"]: one["result"] for one in json.loads(ended.stdout)["benchmarks"]}
        self.assertEqual([cell["at"] for cell in measured["scaled"]["cells"]], [[1], [1], [4], [4]])
        self.assertEqual(len(measured["text"]["cells"]), 1)
        for text, message in (("import fusebench\n", "collects no benchmarks"),
                              ("import fusebench\n1 / 0\n", "ZeroDivisionError")):
            wrong = self.run_file(text=text, more=python)
            self.assertEqual(wrong.returncode, 2)
            self.assertIn(message, wrong.stderr)

    def test_the_program_hands_python_files_to_this_package(self):
        ended = self.run_file("--list", more=[os.environ["FUSEBENCH_CLI"]])
        self.assertEqual((ended.returncode, ended.stdout), (0, "scaled\ntext\n"), ended.stderr)

    def test_a_script_that_does_not_import_this_package_is_the_programs_own(self):
        with tempfile.TemporaryDirectory() as folder:
            script = pathlib.Path(folder, "script.py")
            script.write_text("import torch\n\ndef f(x):\n    return torch.sin(x).sum()\n")
            environment = dict(os.environ, PYTHONPATH=str(SOURCES / "python"), PYTHONDONTWRITEBYTECODE="1")
            ended = subprocess.run([sys.executable, "-m", "fusebench", "run", str(script), "--quick", "--json"],
                                   capture_output=True, text=True, env=environment, cwd=folder)
            self.assertEqual(ended.returncode, 0, ended.stderr)
            self.assertIn("eager", {cell["variant"] for cell in json.loads(ended.stdout)["cells"]})

    def test_any_other_command_is_the_programs_own(self):
        environment = dict(os.environ, PYTHONPATH=str(SOURCES / "python"), PYTHONDONTWRITEBYTECODE="1")
        ended = subprocess.run([sys.executable, "-m", "fusebench", "--version"], capture_output=True, text=True, env=environment)
        self.assertEqual((ended.returncode, ended.stdout), (0, f"fusebench-cli {fb.__version__}\n"))


class Texts(unittest.TestCase):
    def modules(self):
        names = [path.stem for path in (SOURCES / "python" / "fusebench").glob("*.py")
                 if path.stem not in ("__init__", "__main__", "pytest_plugin")]
        return [fb, *(importlib.import_module(f"fusebench.{name}") for name in names)]

    def test_the_examples_of_docstrings_are_true(self):
        examples = 0
        for module in self.modules():
            failed, tried = doctest.testmod(module, optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
            examples += tried
            self.assertEqual(failed, 0, module)
        self.assertGreater(examples, 10)

    def test_everything_public_is_described(self):
        for module in self.modules():
            for name, value in vars(module).items():
                if name.startswith("_") or getattr(value, "__module__", None) != module.__name__:
                    continue
                self.assertTrue(value.__doc__, f"{module.__name__}.{name}")
                for inner, member in vars(value).items() if isinstance(value, type) else ():
                    if not inner.startswith("_") and isinstance(member, (types.FunctionType, property)):
                        self.assertTrue(member.__doc__, f"{module.__name__}.{name}.{inner}")

    def test_types_are_complete(self):
        python = python_with("mypy")
        if python is None:
            skip(self, "needs mypy")
        ended = subprocess.run([python, "-m", "mypy", "--strict", "--no-incremental", "--cache-dir", os.devnull, "--ignore-missing-imports",
                                str(SOURCES / "python" / "fusebench")], capture_output=True, text=True)
        self.assertEqual(ended.returncode, 0, ended.stdout)

    def test_nothing_beyond_python_3_9_is_used(self):
        import ast
        for path in (SOURCES / "python" / "fusebench").glob("*.py"):
            ast.parse(path.read_text(), feature_version=(3, 9))

    def test_nothing_but_the_standard_library_is_imported(self):
        script = ("import sys; before = set(sys.modules); import fusebench; "
                  "print({m.split('.')[0] for m in set(sys.modules) - before} - set(sys.stdlib_module_names) - {'fusebench'})")
        ended = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True,
                               env=dict(os.environ, PYTHONPATH=str(SOURCES / "python"), PYTHONDONTWRITEBYTECODE="1"))
        self.assertEqual(ended.stdout, "set()\n", ended.stderr)


class Plugin(unittest.TestCase):
    TEST = ("def test_it(fusebench):\n"
            "    fusebench.compare('x = torch.sin(x)\\n' * COUNT + 'return x', {'x': (8,)}, executors=['eager'], device='sim:h100')\n")

    def test_a_slowdown_fails_a_test(self):
        python = python_with("pytest")
        if python is None:
            skip(self, "needs pytest")
        with tempfile.TemporaryDirectory() as folder:
            def run(count, *arguments):
                pathlib.Path(folder, "test_it.py").write_text(self.TEST.replace("COUNT", str(count)))
                environment = dict(os.environ, PYTHONPATH=str(SOURCES / "python"), PYTHONDONTWRITEBYTECODE="1",
                                   PYTEST_DISABLE_PLUGIN_AUTOLOAD="1")
                return subprocess.run([python, "-m", "pytest", "-p", "fusebench.pytest_plugin", "-q", "-p",
                                       "no:cacheprovider", *arguments], capture_output=True, text=True, cwd=folder, env=environment)
            self.assertIn("1 skipped", run(8).stdout)
            self.assertIn("there is no baseline", run(8, "--fusebench").stdout)
            self.assertIn("1 passed", run(8, "--fusebench", "--fusebench-update").stdout)
            self.assertIn("1 passed", run(8, "--fusebench").stdout)
            slower = run(10, "--fusebench")
            self.assertIn("1 failed", slower.stdout)
            self.assertIn("Slower: 1 of 1", slower.stdout)
            self.assertIn("1 passed", run(10, "--fusebench", "--fusebench-max-slowdown", "0.9").stdout)
            baseline = next(pathlib.Path(folder, "fusebench-baselines").glob("*.jsonl"))
            records = [json.loads(line) for line in baseline.read_text().splitlines()]
            for record in records:
                if "environment" in record:
                    record["environment"]["cpu"]["model"] = "Another processor"
            baseline.write_text("".join(json.dumps(record) + "\n" for record in records))
            elsewhere = run(8, "--fusebench").stdout
            self.assertIn("1 failed", elsewhere)
            self.assertIn("instead of Another processor", elsewhere)
            self.assertNotIn("Traceback", elsewhere)
            self.assertNotIn("raise_for", elsewhere)


if __name__ == "__main__":

    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])

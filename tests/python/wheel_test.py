# SPDX-License-Identifier: GPL-3.0-or-later
"""The wheel: assembled, installed into a fresh environment, used, removed.

Run as: wheel_test.py SOURCES FUSEBENCH_CLI       around a program that is there
        wheel_test.py SOURCES --wheel WHEEL       a wheel that make_wheel.sh made
"""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest
import zipfile

SOURCES = pathlib.Path(sys.argv[1]).resolve()
GIVEN = pathlib.Path(sys.argv[3]).resolve() if sys.argv[2] == "--wheel" else None
MOST_BYTES = 60_000_000

USE = """
import sys
assert not {"torch", "numpy", "pandas"} & set(sys.modules)
import fusebench as fb
assert "/venv/" in fb.cli_path(), fb.cli_path()
r = fb.compare("def mlp(x, w): return torch.relu(x @ w).sum()", {"x": ("batch", 64), "w": (64, 64)},
               sweep={"batch": [1, 16]}, quick=True, budget=5, progress=False)
assert len(r.table()) == 4 and all(row["latency_ns"] > 0 for row in r.table()), r.table()
r.save("run.jsonl")
r.report("report.html")
assert fb.open("run.jsonl").table() == r.table()
assert fb.open("h100_every_way").table()
t = fb.trace(sys.argv[1])
assert t.kernels() and t.savings()
assert not {"torch", "numpy", "pandas"} & set(sys.modules)
"""


class Wheel(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.root = pathlib.Path(cls.folder.name)
        cls.wheel = GIVEN
        if GIVEN is None:
            made = subprocess.run([str(SOURCES / "packaging" / "make_wheel.sh"), "--cli", sys.argv[2], str(cls.root / "out")],
                                  capture_output=True, text=True)
            assert made.returncode == 0, made.stderr
            cls.wheel = pathlib.Path(made.stdout.strip().splitlines()[-1]).resolve()

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def run_in(self, *command, code=0):
        # The environment of the caller must not help: no PYTHONPATH, no FUSEBENCH_CLI.
        environment = {"PATH": "/usr/bin:/bin", "HOME": str(self.root), "LANG": "C.UTF-8"}
        ended = subprocess.run([str(part) for part in command], capture_output=True, text=True, cwd=self.root, env=environment)
        self.assertEqual(ended.returncode, code, ended.stdout + ended.stderr)
        return ended.stdout

    def test_is_small_complete_and_the_same_each_time(self):
        self.assertLess(self.wheel.stat().st_size, MOST_BYTES)
        with zipfile.ZipFile(self.wheel) as archive:
            self.assertIsNone(archive.testzip())
            names = archive.namelist()
            metadata = archive.read(next(name for name in names if name.endswith("METADATA"))).decode()
        for name in ("fusebench/py.typed", "fusebench/_data/bin/fusebench-cli", "fusebench/_data/resources/torch/fusebench_torch.py"):
            self.assertIn(name, names)
        self.assertEqual([name for name in names if "__pycache__" in name], [])
        for field in ("Requires-Python: >=3.9", "License-File: LICENSE", "Classifier: Typing :: Typed"):
            self.assertIn(field, metadata)
        if GIVEN is None:
            again = subprocess.run([sys.executable, str(SOURCES / "packaging" / "wheel.py"), sys.argv[2], str(self.root)],
                                   capture_output=True, text=True, check=True).stdout.strip()
            self.assertEqual(pathlib.Path(again).read_bytes(), self.wheel.read_bytes())

    def test_installs_into_a_bare_environment_is_used_and_removed(self):
        venv = self.root / "venv"
        self.run_in(sys.executable, "-m", "venv", venv)
        python = venv / "bin" / "python"
        self.run_in(python, "-m", "pip", "install", "-q", "--no-index", self.wheel)
        self.run_in(python, "-c", USE, SOURCES / "resources" / "recordings" / "h100_launches.json.gz")
        cli = venv / "bin" / "fusebench-cli"
        self.assertIn("fusebench-cli", self.run_in(cli, "--version"))
        self.assertEqual(json.loads(self.run_in(cli, "devices", "--json"))["devices"][0]["name"], "cpu")
        pathlib.Path(self.root, "bench_it.py").write_text(
            "import fusebench\n@fusebench.benchmark({'x': (8,)}, executors=['eager'])\ndef f(x):\n    return x + 1\n")
        self.assertEqual(self.run_in(cli, "run", "bench_it.py", "--list"), "f\n")
        # The check's three results. The times are of a simulated device: the same in every run.
        for name, statements in (("same", 8), ("slower", 10)):
            program = ["x = torch.sin(x)"] * statements + ["return x"]
            pathlib.Path(self.root, f"{name}.json").write_text(json.dumps({
                "fusebench": "experiment", "version": 1, "title": "t", "program": program,
                "inputs": [{"name": "i", "tensors": [{"name": "x", "extents": [8]}]}],
                "variants": [{"name": "eager", "executor": "eager"}], "baseline": "eager",
                "measure": {"budgetSeconds": 5, "minimumSamples": 9, "maximumSamples": 9}}))
        self.run_in(cli, "run", "same.json", "--device", "sim:h100", "--out", "base.jsonl")
        self.run_in(cli, "check", "same.json", "--against", "base.jsonl")
        self.run_in(cli, "check", "slower.json", "--against", "base.jsonl", code=1)
        lines = []
        for line in pathlib.Path(self.root, "base.jsonl").read_text().splitlines():
            record = json.loads(line)
            if "environment" in record:  # a model without noise takes one sample; this one has noise
                record["environment"]["model_exact"] = False
            if record.get("record") == "samples":
                for times in ("ns", "enqueue_ns", "event_ns", "single_ns", "device_ns"):
                    record[times] = record[times][:1] * 9
                record["rounds"] = list(range(9))
                record["ns"] = [time * (0.6 + 0.2 * (i % 5)) for i, time in enumerate(record["ns"])]
            lines.append(json.dumps(record, separators=(",", ":")))
        pathlib.Path(self.root, "noisy.jsonl").write_text("\n".join(lines) + "\n")
        self.run_in(cli, "check", "noisy.jsonl", "--against", "base.jsonl", code=3)
        self.run_in(python, "-m", "pip", "uninstall", "-q", "-y", "fusebench")
        self.assertEqual(list(venv.rglob("*fusebench*")), [])


if __name__ == "__main__":
    if "--wheel" not in sys.argv and subprocess.run([sys.executable, "-c", "import venv, ensurepip"], capture_output=True).returncode:
        print("SKIPPED: needs python3-venv")
        sys.exit(0)
    unittest.main(argv=[sys.argv[0]])

# SPDX-License-Identifier: GPL-3.0-or-later
"""How often `fusebench-cli check` raises a false alarm here, and how often it finds a slowdown of 10%.

Run as: check_often.py FUSEBENCH_CLI [--checks 100] [--busy]

Each A/A check measures a baseline and then checks the same experiment against it. Each check of a slowdown measures
the same experiment with 10% more elements. With --busy, two processes compete for the processors now and then.
Takes about 10 s per check. Exits with 1 if more than 1 in 100 A/A checks raises an alarm, if fewer than 95 in 100
slowdowns are found, or if a slowdown passes in more than 1 in 100.
"""
import argparse
import collections
import json
import multiprocessing
import pathlib
import random
import subprocess
import sys
import tempfile
import time

NAMES = {0: "passed", 1: "slower", 3: "cannot tell"}


def experiment(extent):
    return {"fusebench": "experiment", "version": 1, "title": "Checked often",
            "program": ["x = x + 0.1", "x = torch.sin(x)", "x = x * 1.1", "x = torch.exp(x)", "return x.sum()"],
            "inputs": [{"name": "all", "tensors": [{"name": "x", "extents": [extent]}]}],
            "variants": [{"name": "eager", "executor": "eager"}, {"name": "static", "executor": "static"}],
            "baseline": "eager", "axes": [{"name": "elements", "values": [32768, 131072]}],
            # Samples end before the time does. A shorter time would leave out sessions on a busy machine.
            "measure": {"budgetSeconds": 30, "compileRepeats": 1, "maximumSamples": 160}}


def disturb(seed):
    """Competes for a processor in bursts of 0.2 s to 5 s, with pauses as long."""
    draw = random.Random(seed)
    values = list(range(200_000))
    while True:
        end = time.monotonic() + draw.uniform(0.2, 5)
        while time.monotonic() < end:
            sum(values)
        time.sleep(draw.uniform(0.2, 5))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("cli")
    parser.add_argument("--checks", type=int, default=100, help="of each kind (default: 100)")
    parser.add_argument("--busy", action="store_true", help="disturb the measuring")
    given = parser.parse_args()
    counts = {"unchanged": collections.Counter(), "10% slower": collections.Counter()}
    disturbers = [multiprocessing.Process(target=disturb, args=(seed,), daemon=True) for seed in (1, 2) if given.busy]
    for process in disturbers:
        process.start()
    with tempfile.TemporaryDirectory() as folder:
        paths = {"unchanged": pathlib.Path(folder, "same.json"), "10% slower": pathlib.Path(folder, "slower.json")}
        paths["unchanged"].write_text(json.dumps(experiment("elements")))
        paths["10% slower"].write_text(json.dumps(experiment("elements * 11 // 10")))
        baseline = str(pathlib.Path(folder, "baseline.jsonl"))
        for number in range(1, given.checks + 1):
            subprocess.run([given.cli, "run", str(paths["unchanged"]), "--out", baseline], check=True,
                           stdout=subprocess.DEVNULL)
            for kind, path in paths.items():
                code = subprocess.run([given.cli, "check", str(path), "--against", baseline],
                                      stdout=subprocess.DEVNULL).returncode
                if code not in NAMES:
                    sys.exit(f"check ended with {code}")
                counts[kind][NAMES[code]] += 1
            print(number, {kind: dict(count) for kind, count in counts.items()}, flush=True)
    for process in disturbers:
        process.terminate()
    wrong = (counts["unchanged"]["slower"] > given.checks / 100 or counts["10% slower"]["passed"] > given.checks / 100
             or counts["10% slower"]["slower"] < 0.95 * given.checks)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()

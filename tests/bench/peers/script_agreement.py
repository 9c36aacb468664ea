#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Do the exported script and Fusebench's PyTorch worker measure the same?

    python3 script_agreement.py --bin build/release/bin

Run it with a Python that has torch. Latencies of two consecutive runs show little on a machine whose speed changes by
the minute. So the script's cells are sampled next to the worker's: this file replaces the worker's interpreter, passes
every message on, and has the same cell of the script sampled just before or just after, in random order. Prints both
medians with their 95% intervals, and worker / script, paired by sample.

Each of them is a separate process, and two processes of one program differ by a few percent while they exist, since
each gets other memory addresses. So a ratio slightly above 1 shows little if the next run has it below 1: run this
several times.
"""
import argparse
import collections
import importlib.util
import json
import math
import os
import random
import shlex
import statistics
import subprocess
import sys
import tempfile

SHIPPED = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..", "resources", "experiments")
FOLDER = "FUSEBENCH_AGREEMENT"  # if set, this process replaces the worker's interpreter or serves the script's samples


def interval(values):
    """Median with its distribution-free 95% interval."""
    ordered, m = sorted(values), len(values)
    low = max(0, math.floor((m - 1.96 * math.sqrt(m)) / 2) - 1)
    high = min(m, math.ceil(1 + (m + 1.96 * math.sqrt(m)) / 2)) - 1
    return statistics.median(ordered), ordered[low], ordered[high]


def stand_in(arguments):
    """Runs the worker, and next to it the script's cells."""
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    worker = subprocess.Popen([sys.executable] + arguments, bufsize=0, **pipes)
    script = subprocess.Popen([sys.executable, __file__, "serve"], bufsize=0, **pipes)

    def ask(process, line):
        process.stdin.write(line)
        reply = process.stdout.readline()
        if not reply:
            sys.exit("script_agreement.py: a process that measures ended early; see what it printed")
        return reply

    for line in sys.stdin.buffer:
        asked = json.loads(line)
        if asked.get("do") == "quit":
            worker.stdin.write(line)
            break
        sample = asked.get("do") == "sample"
        before = sample and random.random() < 0.5
        if before:
            ask(script, line)
        reply = ask(worker, line)
        while json.loads(reply).get("working"):
            sys.stdout.buffer.write(reply)
            sys.stdout.buffer.flush()
            reply = worker.stdout.readline()
        if sample and not before:
            ask(script, line)
        sys.stdout.buffer.write(reply)
        sys.stdout.buffer.flush()
    worker.stdin.close()
    script.stdin.close()
    return worker.wait()


def serve():
    """Samples of the script's cells, kept in a file."""
    import torch
    folder = os.environ[FOLDER]
    spec = importlib.util.spec_from_file_location("study", os.path.join(folder, "study.py"))
    study = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(study)
    study.COMPILES = 1
    names = json.load(open(os.path.join(folder, "variants.json")))
    variants, cells = {variant[0]: variant for variant in study.VARIANTS}, {}
    with torch.no_grad(), open(os.path.join(folder, "script.jsonl"), "x") as kept:
        for line in sys.stdin:
            asked = json.loads(line)
            name, at = names[int(asked["variant"])], tuple(int(value) for value in asked["at"])
            if (name, at) not in cells:
                cells[name, at] = study.Cell(*variants[name], at)
            cells[name, at].sample()
            print(json.dumps([name, at, cells[name, at].samples[-1]]), file=kept, flush=True)
            print("{}", flush=True)


def samples_of_run(path):
    samples = collections.defaultdict(list)
    for line in open(path):
        record = json.loads(line)
        if record.get("record") == "samples":
            samples[record["variant"], tuple(int(value) for value in record["at"])] += record["ns"]
    return samples


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bin", required=True, help="the folder of fusebench and fusebench-cli")
    parser.add_argument("--experiment", default=os.path.join(SHIPPED, "fusion_study_torch.json"), help="its file")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path, cli = options.experiment, os.path.join(options.bin, "fusebench-cli")
        subprocess.run([os.path.join(options.bin, "fusebench"), "--export", os.path.join(folder, "study.py"), path],
                       env=dict(os.environ, QT_QPA_PLATFORM="offscreen"), check=True)
        with open(os.path.join(folder, "variants.json"), "w") as file:
            json.dump([variant["name"] for variant in json.load(open(path))["variants"]], file)
        # An interpreter is a program's path: a file that starts this one in its place.
        python = os.path.join(folder, "python")
        with open(python, "w") as file:
            file.write("#!/bin/sh\nexec %s %s stand-in \"$@\"\n"
                       % (shlex.quote(sys.executable), shlex.quote(os.path.abspath(__file__))))
        os.chmod(python, 0o755)
        run = os.path.join(folder, "run.jsonl")
        subprocess.run([cli, "run", path, "--python", python, "--out", run], env=dict(os.environ, **{FOLDER: folder}),
                       stdout=subprocess.DEVNULL, check=True)
        worker, script = samples_of_run(run), collections.defaultdict(list)
        for line in open(os.path.join(folder, "script.jsonl")):
            name, at, nanoseconds = json.loads(line)
            script[name, tuple(at)].append(nanoseconds)
    # A worker that had to be replaced would leave the two out of step.
    measured = {cell: len(samples) for cell, samples in worker.items() if cell[0].startswith("torch")}
    if not script or measured.keys() != script.keys() or any(
            abs(count - len(script[cell])) > 1 for cell, count in measured.items()):
        sys.exit("script_agreement.py: worker and script were not sampled alike; run it again")
    agree, ratios = 0, collections.defaultdict(list)
    for cell in sorted(script):
        pairs = list(zip(worker[cell], script[cell]))
        mine, its = interval([a for a, _ in pairs]), interval([b for _, b in pairs])
        ratio = [math.exp(x) for x in interval([math.log(a / b) for a, b in pairs])]
        overlap = mine[1] <= its[2] and its[1] <= mine[2]
        agree += overlap
        ratios[cell[0]].append(ratio[0])
        print("%-16s %-12s worker %9.0f (%.0f to %.0f) ns  script %9.0f (%.0f to %.0f) ns  ratio %.3f (%.3f to %.3f)%s"
              % (cell[0], ", ".join(map(str, cell[1])), *mine, *its, *ratio, "" if overlap else "  apart"))
    print("%d of %d cells: the intervals overlap" % (agree, len(script)))
    for name, values in ratios.items():
        print("%-16s worker / script, median of its cells: %.3f" % (name, statistics.median(values)))


if __name__ == "__main__":
    if FOLDER in os.environ and sys.argv[1:2] == ["serve"]:
        serve()
    elif FOLDER in os.environ and sys.argv[1:2] == ["stand-in"]:
        arguments = sys.argv[2:]
        if not any(argument.endswith("fusebench_torch.py") for argument in arguments):
            os.execv(sys.executable, [sys.executable] + arguments)
        sys.exit(stand_in(arguments))
    else:
        main()

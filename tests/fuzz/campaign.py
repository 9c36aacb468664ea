#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The standing campaign: inputs that are nearly right to every reader, faults at every call of a run
that writes, kills at random moments.

campaign.py [readers] [faults] [kills] [--build build/release] [--scale 1] [--seed 1] [--table FILE]

With no part named all are run. Exits with 1, and says what, if anything crashed, hung, or lost a
sample. --table writes what was tried, how often, and what came of it, as docs/reliability.md.
"""
import argparse
import concurrent.futures
import glob
import json
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import time

# Inputs at scale 1; about as many seconds for each reader.
READERS = {"experiment": 60_000, "program": 200_000, "run": 60_000, "reference": 150_000,
           "request": 200_000, "reply": 200_000, "devices": 100_000, "calls": 50_000,
           "object": 50_000, "chrome": 30_000, "nsys": 10_000}
KINDS = ("ENOSPC", "EIO", "EINTR", "short")
ORDINARY = (0, 1, 2)  # exit codes
KNOWN = ("Known and open: at scale 0.95 (1,026,000 inputs, no crash and no hang) the reader of Chrome traces met an "
         "input of two flow ends on one device whose link to its launch is lost on export and re-import.")
EXPERIMENT = {
    "fusebench": "experiment", "version": 1, "title": "A test",
    "program": ["x = x + 1", "x = torch.sin(x)", "return x"],
    "inputs": [{"name": "all", "tensors": [{"name": "x", "extents": [4, 16]}]}],
    "variants": [{"name": "eager", "executor": "eager"}, {"name": "static", "executor": "static"}],
    "baseline": "eager", "axes": [{"name": "statements", "values": [1, 2]}]}


class Campaign:
    def __init__(self, build, scale, seed):
        self.cli = os.path.join(build, "bin/fusebench-cli")
        self.mutate = os.path.join(build, "bin/fusebench-mutate")
        self.faults_library = glob.glob(os.path.join(build, "**/libfusebench-faults.so"), recursive=True)[0]
        self.scale, self.random, self.seed = scale, random.Random(seed), seed
        self.rows, self.failures = [], []

    def add(self, what, how, tried, outcome):
        self.rows.append((what, how, tried, outcome))
        print(f"{what}: {tried} {how}: {outcome}", flush=True)

    def fail(self, what):
        self.failures.append(what)
        print("FAILED:", what, flush=True)

    def experiment(self, folder, budget):
        measure = {"budgetSeconds": budget, "precision": 0.0001, "maximumSamples": 100000, "compileRepeats": 1}
        path = os.path.join(folder, "experiment.json")
        with open(path, "w") as file:
            json.dump({**EXPERIMENT, "measure": measure}, file)
        return path

    def analyzed(self, path):
        """Samples of each cell of a run that is read back; None, and a failure, if it cannot be read."""
        ended = subprocess.run([self.cli, "analyze", path, "--json"], capture_output=True, timeout=120)
        if ended.returncode != 0:
            self.fail(f"{path} cannot be read: {ended.stderr.decode(errors='replace').strip()}")
            return None
        return samples(json.loads(ended.stdout))

    def readers(self):
        for name, inputs in READERS.items():
            count = max(1, int(inputs * self.scale))
            with tempfile.TemporaryDirectory(prefix="fusebench-") as folder:
                try:
                    ended = subprocess.run([self.mutate, name, str(count), str(self.seed)], cwd=folder,
                                           capture_output=True, timeout=3000)
                except subprocess.TimeoutExpired:
                    self.fail(f"reader {name} hangs")
                    continue
                if ended.returncode != 0:
                    kept = f"campaign-{name}-input"
                    if os.path.exists(os.path.join(folder, "last-input")):
                        with open(os.path.join(folder, "last-input"), "rb") as last, open(kept, "wb") as to:
                            to.write(last.read())
                    self.fail(f"reader {name} ended with {ended.returncode}, see {kept}: "
                              + ended.stderr.decode(errors="replace").strip())
                    continue
                told = json.loads(ended.stdout)
                self.add(f"reader: {name}", "changed inputs", told["inputs"],
                         f"{told['taken']} taken, {told['refused']} refused; slowest {told['slowest_ms']:.0f} ms")

    def run_with(self, folder, fault):
        out = os.path.join(folder, "run.jsonl")
        environment = {**os.environ, "LD_PRELOAD": self.faults_library, "FUSEBENCH_FAULT_ONLY": folder + "/",
                       "FUSEBENCH_FAULT_COUNT": os.path.join(os.path.dirname(folder), "count-" + os.path.basename(folder))}
        if fault:
            environment["FUSEBENCH_FAULT"] = fault
        command = [self.cli, "run", self.experiment(folder, 0.2), "--quick", "--json", "--out", out,
                   "--trace", os.path.join(folder, "trace.json")]
        ended = subprocess.run(command, capture_output=True, timeout=120, env=environment)
        counts = []
        for file in glob.glob(environment["FUSEBENCH_FAULT_COUNT"] + ".*"):
            counts.append(int(open(file).read() or 0))  # empty: a worker was killed over it
            os.remove(file)
        return ended, out, max(counts, default=0)

    def faults(self):
        with tempfile.TemporaryDirectory(prefix="fusebench-") as folder:
            _, _, calls = self.run_with(folder, None)
        step = max(1, round(0.25 / self.scale)) if self.scale < 0.25 else 1
        for kind in KINDS:
            tried = kept = 0
            for number in range(1, calls + 1, step):
                with tempfile.TemporaryDirectory(prefix="fusebench-") as folder:
                    name = f"{kind} at writing call {number}"
                    try:
                        ended, out, done = self.run_with(folder, f"{kind}:{number}")
                    except subprocess.TimeoutExpired:
                        self.fail(f"{name}: the run hangs")
                        continue
                    if done < number:
                        continue  # how often a run writes depends on the clock: this one had no such call
                    tried += 1
                    kept += self.judge_fault(name, kind, ended, out)
            self.add(f"run and trace: {kind}", "one at each writing call", tried,
                     f"no sample lost in {kept}")

    def judge_fault(self, name, kind, ended, out):
        """Whether every sample that was measured is printed, or nothing was measured."""
        told = ended.stderr.decode(errors="replace")
        if ended.returncode not in ORDINARY:
            self.fail(f"{name}: ended with {ended.returncode}: {told}")
            return False
        if ended.returncode != 0 and not re.search(r"No space left|Input/output error", told):
            self.fail(f"{name}: exit {ended.returncode} without the reason: {told}")
            return False
        if ended.returncode == 0 and kind in ("ENOSPC", "EIO"):
            self.fail(f"{name}: a failed call went unnoticed")
            return False
        if kind in ("EINTR", "short") and ended.returncode != 0:
            self.fail(f"{name}: what is harmless ended the run: {told}")
            return False
        if ended.returncode == 2:
            return not ended.stdout  # refused before anything was measured
        printed = samples(json.loads(ended.stdout))
        for path in (out, out + ".part"):
            if not os.path.exists(path) or os.path.getsize(path) == 0:
                continue
            read = self.analyzed(path)
            if read is None:
                return False
            if path == out and read != printed:
                self.fail(f"{name}: the file has {read}, printed was {printed}")
                return False
        return True

    def kill(self, number, moment):
        """What was left of a run that was killed so many seconds after its start."""
        with tempfile.TemporaryDirectory(prefix="fusebench-") as folder:
            out, trace = os.path.join(folder, "run.jsonl"), os.path.join(folder, "trace.json")
            process = subprocess.Popen(
                [self.cli, "run", self.experiment(folder, 1.5), "--quick", "--out", out, "--trace", trace],
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            time.sleep(moment)
            process.send_signal(signal.SIGKILL)
            process.wait()
            if os.path.exists(trace) and not is_json(trace):
                self.fail(f"kill {number}: the trace is there and broken")
            if os.path.exists(out):
                return "whole" if self.analyzed(out) is not None else "broken"
            if os.path.exists(out + ".part") and b"\n" in open(out + ".part", "rb").read():
                return "part" if self.analyzed(out + ".part") is not None else "broken"
            return "nothing"

    def kills(self):
        count = max(1, int(200 * self.scale))
        moments = [self.random.uniform(0, 3) for _ in range(count)]
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            left = list(pool.map(self.kill, range(count), moments))
        self.add("run and trace: SIGKILL", "at random moments", count,
                 f"{left.count('whole')} runs whole, {left.count('part')} read up to the kill, "
                 f"{left.count('nothing')} killed before the first line")

    def table(self, path, seconds):
        total = sum(row[2] for row in self.rows if row[0].startswith("reader: "))
        lines = ["# Reliability: what was tried, how often, what came of it", "",
                 f"Made by `tests/fuzz/campaign.py --table docs/reliability.md` (scale {self.scale:g}, seed "
                 f"{self.seed}, {seconds / 60:.0f} minutes, the release build without sanitizers). "
                 f"{total:,} inputs went through the readers. "
                 + (f"{len(self.failures)} failures." if self.failures else "No crash, no hang, no lost sample."),
                 "", "| what | tried | how | what came of it |", "| :--- | ---: | :--- | :--- |"]
        lines += [f"| {what} | {tried:,} | {how} | {outcome} |" for what, how, tried, outcome in self.rows]
        lines += [f"| **failure** | | | {failure} |" for failure in self.failures]
        lines += ["", "A reader may take an input or refuse it with the exception that it documents; anything else is "
                  "a failure. Inputs are made of a small corpus of right ones by one to six changes each; a seed makes "
                  "the same ones again. `tests/fuzz/run.sh` searches the readers of traces by coverage, with the "
                  "address and undefined-behaviour sanitizers. The window's session and settings files, and runs "
                  "within HTML reports, are not among these readers; they use the same functions for JSON and runs.",
                  "", "A fault is one at the n-th call that writes (open to create, write, truncate, sync, rename) below "
                  "the folder of the results, for all n of a run; a disk that is full or broken stays so. The run must "
                  "end by itself, tell the reason, print what was measured, and leave files that can be read. Out of "
                  "memory at each allocation is not tried yet.",
                  "", KNOWN]
        with open(path, "w") as file:
            file.write("\n".join(lines) + "\n")


def samples(result):
    return [(cell["variant"], cell["at"], cell["samples"]) for cell in result["cells"]]


def is_json(path):
    try:
        with open(path) as file:
            json.load(file)
        return True
    except ValueError:
        return False


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", metavar="PART")
    parser.add_argument("--build", default="build/release")
    parser.add_argument("--scale", type=float, default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--table")
    given = parser.parse_args()
    parts = given.parts or ["readers", "faults", "kills"]
    if unknown := set(parts) - {"readers", "faults", "kills"}:
        parser.error(f"there is no part {', '.join(unknown)}; known: readers, faults, kills")
    begin = time.monotonic()
    campaign = Campaign(os.path.abspath(given.build), given.scale, given.seed)
    for part in parts:
        getattr(campaign, part)()
    if given.table:
        campaign.table(given.table, time.monotonic() - begin)
    return 1 if campaign.failures else 0


if __name__ == "__main__":
    sys.exit(main())

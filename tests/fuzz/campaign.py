#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The fuzzing campaign: nearly valid inputs for every reader, memory that runs out in a reader,
faults at every call of a run that writes, kills at random moments.

campaign.py [readers] [memory] [faults] [kills] [exports] [sizes] [coverage] [--build build/release]
            [--scale 1] [--seed 1] [--jobs 1] [--table FILE]

Without a part, all but coverage are run, which rebuilds the readers. Exits with 1 and a message if
anything crashed, hung, or lost a sample. The outcome of each part is kept in campaign.json of the
build, so that parts can be run at different times, but only for one build: outcomes of another build
are discarded. --table writes what was tried, how often, and the outcome, as docs/reliability.md;
--only-table does nothing else. --jobs: how many readers are tried at the same time.
"""
import argparse
import concurrent.futures
import glob
import hashlib
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

# Inputs at scale 1: 1.37 million.
READERS = {"experiment": 60_000, "program": 200_000, "module": 50_000, "execution": 10_000,
           "run": 60_000, "reference": 150_000, "request": 200_000, "reply": 200_000, "devices": 100_000, "calls": 50_000,
           "object": 50_000, "weights": 50_000, "chrome": 30_000, "tools": 30_000, "perfetto": 30_000, "ranks": 10_000,
           "nsys": 10_000,
           "session": 20_000, "settings": 20_000, "report": 20_000, "note": 20_000}
PARTS = ("readers", "memory", "faults", "kills", "exports", "sizes", "coverage")
SIZE_PROGRAMS = 100_000
KINDS = ("ENOSPC", "EIO", "EINTR", "short")
ORDINARY = (0, 1, 2)  # exit codes
MARK = "FUSEBENCH_CAMPAIGN"  # in the environment of what is killed: none of it may stay
EXPERIMENT = {
    "fusebench": "experiment", "version": 1, "title": "A test",
    "program": ["x = x + 1", "x = torch.sin(x)", "return x"],
    "inputs": [{"name": "all", "tensors": [{"name": "x", "extents": [4, 16]}]}],
    "variants": [{"name": "eager", "executor": "eager"}, {"name": "static", "executor": "static"}],
    "baseline": "eager", "axes": [{"name": "statements", "values": [1, 2]}]}


class Campaign:
    def __init__(self, build, scale, seed, jobs):
        self.cli = os.path.join(build, "bin/fusebench-cli")
        self.window = os.path.join(build, "bin/fusebench")
        self.mutate = os.path.join(build, "bin/fusebench-mutate")
        self.memory_program = os.path.join(build, "bin/fusebench-out-of-memory")
        self.save_program = os.path.join(build, "bin/fusebench-save")
        self.kept = os.path.join(build, "campaign.json")
        self.faults_library = glob.glob(os.path.join(build, "**/libfusebench-faults.so"), recursive=True)[0]
        self.scale, self.random, self.seed, self.jobs = scale, random.Random(seed), seed, jobs
        self.build = digest([self.cli, self.window, self.mutate, self.memory_program, self.save_program])
        self.rows, self.failures = [], []
        self.known = self.names([self.mutate])

    @staticmethod
    def names(command):
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.split("\n")[:-1]

    def run_part(self, part):
        """Runs it and keeps what came of it in place of what was kept of it before."""
        self.rows, self.failures, begin = [], [], time.monotonic()
        getattr(self, part)()
        kept = {name: of for name, of in read_kept(self.kept).items() if of.get("build") == self.build}
        kept[part] = {"rows": self.rows, "failures": self.failures, "scale": self.scale, "seed": self.seed,
                      "minutes": (time.monotonic() - begin) / 60, "where": processor(),
                      "day": time.strftime("%Y-%m-%d", time.gmtime()), "build": self.build,
                      "version": version(self.cli)}
        temporary = self.kept + ".new"
        with open(temporary, "w") as file:
            json.dump(kept, file, indent=1)
        os.replace(temporary, self.kept)
        return self.failures

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
        if missing := set(self.known) - set(READERS):
            self.fail(f"the campaign does not know the readers {', '.join(missing)}")
        with concurrent.futures.ThreadPoolExecutor(self.jobs) as pool:
            for row in pool.map(lambda item: self.try_reader(*item), READERS.items()):
                if row:
                    self.add(*row)

    def try_reader(self, name, inputs):
        """The row of one reader; None, and a failure, if it did not do what it should."""
        if name not in self.known:
            print(f"reader: {name}: not in this build, which has no window")
            return None
        count = max(1, int(inputs * self.scale))
        with tempfile.TemporaryDirectory(prefix="fusebench-") as folder:
            try:
                ended = subprocess.run([self.mutate, name, str(count), str(self.seed)], cwd=folder,
                                       capture_output=True, timeout=6000)
            except subprocess.TimeoutExpired:
                self.fail(f"reader {name} hangs")
                return None
            if ended.returncode != 0:
                kept = f"campaign-{name}-input"
                if os.path.exists(os.path.join(folder, "last-input")):
                    shutil.copy(os.path.join(folder, "last-input"), kept)
                self.fail(f"reader {name} ended with {ended.returncode}, see {kept}: "
                          + ended.stderr.decode(errors="replace").strip())
                return None
        told = json.loads(ended.stdout)
        return (f"reader: {name}", "changed inputs", told["inputs"],
                f"{told['taken']} accepted, {told['refused']} refused; slowest {told['slowest_ms']:.0f} ms")

    def sizes(self):
        """Programs with extents at which counts stop fitting: each is refused with a line, or runs and is
        right. With --build of a build with the address sanitizer it watches every access."""
        program = os.path.join(os.path.dirname(self.cli), "engine-tests")
        count = max(500, int(SIZE_PROGRAMS * self.scale))
        with tempfile.TemporaryDirectory(prefix="fusebench-") as folder:
            told = os.path.join(folder, "told.json")
            try:
                ended = subprocess.run([program, "--gtest_filter=LargeSizes.RandomProgramsAreRefusedOrRight",
                                        f"--gtest_output=json:{told}"], capture_output=True, text=True, timeout=36000,
                                       env={**os.environ, "FUSEBENCH_FUZZ": str(count)})
            except subprocess.TimeoutExpired:
                return self.fail("sizes: hangs")
            if ended.returncode != 0:
                return self.fail(f"sizes: ended with {ended.returncode}: {ended.stdout[-2000:]}{ended.stderr[-2000:]}")
            with open(told) as file:
                test = json.load(file)["testsuites"][0]["testsuite"][0]
        self.add("sizes", "programs with extents near 2^31 to 2^63", count,
                 f"{test['refused']} refused with a line, {test['ran']} ran and were right, the rest was planned")

    def memory(self):
        """Each request for memory of each reader fails; then some of a whole program's."""
        most = max(20, int(100_000 * self.scale))
        with concurrent.futures.ThreadPoolExecutor(self.jobs) as pool:
            names = [*(name for name in self.known if name not in (*QT_FILES, "execution")), "saving a run"]
            for row in pool.map(lambda name: self.starve_reader(name, most), names):
                if row:
                    self.add(*row)
        self.starve_program()

    def starve_reader(self, name, most):
        """The row of one reader; None, and a failure, if it did not do what it should."""
        with tempfile.TemporaryDirectory(prefix="fusebench-") as folder:
            try:
                ended = subprocess.run([self.memory_program, name, str(most)], cwd=folder,
                                       capture_output=True, text=True, timeout=6000)
            except subprocess.TimeoutExpired:
                self.fail(f"out of memory, {name}: hangs")
                return None
        if ended.returncode != 0:
            self.fail(f"out of memory, {name}: ended with {ended.returncode}: {ended.stderr.strip()}")
            return None
        told = json.loads(ended.stdout)
        every = "every request" if told["inputs"] >= 2 * told["requests"] else f"of {told['requests']:,} requests"
        return (f"out of memory: {name}", f"{every}, alone and with all later ones", told["inputs"],
                f"{told['ran_out']} reported it, {told['ended']} exited with a message, "
                f"{told['refused']} refused, {told['partial']} accepted in part and reported, "
                f"{told['whole']} accepted; {told['losing']} leaked memory, "
                f"at most {told['most_lost']} blocks")

    def starve_program(self):
        """One request for memory of a program that reads a run fails."""
        with tempfile.TemporaryDirectory(prefix="fusebench-") as folder:
            path = os.path.join(folder, "run.jsonl")
            subprocess.run([self.cli, "run", self.experiment(folder, 0.2), "--quick", "--out", path],
                           capture_output=True, timeout=120, check=True)
            whole = subprocess.run([self.cli, "analyze", path, "--json"], capture_output=True, check=True).stdout
            environment = {**os.environ, "LD_PRELOAD": self.faults_library, "FUSEBENCH_FAULT_ONLY": path,
                           "FUSEBENCH_FAULT_COUNT": os.path.join(folder, "count")}

            def starved(number):
                try:
                    return subprocess.run([self.cli, "analyze", path, "--json"], capture_output=True, timeout=60,
                                          env={**environment, "FUSEBENCH_FAULT": f"memory:{number}"})
                except subprocess.TimeoutExpired:
                    self.fail(f"analyze hangs when request {number} for memory fails")
                    return None
            starved(10**9)
            requests = max(int(open(file).read()) for file in glob.glob(os.path.join(folder, "count.*")))
            tried = told = 0
            for _ in range(max(5, int(1000 * self.scale))):
                number = self.random.randint(1, requests)
                ended = starved(number)
                if ended is None:
                    continue
                tried += 1
                if ended.returncode == 0 and ended.stdout != whole:
                    self.fail(f"analyze: request {number} for memory fails, and something else is printed")
                elif ended.returncode not in ORDINARY:
                    self.fail(f"analyze: request {number} for memory fails: ended with {ended.returncode}")
                elif ended.returncode != 0 and b"memory" not in ended.stderr:
                    self.fail(f"analyze: request {number} for memory fails, which it does not say: {ended.stderr}")
                told += ended.returncode != 0
            self.add("out of memory: analyze", f"one of {requests:,} requests of the program", tried,
                     f"{told} reported it in one line, the others printed the usual output")

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
            self.add(f"run and trace: {kind}", "one fault at each writing call", tried,
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

    def killed(self, folder, command, moment, number):
        """Starts a command, kills it so many seconds later, and waits until nothing of it is left."""
        mark = f"{os.getpid()}-{number}"
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                   env={**os.environ, MARK: mark, "TMPDIR": folder,
                                        "QT_QPA_PLATFORM": "offscreen"})
        time.sleep(moment)
        process.send_signal(signal.SIGKILL)
        out = process.stdout.read()  # ends when the last process that holds it has
        process.wait()
        for _ in range(100):
            if not (left := marked(mark)):
                return out
            time.sleep(0.1)
        self.fail(f"kill {number}: process {left} outlived it by 10 s")
        return out

    def kill_run(self, number, moment):
        """Kills a run this many seconds after its start, and returns what it left."""
        with tempfile.TemporaryDirectory(prefix="fusebench-") as folder:
            out, trace = os.path.join(folder, "run.jsonl"), os.path.join(folder, "trace.json")
            command = [self.cli, "run", self.experiment(folder, 1.5), "--quick", "--out", out, "--trace", trace]
            self.killed(folder, command, moment, f"run {number}")
            if os.path.exists(trace) and not is_json(trace):
                self.fail(f"kill {number}: the trace is there and broken")
            left = "whole" if os.path.exists(out) else "part"
            path = out if left == "whole" else out + ".part"
            if not os.path.exists(path) or b"\n" not in open(path, "rb").read():
                return "nothing"
            read = self.analyzed(path)
            if read is None:
                return "broken"
            if sum(count for _, _, count in read) != written_samples(path):
                self.fail(f"kill {number}: {written_samples(path)} samples are in the file, read were {read}")
            if left == "part" and self.next_run_loses(folder, out):
                self.fail(f"kill {number}: the next run to that file lost what was measured")
            return left

    def next_run_loses(self, folder, out):
        """Whether what a killed run left is gone after another run of the same --out."""
        before = written_samples(out + ".part")
        subprocess.run([self.cli, "run", self.experiment(folder, 0.1), "--quick", "--out", out], capture_output=True,
                       timeout=120)
        aside = os.path.join(folder, "run-unfinished.jsonl")
        return not os.path.exists(aside) or written_samples(aside) != before or self.analyzed(out) is None

    def kill_export(self, number, moment, run, whole):
        """Kills an export; the report must be the earlier one or the new one, complete."""
        with tempfile.TemporaryDirectory(prefix="fusebench-") as folder:
            report = os.path.join(folder, "report.html")
            if number % 2:
                with open(report, "w") as file:
                    file.write("before")
            self.killed(folder, [self.window, "--export", report, run], moment, f"export {number}")
            if not os.path.exists(report):
                if number % 2:
                    self.fail(f"export {number}: the report from before is gone")
                return "before"
            text = open(report).read()
            if number % 2 and text == "before":
                return "before"
            if not text.rstrip().endswith("</html>") or embedded(text) != embedded(whole):
                self.fail(f"export {number}: the report is there and broken")
            return "whole"

    def kill_save(self, number, moment):
        """Saves as the program does, over and over: what it said was saved is there, or a later one."""
        with tempfile.TemporaryDirectory(prefix="fusebench-") as folder:
            said = self.killed(folder, [self.save_program, folder], moment, f"save {number}").split()
            ended = subprocess.run([self.save_program, folder, "read"], capture_output=True, text=True)
            if ended.returncode != 0:
                self.fail(f"save {number}: cannot be read back: {ended.stderr.strip()}")
                return "broken"
            read, last = [int(word) for word in ended.stdout.split()], int(said[-1]) if said else 0
            if min(read) < last or max(read) > last + 1:
                self.fail(f"save {number}: said was {last}, read were {read}")
            return "saved" if last else "nothing"

    def spread(self, work, longest):
        """Does work(number, moment) for 200 random moments, some at a time."""
        count = max(1, int(200 * self.scale))
        moments = [self.random.uniform(0, longest) for _ in range(count)]
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            return list(pool.map(work, range(count), moments))

    def kills(self):
        left = self.spread(self.kill_run, 6)
        self.add("run and trace: SIGKILL", "at random moments", len(left),
                 f"{left.count('whole')} runs whole, {left.count('part')} read up to the kill and kept by the next "
                 f"run, {left.count('nothing')} killed before the first line")
        left = self.spread(self.kill_save, 1.5)
        self.add("save: SIGKILL", "at random moments", len(left),
                 f"every reported save was read back in {left.count('saved')}, "
                 f"{left.count('nothing')} killed before the first")

    def exports(self):
        """Reports of which the program that writes them is killed."""
        if not os.path.exists(self.window):
            print("export: SIGKILL: not in this build, which has no window")
            return
        with tempfile.TemporaryDirectory(prefix="fusebench-") as folder:
            run, report = os.path.join(folder, "run.jsonl"), os.path.join(folder, "whole.html")
            subprocess.run([self.cli, "run", self.experiment(folder, 0.2), "--quick", "--out", run],
                           capture_output=True, check=True, timeout=120)
            begin = time.monotonic()
            subprocess.run([self.window, "--export", report, run], check=True, capture_output=True, timeout=120,
                           env={**os.environ, "QT_QPA_PLATFORM": "offscreen"})
            seconds = time.monotonic() - begin
            whole, inside = open(report).read(), os.path.join(folder, "inside.jsonl")
            with open(inside, "w") as file:
                file.write(embedded(whole))
            if self.analyzed(inside) != self.analyzed(run):
                self.fail("the run inside a report is not the one that it is of")
            left = self.spread(lambda number, moment: self.kill_export(number, moment, run, whole), 4 * seconds)
        self.add("export of a report: SIGKILL", "at random moments", len(left),
                 f"{left.count('whole')} reports whole, {left.count('before')} as before")

    def coverage(self):
        """A search by coverage, under sanitizers."""
        script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "run.sh")
        for name in self.known:
            if name in QT_READERS:
                continue
            # What the other readers take together: it compiles and runs what it reads.
            seconds = max(5, int((3600 if name == "execution" else 200) * self.scale))
            with tempfile.TemporaryDirectory(prefix="fusebench-") as folder:
                ended = subprocess.run([script, name, str(seconds)], capture_output=True, text=True,
                                       env={**os.environ, "FUZZ_FOLDER": folder})
                if ended.returncode != 0:
                    kept = f"campaign-{name}-coverage"
                    for file in glob.glob(os.path.join(folder, "*-" + "[0-9a-f]" * 40)):
                        shutil.copy(file, kept)
                    self.fail(f"coverage, {name}: ended with {ended.returncode}, see {kept}: {ended.stderr[-2000:]}")
                    continue
            units = int(re.search(r"stat::number_of_executed_units: *(\d+)", ended.stderr).group(1))
            found = re.findall(r"cov: (\d+)", ended.stderr)[-1]
            self.add(f"coverage: {name}", "inputs searched for, under sanitizers", units,
                     f"{found} branches reached in {seconds} s")


QT_READERS = ("session", "settings", "report", "note")  # not in the build of coverage, which has no Qt
QT_FILES = ("session", "settings")  # read by Qt's own readers, which crash where there is no memory
NOTES = """
A reader may accept an input or refuse it with the exception that it documents. Anything else is a failure. Inputs \
are made from a small corpus of correct ones by one to six changes each; a seed makes the same ones again. Readers of \
traces also compute everything that is shown of a trace, export it and read the export. `coverage` \
(`tests/fuzz/run.sh`) searches the same readers with libFuzzer, under the address and undefined-behavior sanitizers. \
`execution` reads a program, plans it, runs it in every executor on the CPU, and compares with the reference.

Memory runs out at the n-th request (malloc, operator new), for every n of each reader and of saving a run: once for \
this request alone, once for it and all later ones. The reader must report it, refuse the input, accept a part and \
report that, or accept the input, and must leave no half-written file. Leaked memory belongs to the JSON library, \
which does not free an object that it was still constructing. Parsed JSON requests memory while it is destroyed. If \
none is left, the program exits with a message. The program itself frees a reserve first in that case; these \
readers were tested without it. The window's session and settings are not included: Qt's own readers read them, and \
crash without memory. Nor is `execution`, because LLVM ends a process that has no memory.

A fault occurs at the n-th writing call (open to create, write, truncate, sync, rename) below the folder of the \
results, for every n of a run. A disk that is full or broken stays so. The run must exit on its own, report the \
reason, print what was measured, and leave files that can be read.

After a kill no process of the program may remain. All samples in its file are read back, and the next run to the \
same file must keep them. Reports and saved files are complete: the old ones or the new ones.
"""


def digest(programs):
    """Tells one build from another."""
    made = hashlib.sha256()
    for program in programs:
        if os.path.exists(program):
            with open(program, "rb") as file:
                made.update(file.read())
    return made.hexdigest()[:16]


def version(program):
    return subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout.strip()


def read_kept(path):
    if not os.path.exists(path):
        return {}
    with open(path) as file:
        return json.load(file)


def builds(kept):
    """Which builds the parts ran on."""
    parts = {}
    for part, of in kept.items():
        parts.setdefault(f"{of['version']} ({of['build']})", []).append(part)
    if len(parts) == 1:
        return f"One build: {next(iter(parts))}."
    return "Builds: " + "; ".join(f"{', '.join(names)} on {build}" for build, names in parts.items()) + "."


def table(kept, path):
    rows = [row for part in PARTS if part in kept for row in kept[part]["rows"]]
    failures = [failure for part in PARTS if part in kept for failure in kept[part]["failures"]]
    total = sum(row[2] for row in rows if row[0].startswith("reader: "))
    lines = ["# Reliability: tests with hostile input, faults and kills", "",
             f"Made by `tests/fuzz/campaign.py --table docs/reliability.md`. The readers of the release build read "
             f"{total:,} inputs. "
             + (f"{len(failures)} failures." if failures else "No crash, no hang, no lost sample."),
             "", builds(kept),
             "", "| part | when | where | scale | seed | minutes |", "| :--- | :--- | :--- | ---: | ---: | ---: |"]
    lines += [f"| {part} | {of['day']} | {of['where']} | {of['scale']:g} | {of['seed']} | {of['minutes']:.0f} |"
              for part in PARTS if (of := kept.get(part))]
    if missing := [part for part in PARTS if part not in kept]:
        lines += ["", f"Not run for this table: {', '.join(missing)}."]
    lines += ["", "| test | tried | how | result |", "| :--- | ---: | :--- | :--- |"]
    lines += [f"| {what} | {tried:,} | {how} | {outcome} |" for what, how, tried, outcome in rows]
    lines += [f"| **failure** | | | {failure} |" for failure in failures]
    with open(path, "w") as file:
        file.write("\n".join(lines) + "\n" + NOTES)


def processor():
    try:
        with open("/proc/cpuinfo") as file:
            model = re.search(r"model name\s*: (.*)", file.read()).group(1)
    except (OSError, AttributeError):
        model = "unknown"
    return f"{model}, {len(os.sched_getaffinity(0))} cores"


def marked(mark):
    """A process that has the mark in its environment; 0: none."""
    for path in glob.glob("/proc/[0-9]*/environ"):
        try:
            with open(path, "rb") as file:
                if f"{MARK}={mark}\0".encode() in file.read():
                    return int(path.split("/")[2])
        except OSError:
            pass  # gone meanwhile, or not ours
    return 0


def written_samples(path):
    """Samples in the whole lines of a run's file."""
    count = 0
    with open(path, "rb") as file:
        for line in file.read().split(b"\n")[:-1]:
            record = json.loads(line)
            if record.get("record") == "samples":
                count += len(record["ns"])
    return count


def embedded(page):
    """The run inside a report."""
    found = re.search(r'<script type="application/x-fusebench-run"[^>]*>\n(.*?)</script>', page, re.S)
    return found.group(1) if found else ""


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
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--table")
    parser.add_argument("--only-table", action="store_true")
    given = parser.parse_args()
    parts = [] if given.only_table else given.parts or PARTS[:-1]
    if unknown := set(parts) - set(PARTS):
        parser.error(f"there is no part {', '.join(unknown)}; known: {', '.join(PARTS)}")
    build = os.path.abspath(given.build)
    failed = False
    for part in parts:
        failed = bool(Campaign(build, given.scale, given.seed, given.jobs).run_part(part)) or failed
    if given.table:
        table(read_kept(os.path.join(build, "campaign.json")), given.table)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

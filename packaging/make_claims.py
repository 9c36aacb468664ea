#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes docs/claims.md: the verdict on every claim of the shipped experiments.

    packaging/make_claims.py [--cpu] [--python PYTHON] [FOLDER]

FOLDER contains fusebench-cli (default: build/release/bin). Simulated devices and recordings are judged again each time.
With --cpu the experiments are measured here, too, with --quick; let the machine be idle. Without it the column about
the CPU stays as it is. PyTorch's variants are measured with PYTHON where it has torch.
"""
import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
TABLE = ROOT / "docs/claims.md"
DEVICES = ["sim:h100", "sim:h200"]
HEAD = """# Claims

Published claims that ship with experiments, and the verdict on each: on a CPU (`--quick`), on two
[simulated devices](simulation.md), and in the recordings of an H200. `packaging/make_claims.py` writes this page.

| verdict | meaning |
|---|---|
| holds, does not hold | the whole 95 % interval agrees, or none of it |
| holds in part | it agrees at some points and disagrees at others |
| open | the interval contains both answers, or there are too few samples |
| not modeled | the simulated device does not model what decides it |
| other device | the claim is about the other kind of device, or about CPU threads |
| not measured | the run lacks a variant or a point, such as PyTorch's on a simulated device |

CPU: {cpu}.

| experiment | claim | CPU | sim:h100 | sim:h200 | recorded H200 |
|---|---|---|---|---|---|
"""


def result(arguments, environment):
    done = subprocess.run(arguments, cwd=ROOT, env=environment, capture_output=True, text=True)
    if done.returncode not in (0, 1) or not done.stdout:
        sys.exit(f"{' '.join(map(str, arguments))}: {done.stderr.strip() or done.returncode}")
    return json.loads(done.stdout)


def verdicts(found):
    """Per claim its verdict; with several slices of a second axis, all of them."""
    by_text = {}
    for claim in found["claims"]:
        by_text.setdefault(claim["text"], []).append(claim["verdict"])
    known = {text: [verdict for verdict in all_of if verdict != "not measured"] for text, all_of in by_text.items()}
    return {text: ", ".join(dict.fromkeys(all_of)) or "not measured" for text, all_of in known.items()}


def known_rows():
    """The CPU's verdicts and name in the page as it is."""
    rows, cpu = {}, "not measured yet"
    if TABLE.exists():
        text = TABLE.read_text()
        cpu = re.search(r"^CPU: (.*)\.$", text, re.M).group(1)
        for line in text.splitlines():
            cells = [cell.strip() for cell in line.strip("|").split("|")]
            if len(cells) == 6 and cells[0].startswith("`"):
                rows[cells[0].strip("`"), cells[1]] = cells[2]
    return rows, cpu


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cpu", action="store_true")
    parser.add_argument("--python")
    parser.add_argument("folder", nargs="?", default="build/release/bin")
    options = parser.parse_args()
    cli = pathlib.Path(options.folder).resolve() / "fusebench-cli"
    environment = {**os.environ, "FUSEBENCH_RESOURCES": str(ROOT / "resources"), "LC_ALL": "C.UTF-8", "LANGUAGE": "en"}
    if options.python:
        environment["FUSEBENCH_PYTHON"] = options.python
    measured, cpu = known_rows()
    lines = []
    with tempfile.TemporaryDirectory() as folder:
        for path in sorted((ROOT / "resources/experiments").glob("*.json")):
            claims = json.loads(path.read_text()).get("claims")
            if not claims:
                continue
            run = [cli, "run", path.stem, "--quick", "--json", "--out", pathlib.Path(folder) / "run.jsonl"]
            on = {device: verdicts(result([*run, "--device", device], environment)) for device in DEVICES}
            if options.cpu:
                found = result([*run, "--device", "cpu"], environment)
                cpu = found["environment"]["cpu"]["model"]
                on["cpu"] = verdicts(found)
            recording = ROOT / f"resources/recordings/h200_{path.stem}.jsonl"
            recorded = verdicts(result([cli, "analyze", recording, "--json"], environment)) if recording.exists() else {}
            for text in dict.fromkeys(claim["text"] for claim in claims):
                here = on["cpu"].get(text, "not measured") if options.cpu else measured.get((path.stem, text), "not measured")
                cells = [f"`{path.stem}`", text, here, *(on[device].get(text, "not measured") for device in DEVICES),
                         recorded.get(text, "–")]
                lines.append("| " + " | ".join(cells) + " |")
    new = TABLE.with_suffix(".new")
    new.write_text(HEAD.format(cpu=cpu) + "\n".join(lines) + "\n")
    new.replace(TABLE)


if __name__ == "__main__":
    main()

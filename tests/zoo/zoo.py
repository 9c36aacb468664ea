#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Captures the models of models.py, runs each in every executor, and writes docs/zoo.md.

    tests/zoo/zoo.py --cli build/release/bin/fusebench-cli --python ~/venv/bin/python [--timings] [--only NAME ...]
                     [--folder DIR] [--out docs/zoo.md] [--page-only]

The Python needs torch 2, torchvision, timm, transformers and diffusers. Results stay in --folder, one file per model,
so that a run that was interrupted continues where it stopped. With --timings, PyTorch eager and torch.compile run the
model's own module in the same rounds, on one thread; use it on a quiet machine only.
"""
import argparse
import json
import os
import pathlib
import re
import statistics
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
OURS = ("eager", "static", "dynamic", "instant")
TORCH = (("torch", "PyTorch eager"), ("torch-static", "torch.compile"))
WITHIN = 1e-4
SHOWN_SHARE = 0.1  # a smaller part of a call explains little
LONGEST_NOTE, LONGEST_KERNEL = 200, 40
CAPTURE_SECONDS, RUN_SECONDS = 300, 600


def families(python):
    """Names and families, in the order of the file; asked of the Python that has the libraries."""
    code = "import json, sys; sys.path.insert(0, %r); import models; print(json.dumps(models.FAMILIES))" % str(HERE)
    return json.loads(subprocess.run([python, "-B", "-c", code], check=True, capture_output=True, text=True).stdout)


def command(arguments, seconds):
    """(exit code, output, last line of the errors); 124 if it took too long."""
    try:
        done = subprocess.run(arguments, capture_output=True, text=True, timeout=seconds, check=False)
    except subprocess.TimeoutExpired:
        return 124, "", "took longer than %d s" % seconds
    lines = [line for line in done.stderr.strip().split("\n") if line and "with your permissions" not in line]
    return done.returncode, done.stdout, lines[-1] if lines else ""


def prepared(path, timings):
    """Has the experiment run each of ours, and PyTorch to compare with."""
    experiment = json.loads(path.read_text())
    first = experiment["variants"][0]
    shared = {key: first[key] for key in ("program", "inputs", "gradients") if key in first}
    executors = OURS + (("torch", "torch-static") if timings else ("torch",))
    experiment["variants"] = [dict(shared, name=each, executor=each) for each in executors]
    experiment["baseline"] = "eager"
    measure = {"budgetSeconds": 30, "minimumSamples": 31, "maximumSamples": 101, "compileRepeats": 1}
    experiment["measure"] = measure if timings else {"budgetSeconds": 0.5, "minimumSamples": 5, "maximumSamples": 5,
                                                     "compileRepeats": 1, "sessions": 1}
    path.write_text(json.dumps(experiment, indent=1))


def tried(name, options):
    """The result of one model."""
    found = {"name": name, "captured": False}
    path = pathlib.Path(options.folder) / (name + ".json")
    arguments = [options.cli, "capture", str(HERE / "models.py"), name, "--python", options.python, "--out", str(path),
                 "--json"]
    code, output, error = command(arguments + (["--train"] if name.startswith("train_") else []), CAPTURE_SECONDS)
    if not output:
        return dict(found, why=error)
    told = json.loads(output)
    found.update(captured=True, nodes=told["nodes"], programs=told["programs"], how=told["how"], graph=told["difference"])
    if code != 0:
        return dict(found, why=error)
    prepared(path, options.timings)
    arguments = [options.cli, "run", str(path), "--json", "--python", options.python]
    code, output, error = command(arguments + (["--run-module"] if options.timings else []), RUN_SECONDS)
    if not output:
        return dict(found, why=error)
    cells = {cell["variant"]: cell for cell in json.loads(output)["cells"]}
    found["cells"] = {each: {key: cells[each].get(key) for key in ("latency_ns", "rel_error", "torch_difference", "launches",
                                                                   "peak_bytes", "error", "check_note", "stop",
                                                                   "accuracy")}
                      for each in cells}
    found["work"] = work_of(cells.get("static", {}).get("anatomy"))
    errors = [cell["error"] for cell in found["cells"].values() if cell["error"]]
    if errors:
        found["why"] = errors[0]
    return found


def work_of(anatomy):
    """Where a recorded call's time goes: its share outside of kernels, and by kernel (name, launches, share), the
    largest first; None: no call was recorded."""
    if not anatomy:
        return None
    total = sum(anatomy["parts"].values())
    kernels = {}
    for launch in anatomy["launches"]:
        count, time_ns = kernels.get(launch["kernel"], (0, 0.0))
        kernels[launch["kernel"]] = (count + 1, time_ns + launch["parts"].get("kernel", 0.0))
    inside = anatomy["parts"].get("kernel", 0.0)
    by_time = sorted(kernels.items(), key=lambda each: -each[1][1])
    return {"outside": 1 - inside / total if total else 0.0,
            "kernels": [[name, count, time_ns / total if total else 0.0] for name, (count, time_ns) in by_time]}


def speedup(found, other):
    """The speedup of the compiled executor over a variant of PyTorch; None: not measured."""
    cells = found.get("cells", {})
    times = [(cells.get(each) or {}).get("latency_ns") for each in (other, "static")]
    return times[0] / times[1] if all(times) else None


def shortened(name):
    return name if len(name) <= LONGEST_KERNEL else name[:LONGEST_KERNEL - 3] + "..."


def reason(found):
    """Why the compiled executor is slower than PyTorch: what a recorded call spends its time on. Empty: it is not."""
    slower = [(title, ratio) for each, title in TORCH for ratio in [speedup(found, each)] if ratio and ratio < 1]
    if not slower:
        return ""
    text = "slower than " + " and ".join("%s (%.2f)" % each for each in slower)
    work = found.get("work")
    if not work or not work["kernels"]:
        return text
    parts = ["%.0f%% in %d launch%s of %s" % (100 * share, count, "" if count == 1 else "es", shortened(name))
             for name, count, share in work["kernels"][:2] if share >= SHOWN_SHARE]
    if work["outside"] >= SHOWN_SHARE:
        parts.append("%.0f%% outside of kernels" % (100 * work["outside"]))
    return text + (": " + ", ".join(parts) if parts else "")


def medians(results):
    """Lines on the speedups of the compiled executor over all models that have them."""
    lines = []
    for each, title in TORCH:
        ratios = [ratio for found in results for ratio in [speedup(found, each)] if ratio]
        if ratios:
            lines.append("- over %s: median %.2f, from %.2f to %.2f; slower for %d of %d models"
                         % (title, statistics.median(ratios), min(ratios), max(ratios),
                            sum(ratio < 1 for ratio in ratios), len(ratios)))
    return lines


def is_right(cell, graph):
    """Ours agrees with PyTorch on the captured graph, and that with the module."""
    difference = cell.get("torch_difference")
    return difference is not None and float(difference) <= WITHIN and (graph is None or float(graph) <= WITHIN)


def number(value, form="%.1e"):
    return "" if value is None else form % float(value)


def row(found, family, timings):
    cells = found.get("cells", {})
    right = [each for each in OURS if each in cells and is_right(cells[each], found.get("graph"))]
    worst = max((float(cells[each]["torch_difference"]) for each in OURS
                 if cells.get(each, {}).get("torch_difference") is not None), default=None)
    launches = [cells.get(each, {}).get("launches") or {} for each in ("eager", "static")]
    peak = cells.get("static", {}).get("peak_bytes")
    columns = [found["name"], family, str(found.get("nodes", "")), "yes" if found["captured"] else "no",
               "all" if len(right) == len(OURS) else ", ".join(right) or "no", number(worst)]
    columns += [number(each.get("mean"), "%.0f") for each in launches] + [number(peak and peak / 1e6, "%.1f")]
    if timings:
        columns += [number(speedup(found, each), "%.2f") for each, _ in TORCH]
    # Without the command and the folder, which say nothing of the model.
    why = re.sub(r"^fusebench-cli: captured, but it cannot run yet: \S+ ", "", found.get("why") or "")
    why = why.replace("|", "\\|").replace(str(HERE.parent.parent) + os.sep, "")
    if timings:
        why = "; ".join(each for each in (why, reason(found)) if each)
    return "| %s |" % " | ".join(columns + [why[:LONGEST_NOTE]])


def page(results, kinds, options):
    captured = [each for each in results if each["captured"]]
    right = [each for each in captured if all(is_right(each.get("cells", {}).get(one, {}), each.get("graph")) for one in OURS)]
    heads = ["model", "family", "nodes", "captured", "right", "largest error", "launches, eager", "launches, compiled",
             "peak MB"]
    if options.timings:
        heads += ["speedup over " + title for _, title in TORCH]
    lines = ["# The zoo", "",
             "Small models of many families, captured with `fusebench-cli capture` and run in every executor. Made by",
             "`tests/zoo/zoo.py`; `tests/zoo/models.py` has the models. All have random weights and one thread.", "",
             "- **captured**: PyTorch exported the model, and the graph was written as an experiment.",
             "- **right**: the executors whose results agree with PyTorch's within %g, element by element, relative to the"
             % WITHIN,
             "  element or to the terms of a final sum. PyTorch runs the captured graph, in double precision where it can;",
             "  its own difference from the module is also within %g." % WITHIN,
             "- **largest error**: the largest of these differences over the four executors.",
             "- **peak**: bytes that are allocated at the peak of one compiled call, inputs included.", "",
             "%d of the %d models in `tests/zoo/models.py` were tried, and %d of these were captured. %d of the captured"
             % (len(results), len(kinds), len(captured), len(right)),
             "models are right in all of %s." % ", ".join(OURS), ""]
    if options.timings:
        lines += ["The last two columns are speedups of the compiled executor, measured in the same rounds on one thread.",
                  "Where it is slower, the note has the speedup and what takes most of a recorded call.", "",
                  *medians(results), ""]
    else:
        lines += ["Times were not measured; `zoo.py --timings` measures them, on a quiet machine.", ""]
    heads.append("note")
    lines += ["| %s |" % " | ".join(heads), "|%s|" % "|".join("---" for _ in heads)]
    return "\n".join(lines + [row(each, kinds[each["name"]], options.timings) for each in results]) + "\n"


def main():
    parser = argparse.ArgumentParser(description="Capture and check many models")
    parser.add_argument("--cli", required=True, help="fusebench-cli")
    parser.add_argument("--python", required=True, help="a Python with torch 2 and the libraries of models")
    parser.add_argument("--folder", default="zoo", help="where experiments and results stay (default: zoo)")
    parser.add_argument("--out", help="the page to write (default: none)")
    parser.add_argument("--only", nargs="+", default=[], help="names of models (default: all)")
    parser.add_argument("--page-only", action="store_true", help="write the page from the results in --folder")
    parser.add_argument("--timings", action="store_true", help="also measure times, against PyTorch's")
    options = parser.parse_args()
    os.makedirs(options.folder, exist_ok=True)
    kinds = families(options.python)

    def kept_of(name):
        return pathlib.Path(options.folder) / (name + ".result")

    for name in options.only or ([] if options.page_only else kinds):
        kept = kept_of(name)
        if kept.exists():
            continue
        start = time.monotonic()
        found = tried(name, options)
        kept.write_text(json.dumps(found, indent=1))
        print("%s: %.0f s%s" % (name, time.monotonic() - start, ": " + found["why"] if found.get("why") else ""),
              file=sys.stderr, flush=True)
    results = [json.loads(kept_of(name).read_text()) for name in kinds if kept_of(name).exists()]
    if options.out:
        pathlib.Path(options.out).write_text(page(results, kinds, options))
    return 0


if __name__ == "__main__":
    sys.exit(main())

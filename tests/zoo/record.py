#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Records what PyTorch computes for the captured models in tests/zoo/captured, for the normal tests.

    tests/zoo/record.py --cli build/release/bin/fusebench-cli --python ~/venv/bin/python [--capture]

With --capture, the models are captured again first. For each MODEL.json, MODEL.results.json gets the elements of each
result: PyTorch runs the program on the inputs that Fusebench draws, in float64 where the program allows it.
"""
import argparse
import json
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
FOLDER = HERE / "captured"
MODELS = {"yolo_head": [], "lstm": [], "torch_transformer": []}


def inputs_file(cli, path):
    """Has a worker write the inputs of the experiment's first cell; keeps the worker until its file was read."""
    worker = subprocess.Popen([cli, "worker"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(**request):
        worker.stdin.write(json.dumps(request) + "\n")
        worker.stdin.flush()
        reply = json.loads(worker.stdout.readline())
        if "ok" not in reply:
            raise SystemExit("%s: %s" % (path, reply))
        return reply["ok"]

    ask(id=1, do="hello")
    ask(id=2, do="load", experiment=path.read_text())
    return worker, ask(id=3, do="values", variant=0, at=[1], what="inputs")["file"]


def record(cli, path):
    sys.path.insert(0, str(HERE.parent.parent / "resources" / "torch"))
    import fusebench_values as values
    import torch
    worker, file = inputs_file(cli, path)
    entry = values.ValuesFile(file, torch.device("cpu")).entries[0]
    worker.stdin.close()
    worker.wait()
    space = {"torch": torch, "math": __import__("math")}
    exec(compile("\n".join(json.loads(path.read_text())["program"]), str(path), "exec"), space)
    with torch.no_grad():
        try:
            results = space["forward"](*[x.double() if x.is_floating_point() else x for x in entry.inputs])
        except RuntimeError:  # the graph itself makes a float32 tensor
            results = space["forward"](*entry.inputs)
    results = results if isinstance(results, tuple) else (results,)
    kept = [{"shape": list(each.shape), "elements": each.double().reshape(-1).tolist()} for each in results]
    path.with_suffix(".results.json").write_text(json.dumps({"torch": torch.__version__, "results": kept}) + "\n")


def main():
    parser = argparse.ArgumentParser(description="Record PyTorch's results of captured models")
    parser.add_argument("--cli", required=True)
    parser.add_argument("--python", required=True)
    parser.add_argument("--capture", action="store_true")
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    FOLDER.mkdir(exist_ok=True)
    if not options.inside:
        for name, more in MODELS.items() if options.capture else ():
            out = str(FOLDER / (name + ".json"))
            subprocess.run([options.cli, "capture", str(HERE / "models.py"), name, "--python", options.python, "--out", out]
                           + more, check=True)
            # Captures name the file by its place on this machine.
            captured = pathlib.Path(out)
            captured.write_text(captured.read_text().replace(str(HERE / "models.py"), "models.py"))
        subprocess.run([options.python, "-B", __file__, "--cli", options.cli, "--python", options.python, "--inside"],
                       check=True)
        return 0
    for name in MODELS:
        record(options.cli, FOLDER / (name + ".json"))
    return 0


if __name__ == "__main__":
    sys.exit(main())

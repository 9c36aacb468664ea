# SPDX-License-Identifier: GPL-3.0-or-later
"""Captures a PyTorch model as an experiment of Fusebench. This executes the file that makes the model.

    python3 fusebench_capture.py FILE.py [NAME] --out MODEL.json [--weights] [--decompose none|core] [--train]
                                 [--input "x=1,3,224,224:float32"] [--dynamic batch=0]

FILE.py has a function `make` (or NAME) that returns (model, args) or (model, args, kwargs), or a module, whose inputs
--input describes. A file of torch.export.save (.pt2) works, too. Needs torch 2.

Writes JSON lines to standard output: {"progress": ...} as it goes, then {"done": {...}} or {"error": {"kind": ...,
"message": ...}}. Whatever the user's code prints goes to standard error. From Python: capture(model, args, path).
"""
import argparse
import json
import os
import sys
import types

NEEDED = "capturing needs PyTorch 2 (pip install torch); name a Python that has it with --python or FUSEBENCH_PYTHON"


class Lines:
    """Standard output for JSON lines alone."""

    def __init__(self):
        self.out = os.dup(1)
        os.set_inheritable(self.out, False)
        os.dup2(2, 1)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)  # the user's code waits for nobody

    def say(self, **what):
        line = (json.dumps(what, allow_nan=False) + "\n").encode()
        try:
            while line:
                line = line[os.write(self.out, line):]
        except OSError:
            os._exit(0)  # nobody reads any more


def arguments(given=None):
    parser = argparse.ArgumentParser(description="Capture a PyTorch model as an experiment of Fusebench")
    parser.add_argument("file", metavar="FILE", help="Python file, or a .pt2 file of torch.export.save")
    parser.add_argument("name", metavar="NAME", nargs="?", default="", help="function or module in it (default: make)")
    parser.add_argument("--out", required=True, metavar="MODEL.json", help="file to write")
    parser.add_argument("--weights", action="store_true", help="values of the weights in a .safetensors file next to it")
    parser.add_argument("--decompose", choices=("none", "core"), default="none", help="operations to break up")
    parser.add_argument("--train", action="store_true", help="training mode, with gradients")
    parser.add_argument("--input", action="append", default=[], metavar="NAME=SIZES:DTYPE", help="a tensor of the call")
    parser.add_argument("--dynamic", action="append", default=[], metavar="NAME=DIMENSION", help="a size that varies")
    return parser.parse_args(given)


def torch_or_reason():
    """None, or why there is no torch 2, in one line."""
    where = "Python %d.%d (%s)" % (sys.version_info[:2] + (sys.executable,))
    try:
        import torch
    except Exception as error:
        return "%s cannot import PyTorch (%s); %s" % (where, str(error).split("\n")[0][:200], NEEDED)
    if not hasattr(torch, "export") or int(torch.__version__.split(".")[0]) < 2:
        return "%s has torch %s; %s" % (where, torch.__version__, NEEDED)
    return None


def difference(made, text):
    """Largest relative difference between the captured text, run by PyTorch, and the module; None: not comparable."""
    import copy

    import torch
    from fusebench_results import named_tensors
    space = {"torch": torch, "math": __import__("math")}
    exec(compile(str(text), "<captured>", "exec"), space)
    given = [each.tensor.detach().clone() for each in text.inputs]
    model = copy.deepcopy(made.model) if made.is_module else made.model
    with torch.no_grad():
        torch.manual_seed(1)
        expected = [each for _, each in named_tensors(model(*copy.deepcopy(made.args), **copy.deepcopy(made.kwargs)))]
        torch.manual_seed(1)
        got = [each for _, each in named_tensors(space["forward"](*given))]
    if len(got) != len(expected):
        raise ValueError("the graph returns %d tensors, and the module %d" % (len(got), len(expected)))
    worst = 0.0
    for ours, theirs in zip(got, expected):
        if tuple(ours.shape) != tuple(theirs.shape):
            raise ValueError("the graph returns shape %s, and the module %s" % (tuple(ours.shape), tuple(theirs.shape)))
        if ours.is_complex() or not ours.numel():
            continue
        a, b = ours.double(), theirs.double()
        same = (a == b) | (a.isnan() & b.isnan())
        scale = b[b.isfinite()].abs().max().item() if bool(b.isfinite().any()) else 1.0
        worst = max(worst, torch.where(same, torch.zeros_like(a), (a - b).abs()).max().item() / (scale or 1.0))
    return worst


def captured(made, options, say=lambda what: None):
    """Captures a Made as `options` say, and writes the experiment. Returns a summary."""
    import fusebench_experiment as writing
    import fusebench_graphs as graphs
    found, how = graphs.capture(made, options.decompose, options.dynamic, say)
    say("writing")
    experiment, values, texts = writing.build(made, found, options, how)
    told = {"title": experiment["title"], "how": how, "parts": len(texts), "modules": len(experiment["capture"]["modules"]), "out": options.out,
            "nodes": sum(len(text.origins) for text in texts), 
            "notes": [experiment["note"]] if "note" in experiment else []}
    if len(texts) == 1 and not options.train:
        say("checking")
        told["difference"] = writing.plain(difference(made, texts[0]))
    writing.save(experiment, values, options.out)
    if values:
        told["weights"] = experiment["weights"]
    return told


def capture(model, args, path, kwargs=None, file="", name="", weights=False, decompose="none", train=False, dynamic=()):
    """Captures a module or function called with `args` as the experiment `path`, for use inside Python.

    `file`: the file that the user may let Fusebench run for PyTorch's variants; without it they run the captured graph.
    Raises fusebench_module.Refused with the user's source line, the cause and a remedy.
    """
    import fusebench_graphs
    import fusebench_module
    made = fusebench_module.Made(model, args, kwargs, name or type(model).__name__)
    if made.is_module:
        model.train(train)
    options = types.SimpleNamespace(file=file, name=name, out=path, weights=weights, decompose=decompose,
                                    train=train, input=[], dynamic=list(dynamic))
    try:
        return captured(made, options)
    except fusebench_module.Refused:
        raise
    except Exception as error:
        raise fusebench_module.Refused(fusebench_graphs.explained(error, file or source_file(model))) from error


def source_file(model):
    """The file that a model's class or a function is written in; its name if that is not known."""
    import inspect
    written = model if inspect.isfunction(model) else type(model)
    try:
        return inspect.getsourcefile(written) or written.__name__
    except (OSError, TypeError):
        return written.__name__


def main():
    options = arguments()
    lines = Lines()
    lines.say(progress="importing PyTorch")
    reason = torch_or_reason()
    if reason:
        lines.say(error={"kind": "unavailable", "message": reason})
        return 2
    import fusebench_graphs
    import fusebench_module
    try:
        lines.say(progress="running the file")
        if options.file.endswith(".pt2"):
            made = fusebench_module.load_exported(options.file)
        else:
            made = fusebench_module.load(options.file, options.name, options.input, options.train)
        told = captured(made, options, lambda what: lines.say(progress=what))
    except fusebench_module.Refused as error:
        lines.say(error={"kind": "input", "message": str(error)})
        return 2
    except MemoryError:
        lines.say(error={"kind": "input", "message": "%s: not enough memory; use a smaller model" % options.file})
        return 2
    except (Exception, SystemExit) as error:
        lines.say(error={"kind": "input", "message": fusebench_graphs.explained(error, options.file)})
        return 2
    lines.say(done=told)
    return 0


if __name__ == "__main__":
    sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
    sys.exit(main())

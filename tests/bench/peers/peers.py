# SPDX-License-Identifier: GPL-3.0-or-later
"""What people would use instead of Fusebench's engine, timed block by block on request.

Reads a request a line and answers with a line:
  who                                      {"torch": "2.5.1", "numexpr": null, "why": {...}}
  prepare NAME PEER STATEMENTS ROWS THREADS  "ok RESULT", or "error: ..."
  run NAME CALLS                           nanoseconds that the calls took together
Peers: torch (eager), torch-static (torch.compile), torch-dynamic, numexpr. Inside the timed region
is the call and nothing else; gradients are off, the garbage collector is, too.
"""
import gc
import json
import linecache
import sys
import time


STATEMENTS = [
    "x + 0.1", "torch.sin(x)", "x * 1.1", "torch.cos(x)", "x + 0.2", "torch.relu(x)", "x - 0.1",
    "torch.exp(x * 0.5)", "x + 0.3", "torch.sigmoid(x)", "x * 1.2", "torch.sin(x)", "x + 0.4",
    "torch.cos(x)", "x - 0.2", "torch.relu(x)", "x + 0.5", "torch.exp(x * 0.4)", "x * 1.3",
    "torch.sigmoid(x)",
]


def study(torch, count):
    """The fusion study's first `count` statements, over and over, and their sum: the function that its text
    defines, as its user would write it, with no Python in a call but its own lines."""
    lines = [f"    x = {STATEMENTS[i % len(STATEMENTS)]}\n" for i in range(count)]
    text = "def program(x):\n" + "".join(lines) + "    return x.sum()\n"
    # torch.compile reads the text of what it compiles, e.g. for its messages.
    name = f"<study of {count} statements>"
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    names = {"torch": torch}
    exec(compile(text, name, "exec"), names)
    return names["program"]


NUMEXPR = [
    "({} + 0.1)", "sin({})", "({} * 1.1)", "cos({})", "({} + 0.2)", "where({0} > 0, {0}, 0)",
    "({} - 0.1)", "exp({} * 0.5)", "({} + 0.3)", "(1 / (1 + exp(-{})))", "({} * 1.2)", "sin({})",
    "({} + 0.4)", "cos({})", "({} - 0.2)", "where({0} > 0, {0}, 0)", "({} + 0.5)",
    "exp({} * 0.4)", "({} * 1.3)", "(1 / (1 + exp(-{})))",
]


def values(rows):
    import numpy
    mixed = (numpy.arange(rows * 16, dtype="uint64") * 2654435761 & 0xffffffff) >> 8
    return (mixed * 2.0 ** -22 - 2).astype("float32").reshape(rows, 16)


def torch_call(peer, statements, rows, threads):
    import torch
    torch.set_num_threads(threads)
    torch.set_grad_enabled(False)
    x = torch.from_numpy(values(rows))
    program = study(torch, statements)
    if peer != "torch":
        torch._dynamo.reset()
        program = torch.compile(program, dynamic=peer == "torch-dynamic")
    return lambda: program(x)


def numexpr_call(statements, rows, threads):
    """Parts of a few statements each, since numexpr's expressions grow with every use of a value."""
    import numexpr
    numexpr.set_num_threads(threads)
    start = values(rows)
    parts, text, used = [], "x", 0
    for i in range(statements):
        text, used = NUMEXPR[i % len(NUMEXPR)].replace("{}", "{0}").format(text), used + 1
        if "where" in text or used == 8:
            parts, text, used = parts + [text], "x", 0
    parts.append(f"sum({text})")

    def call():
        x = start
        for part in parts:
            x = numexpr.evaluate(part, {"x": x})
        return x
    return call


def who():
    found, why = {}, {}
    for name in ("torch", "numexpr"):
        try:
            found[name] = __import__(name).__version__
        except ImportError as error:
            why[name] = str(error)
    if "torch" in found:
        import torch
        if not hasattr(torch, "compile"):
            why["torch.compile"] = "it comes with PyTorch 2"
    return {**found, "why": why}


def main():
    calls = {}
    threads = {}
    gc.disable()
    for line in sys.stdin:
        words = line.split()
        try:
            if words[0] == "who":
                answer = json.dumps(who())
            elif words[0] == "prepare":
                name, peer, statements, rows = words[1], words[2], int(words[3]), int(words[4])
                threads[name] = int(words[5])
                make = numexpr_call if peer == "numexpr" else \
                    lambda *rest, peer=peer: torch_call(peer, *rest)
                calls[name] = make(statements, rows, threads[name])
                answer = f"ok {float(calls[name]()):.9g}"
            elif words[0] == "run":
                call, count = calls[words[1]], int(words[2])
                begin = time.perf_counter_ns()
                for _ in range(count):
                    call()
                answer = str(time.perf_counter_ns() - begin)
                gc.collect()
            else:
                answer = "error: what is " + words[0]
        except Exception as error:  # whatever a peer does, the others go on
            answer = "error: " + " ".join(str(error).split())[:300]
        print(answer, flush=True)


if __name__ == "__main__":
    main()

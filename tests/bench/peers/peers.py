# SPDX-License-Identifier: GPL-3.0-or-later
"""Times the libraries that people would use instead of Fusebench's engine, block by block on request.

Reads a request a line and answers with a line:
  who                                      {"torch": "2.5.1", "numexpr": null, "why": {...}}
  prepare NAME PEER STATEMENTS ROWS THREADS  "ok RESULT", or "error: ..."
  program NAME PEER THREADS JSON           the same of {"text": "def program(...): ...", "inputs":
                                           [{"shape": [8, 16], "dtype": "float32"}, ...], "classes": 16}
                                           with "source": true it is run as a study's worker does, with
                                           "like": NAME it must give what that one gave, and
                                           with "by": [0], "back": true the first result's gradients by these
                                           inputs are computed, too; with false what they need is kept
  peak JSON                                "ok BYTES": what a call of such a program has allocated at most
  forget NAME                              that it was prepared
  run NAME CALLS                           nanoseconds that the calls took together
Peers: torch (eager), torch-static (torch.compile), torch-dynamic, numexpr. Inside the timed region
is the call and nothing else; gradients are off unless a program asks for them, the garbage collector is, too.
"""
import gc
import json
import linecache
import os
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../resources/torch"))


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


def filled(shape):
    import numpy
    count = int(numpy.prod(shape))
    mixed = (numpy.arange(count, dtype="uint64") * 2654435761 & 0xffffffff) >> 8
    return (mixed * 2.0 ** -22 - 2).astype("float32").reshape(shape)


def values(rows):
    return filled((rows, 16))


def compiled_as(torch, peer, program, threads):
    torch.set_num_threads(threads)
    torch.set_grad_enabled(False)
    if peer == "torch":
        return program
    torch._dynamo.reset()
    return torch.compile(program, dynamic=peer == "torch-dynamic")


def torch_call(peer, statements, rows, threads):
    import torch
    x = torch.from_numpy(values(rows))
    program = compiled_as(torch, peer, study(torch, statements), threads)
    return lambda: program(x)


def program_call(peer, threads, request):
    """A program with any inputs: floats as `filled` has them, or class numbers. If it returns several
    values, the first one counts."""
    import numpy
    import torch
    text = request["text"]
    name = f"<program {hash(text)}>"
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    torch.manual_seed(1)  # modules that are made alike have the same weights
    source = None
    if request.get("source"):
        import fusebench_programs as programs
        source = programs.Source(text)
        names = {"program": source.call}
    else:
        names = {"torch": torch, "F": torch.nn.functional}
        if "torch.utils.checkpoint" in text:
            import torch.utils.checkpoint  # not there before it is asked for
        exec(compile(text, name, "exec"), names)
    inputs = []
    for given in request["inputs"]:
        if given["dtype"] == "int64":
            count = int(numpy.prod(given["shape"]))
            numbers = numpy.arange(count, dtype="int64") * 7 % request["classes"]
            inputs.append(torch.from_numpy(numbers.reshape(given["shape"])))
        else:
            inputs.append(torch.from_numpy(filled(given["shape"])).to(getattr(torch, given["dtype"])))
    program = compiled_as(torch, peer, names["program"], threads)
    by = request.get("by") or []
    if by:
        import fusebench_programs as programs  # gradients are taken as in a study
        inputs = programs.requiring(inputs, by)
    if source and source.held and len(inputs) > len(source.held):  # weights are among the inputs
        source.bind(inputs)
        inputs = source.free(inputs)
    if by:
        program = programs.differentiating(program, by, request["back"], source=source)
    return lambda: program(*inputs)


def peak_bytes(request):
    """The most memory in use at one time while a call allocates and frees."""
    import torch
    import fusebench_memory as memory  # as in a study
    call = program_call("torch", 1, request)
    torch.set_grad_enabled(bool(request.get("by")))
    call()
    return memory.on_cpu(call, ())


def first_of(result):
    result = result[0] if isinstance(result, (tuple, list)) else result
    return float(result.detach().reshape(-1)[0])


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


def torch_grad(on):
    if "torch" in sys.modules:
        sys.modules["torch"].set_grad_enabled(on)


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
    graded = set()  # those that record what gradients need
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
            elif words[0] == "program":
                name = words[1]
                request = json.loads(line.split(maxsplit=4)[4])
                calls[name] = program_call(words[2], int(words[3]), request)
                if request.get("by"):
                    graded.add(name)
                    torch_grad(True)
                result = first_of(calls[name]())
                like = request.get("like")
                if like and abs(result - first_of(calls[like]())) > 1e-5 * max(abs(result), 1e-3):
                    raise ValueError("another result than " + like)
                answer = f"ok {result:.9g}"
            elif words[0] == "peak":
                answer = f"ok {peak_bytes(json.loads(line.split(maxsplit=1)[1]))}"
            elif words[0] == "forget":
                calls.pop(words[1], None)
                graded.discard(words[1])
                answer = "ok"
            elif words[0] == "run":
                call, count = calls[words[1]], int(words[2])
                torch_grad(words[1] in graded)
                begin = time.perf_counter_ns()
                for _ in range(count):
                    call()
                answer = str(time.perf_counter_ns() - begin)
                gc.collect()
            else:
                answer = "error: what is " + words[0]
        except Exception as error:  # the other peers continue, whatever this one does
            answer = "error: " + " ".join(str(error).split())[:300]
        print(answer, flush=True)


if __name__ == "__main__":
    main()

// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/export_python.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace fusebench {
namespace {

/// A Python string literal: JSON's escapes mean the same there.
std::string literal(const std::string& text) {
  return nlohmann::json(text).dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
}

const Axis* statementsAxis(const Experiment& experiment) {
  for (const Axis& axis : experiment.axes)
    if (axis.name == "statements") return &axis;
  return nullptr;
}

/// A comment or docstring line: nothing in it may end it.
std::string oneLine(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  std::replace(text.begin(), text.end(), '"', '\'');
  std::replace(text.begin(), text.end(), '\\', '/');
  return text;
}

std::string renamed(const std::string& text, const std::string& name) {
  const std::size_t open = text.find('(');
  return "def " + name + text.substr(open);
}

std::string programs(const Experiment& experiment) {
  const Axis* axis = statementsAxis(experiment);
  if (!axis) return renamed(toText(experiment.program), "program") + "\n";
  std::string text, table = "\n# How many statements: the program that has them.\nPROGRAMS = {\n";
  for (const std::int64_t n : axis->values) {
    const std::string name = fmt::format("program_{}", n);
    text +=
        renamed(toText(firstStatements(experiment.program, static_cast<int>(n))), name) + "\n\n";
    table += fmt::format("    {}: {},\n", n, name);
  }
  return text + table + "}\n";
}

std::string tensorText(const InputSpec& input) {
  std::string shape;
  for (const std::string& extent : input.extents) shape += fmt::format("int({}), ", extent);
  return fmt::format("tensor(({}), {}, {})", shape, literal(input.fill), literal(input.layout));
}

std::string inputSets(const Experiment& experiment) {
  std::string names;
  for (const Axis& axis : experiment.axes) names += ", " + axis.name;
  std::string text = fmt::format("def make_inputs(input_set{}):\n", names);
  text +=
      "    \"\"\"The list of inputs that a variant runs over, entry i made with that i.\"\"\"\n";
  for (const InputSet& set : experiment.inputSets) {
    std::string tensors;
    for (const InputSpec& input : set.inputs)
      tensors += fmt::format("            {},\n", tensorText(input));
    text +=
        fmt::format("    if input_set == {}:\n        return [(\n{}        ) for i in range({})]\n",
                    literal(set.name), tensors, set.count);
  }
  return text + "    raise ValueError(input_set)\n";
}

std::string variants(const Experiment& experiment) {
  std::string text = "VARIANTS = [\n";
  for (const Variant& variant : experiment.variants)
    text += fmt::format("    ({}, {}, {}, {}),\n", literal(variant.name), literal(variant.executor),
                        literal(variant.inputs), variant.threads);
  return text + "]\n";
}

constexpr const char* kHead = R"py(import argparse
import itertools
import json
import math
import random
import statistics
import sys
import time

import torch
)py";

constexpr const char* kTensor = R"py(
def tensor(shape, fill, layout):
    """One input tensor on the device."""
    if layout == "transposed":
        return make(shape[:-2] + (shape[-1], shape[-2]), fill).transpose(-1, -2)
    if layout == "strided":
        return make(shape[:-1] + (2 * shape[-1],), fill)[..., ::2]
    return make(shape, fill)


def make(shape, fill):
    makers = {"normal": torch.randn, "uniform": torch.rand, "zeros": torch.zeros, "ones": torch.ones}
    return makers[fill](shape, dtype=torch.float32, device=DEVICE)


)py";

constexpr const char* kMeasuring = R"py(

def executable(executor, function):
    """The function as this executor runs it, or None and why not."""
    if executor == "eager":
        return function, None
    if executor in ("instant", "replay"):
        return None, "PyTorch has no counterpart of " + executor
    if not hasattr(torch, "compile"):
        return None, "torch %s has no torch.compile; 2.0 and later do" % torch.__version__
    if executor == "static":
        return torch.compile(function, dynamic=False), None
    if executor == "dynamic":
        return torch.compile(function, dynamic=True), None
    if executor == "static+replay":
        if DEVICE.type != "cuda":
            return None, "CUDA graphs need a CUDA device"
        return torch.compile(function, dynamic=False, mode="reduce-overhead"), None
    return None, "unknown executor " + executor


def synchronise():
    if DEVICE.type == "cuda":
        torch.cuda.synchronize()


class Cell:
    """One variant at one place: what is measured. Times in nanoseconds per call."""

    def __init__(self, variant, executor, input_set, threads, at):
        self.variant, self.at, self.samples = variant, at, []
        self.threads = at[AXES.index("threads")] if "threads" in AXES else threads
        if "statements" in AXES:
            function = PROGRAMS[at[AXES.index("statements")]]
        else:
            function = program
        self.call, self.problem = executable(executor, function)
        self.compile_ns = None
        if self.call is None:
            return
        self.inputs = make_inputs(input_set, *at)
        torch.set_num_threads(self.threads)
        started = time.perf_counter_ns()
        try:
            self.call(*self.inputs[0])
        except Exception as error:
            self.problem = str(error).strip().splitlines()[0]
            return
        synchronise()
        self.compile_ns = time.perf_counter_ns() - started
        self.once()  # what recompiles for other shapes does so here
        passes_ns = max(1, self.once())
        self.passes = max(1, math.ceil(LEAST_SAMPLE_NS / passes_ns))

    def once(self, passes=1):
        """Nanoseconds for whole passes over the inputs."""
        call, inputs = self.call, self.inputs
        synchronise()
        started = time.perf_counter_ns()
        for _ in range(passes):
            for one in inputs:
                call(*one)
        synchronise()
        return time.perf_counter_ns() - started

    def sample(self):
        torch.set_num_threads(self.threads)
        self.samples.append(self.once(self.passes) / (self.passes * len(self.inputs)))

    def estimate(self):
        """Median with its distribution-free 95% interval, from order statistics."""
        ordered, m = sorted(self.samples), len(self.samples)
        if m < 8:
            return statistics.median(ordered), ordered[0], ordered[-1]
        low = math.floor((m - 1.96 * math.sqrt(m)) / 2)
        high = math.ceil(1 + (m + 1.96 * math.sqrt(m)) / 2)
        return statistics.median(ordered), ordered[max(0, low - 1)], ordered[min(m, high) - 1]

    def done(self):
        if self.problem or len(self.samples) >= MOST_SAMPLES:
            return True
        if len(self.samples) < LEAST_SAMPLES:
            return False
        middle, low, high = self.estimate()
        return (high - low) / 2 <= PRECISION * middle


def measure(cells, seconds):
    """Every cell once a round, in an order reshuffled each round, so that drift hits all alike."""
    shuffle, end = random.Random(SEED), time.monotonic() + seconds
    while True:
        todo = [cell for cell in cells if not cell.done()]
        if not todo or (time.monotonic() > end and all(cell.samples for cell in todo)):
            return
        shuffle.shuffle(todo)
        for cell in todo:
            cell.sample()


def text_of(nanoseconds):
    for unit, size in (("s", 1e9), ("ms", 1e6), ("us", 1e3)):
        if nanoseconds >= size:
            return "%.3g %s" % (nanoseconds / size, unit)
    return "%.3g ns" % nanoseconds


def break_evens(cells):
    """Where a variant's curve crosses the baseline's along the first axis, by interpolation."""
    lines = []
    for held in sorted({cell.at[1:] for cell in cells}):
        curves = {}
        for cell in cells:
            if cell.at[1:] == held and cell.samples:
                curves.setdefault(cell.variant, {})[cell.at[0]] = cell.estimate()[0]
        base = curves.pop(BASELINE, {})
        for name, curve in curves.items():
            at = sorted(set(base) & set(curve))
            ahead = [base[x] - curve[x] for x in at]
            where = " at %s" % (held,) if held else ""
            found = [x0 + (x1 - x0) * a / (a - b)
                     for x0, x1, a, b in zip(at, at[1:], ahead, ahead[1:]) if (a < 0) != (b < 0)]
            if found:
                lines.append("%s crosses %s at %s %s%s" % (
                    name, BASELINE, ", ".join("%.3g" % x for x in found), AXES[0], where))
            elif at:
                word = "ahead of" if ahead[0] > 0 else "behind"
                lines.append("%s is %s %s throughout%s" % (name, word, BASELINE, where))
    return lines


def report(cells):
    print("%-28s %-16s %-12s %-26s %s" % (", ".join(AXES), "variant", "median", "95% interval", "samples"))
    for cell in cells:
        place = ", ".join(str(value) for value in cell.at)
        if cell.problem:
            print("%-28s %-16s %s" % (place, cell.variant, cell.problem))
            continue
        middle, low, high = cell.estimate()
        print("%-28s %-16s %-12s %-26s %d" % (place, cell.variant, text_of(middle),
              "%s to %s" % (text_of(low), text_of(high)), len(cell.samples)))
    print()
    for line in break_evens(cells):
        print(line)


def result(cells):
    rows = []
    for cell in cells:
        middle, low, high = (None, None, None) if cell.problem else cell.estimate()
        rows.append({"variant": cell.variant, "at": list(cell.at), "latency_ns": middle, "ci_low_ns": low,
                     "ci_high_ns": high, "samples": len(cell.samples), "compile_first_ns": cell.compile_ns,
                     "error": cell.problem})
    return {"fusebench": "result", "version": 1, "title": TITLE, "device": str(DEVICE), "baseline": BASELINE,
            "torch": torch.__version__,
            "axes": [{"name": name, "values": values} for name, values in zip(AXES, VALUES)], "cells": rows}


def main():
    global DEVICE
    parser = argparse.ArgumentParser(description=TITLE)
    parser.add_argument("--device", default="cpu", help="cpu, cuda, cuda:1, ... (cpu)")
    parser.add_argument("--seconds", type=float, default=SECONDS, help="for sampling (%(default)s)")
    parser.add_argument("--json", metavar="FILE", help="write the results there as well")
    options = parser.parse_args()
    DEVICE = torch.device(options.device)
    torch.manual_seed(SEED)
    print("%s\ntorch %s on %s" % (TITLE, torch.__version__, DEVICE), file=sys.stderr)
    with torch.no_grad():
        cells = [Cell(*variant, at) for at in itertools.product(*VALUES) for variant in VARIANTS]
        measure(cells, options.seconds)
    report(cells)
    if options.json:
        with open(options.json, "w") as file:
            json.dump(result(cells), file, indent=1)


if __name__ == "__main__":
    main()
)py";

}  // namespace

std::string toPython(const Experiment& experiment) {
  if (experiment.program.outputs.empty())
    throw InputError("the program is empty: there is nothing to write a script of");
  const MeasureSettings& measure = experiment.measure;
  std::string text = fmt::format("#!/usr/bin/env python3\n\"\"\"{}\n", oneLine(experiment.title));
  if (!experiment.question.empty()) text += fmt::format("\n{}\n", oneLine(experiment.question));
  text +=
      "\nWritten by Fusebench. Needs torch and nothing else: python3 THIS_FILE --help\n\"\"\"\n";
  text += kHead;
  nlohmann::json names = nlohmann::json::array(), values = nlohmann::json::array();
  for (const Axis& axis : experiment.axes) {
    names.push_back(axis.name);
    values.push_back(axis.values);
  }
  text += fmt::format("\nTITLE = {}\nBASELINE = {}\nAXES = {}\nVALUES = {}\n",
                      literal(experiment.title), literal(experiment.baseline), names.dump(),
                      values.dump());
  text += fmt::format(
      "SECONDS = {:g}\nLEAST_SAMPLES, MOST_SAMPLES = {}, {}\nPRECISION = {:g}  # half of the "
      "interval over the median\nLEAST_SAMPLE_NS = 1_000_000\nSEED = {}\nDEVICE = "
      "torch.device(\"cpu\")\n\n# Name, executor, inputs, threads.\n",
      measure.budgetSeconds, measure.minimumSamples, measure.maximumSamples, measure.precision,
      measure.seed);
  text += variants(experiment);
  text += fmt::format("\n\n{}\n", programs(experiment));
  text += kTensor;
  text += inputSets(experiment);
  text += kMeasuring;
  return text;
}

}  // namespace fusebench

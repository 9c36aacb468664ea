// SPDX-License-Identifier: GPL-3.0-or-later
// Functions and modules as people write them (tests/corpus): read, run by every executor, and,
// where it is there, by PyTorch from the very same text.
#include "tests/engine/support/corpus.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <span>
#include <sstream>

#include <gtest/gtest.h>

#include "engine/edit/sketch.h"
#include "engine/language/program_parser.h"
#include "engine/language/program_source.h"
#include "tests/engine/support/corpus_values.h"
#include "tests/engine/support/engine_fixture.h"
#include "tests/engine/support/torch_python.h"
#include "tests/support/built_paths.h"

namespace fusebench {
namespace {

/// Values for an entry's inputs, including those that the program defines itself.
std::vector<ReferenceTensor> valuesOf(const CorpusEntry& entry, const Program& program) {
  std::mt19937 engine(static_cast<unsigned>(entry.name.size() * 131 + entry.text.size()));
  std::uniform_int_distribution<int> eighths(-20, 20), hundredths(1, 99);
  std::vector<ReferenceTensor> inputs;
  for (std::size_t i = 0; i < program.inputs.size(); ++i) {
    ReferenceTensor made;
    for (const auto& [name, type] : entry.inputs)
      if (name == program.inputs[i]) made.type = type;
    const InitialValues* initial = nullptr;
    for (const HeldInput& held : program.held)
      if (held.input == static_cast<int>(i)) initial = &held.initial;
    if (initial) made.type = {initial->extents, initial->dtype};
    const auto count = static_cast<std::size_t>(elementCount(made.type.shape));
    for (std::size_t e = 0; e < count; ++e) {
      if (initial && initial->kind != InitialValues::Kind::numbers)
        made.values.push_back(initial->kind == InitialValues::Kind::uniform
                                  ? initial->low + (initial->high - initial->low) *
                                                       (hundredths(engine) / 100.0)
                                  : initial->low + initial->high * eighths(engine) / 16.0);
      else if (initial)
        made.values.push_back(initial->numbers[initial->numbers.size() == 1 ? 0 : e]);
      else
        made.values.push_back(entry.uniform ? hundredths(engine) / 100.0
                                            : eighths(engine) / 8.0 + 1.0 / 16);
    }
    inputs.push_back(std::move(made));
  }
  return inputs;
}

std::vector<CorpusEntry> accepted() {
  std::vector<CorpusEntry> all = corpus();
  std::erase_if(all, [](const CorpusEntry& entry) { return !entry.waitsFor.empty(); });
  return all;
}

TEST(CorpusTest, AtLeastSixtyFunctionsAreRead) {
  EXPECT_GE(accepted().size(), 60u);
}

TEST(CorpusTest, WhatIsMarkedAsAcceptedIsAndWhatWaitsIsRefused) {
  for (const CorpusEntry& entry : corpus()) {
    try {
      const Program program = parseProgram(entry.text, entry.hints());
      EXPECT_EQ(entry.waitsFor, "") << entry.name << " is accepted now; mark it so";
    } catch (const ProgramError& error) {
      EXPECT_NE(entry.waitsFor, "")
          << entry.name << ":" << error.place().line << ": " << error.what();
      EXPECT_GT(error.place().line, 0) << entry.name << ": " << error.what();
    }
  }
}

/// The number of ops without checks. The flattened text has no check of a loss's classes, because
/// no op there uses them as an index.
std::ptrdiff_t computing(const Program& program) {
  return std::ranges::count_if(program.ops, [](const Op& op) { return !isCheck(*op.row); });
}

std::ptrdiff_t checksBesidesIndices(const Program& program) {
  return std::ranges::count(program.checks, false, &SizeCheck::ofIndex);
}

TEST(CorpusTest, TheFlattenedTextIsTheSameProgram) {
  for (const CorpusEntry& entry : accepted()) {
    const Program program = parseProgram(entry.text, entry.hints());
    const std::string text = toText(program);
    const Program again = parseProgram(text, entry.hints());
    EXPECT_EQ(toText(again), text) << entry.name;
    EXPECT_EQ(computing(again), computing(program)) << entry.name << ":\n" << text;
    EXPECT_EQ(checksBesidesIndices(again), checksBesidesIndices(program)) << entry.name << "\n"
                                                                          << text;
  }
}

TEST(CorpusTest, UnderEditEachIsTheSameProgram) {
  for (const CorpusEntry& entry : accepted()) {
    const Sketch read = sketch(entry.text, entry.hints());
    EXPECT_TRUE(read.valid()) << entry.name << ": " << read.problems.front().message;
    EXPECT_EQ(toText(read.program), toText(parseProgram(entry.text, entry.hints()))) << entry.name;
  }
}

TEST(CorpusTest, EveryExecutorIsWithinTheReference) {
  EngineFixture fixture;
  for (const CorpusEntry& entry : accepted()) {
    const Program program = parseProgram(entry.text, entry.hints());
    const std::vector<ReferenceTensor> values = valuesOf(entry, program);
    const std::vector<ReferenceResult> expected = evaluateReference(program, values);
    for (const auto& name : executorsOn(fixture.backend())) {
      std::vector<Tensor> inputs;  // which it may write to
      for (const ReferenceTensor& value : values)
        inputs.push_back(fixture.typed(value.type.dtype, value.type.shape, value.values));
      const auto executor = makeExecutor(name.name, fixture.backend(), program);
      const auto got = executor->call(inputs);
      ASSERT_EQ(got.size(), expected.size());
      for (std::size_t o = 0; o < expected.size(); ++o)
        EXPECT_TRUE(near(expected[o], EngineFixture::values(got[o])))
            << entry.name << " by " << name.name << ", output " << o;
    }
  }
}

/// How Python calls the text's program: the name of its function, or its module made.
std::string entryOf(const CorpusEntry& entry) {
  const std::vector<Token> tokens = tokenize(entry.text);
  const ProgramLayout layout = layoutOf(tokens, entry.text);
  const auto& main = layout.parts.at(static_cast<std::size_t>(layout.mainPart));
  if (!main.isClass) return main.name;
  const std::string& method = main.members[static_cast<std::size_t>(layout.mainMember)].name;
  if (layout.made >= 0) return tokens[static_cast<std::size_t>(layout.made) - 2].value;
  return method == "__call__" || method == "forward" ? main.name + "()" : main.name + "." + method;
}

constexpr const char* kCompare = R"(
import sys
import torch
import warnings
sys.path.insert(0, 'WORKER')
import fusebench_programs as programs
from math import inf, nan
torch.set_default_dtype(torch.float64)
warnings.simplefilter('ignore')
wrong = 0

def tensor(shape, values, dtype=torch.float64):
    return torch.tensor(values, dtype=dtype).reshape(shape)

# What the worker is given: the source, which is handed its tensors by name.
def given(name, text, inputs, expected):
    global wrong
    try:
        with torch.no_grad():
            source = programs.Source(text)
            tensors = [tensor(*each) for each in inputs]
            source.bind(tensors)
            got = programs.tensors_of(source.call(*source.free(tensors)))
    except Exception as error:
        wrong += 1
        print(f'{name}, source: {type(error).__name__}: {str(error).splitlines()[0]}')
        return
    if len(got) != len(expected):
        wrong += 1
        print(f'{name}, source: {len(got)} results, not {len(expected)}')
    for output, (shape, values) in zip(got, expected):
        want = tensor(shape, values)
        if output.shape != want.shape or not torch.allclose(output.double(), want, rtol=1e-5, atol=1e-6):
            wrong += 1
            print(f'{name}, source: another result')

# `held`: a module's parameters and buffers, whose random starts differ from ours.
def compare(name, space, entry, inputs, expected, held={}):
    global wrong
    try:
        with torch.no_grad():
            called = eval(entry, space)
            if isinstance(called, torch.nn.Module):
                for key, value in [*called.named_parameters(), *called.named_buffers()]:
                    key = key.replace('.', '_')
                    if key in held:
                        value.copy_(tensor(*held[key]).reshape(value.shape))
            got = called(*[tensor(*each) for each in inputs])
    except Exception as error:
        wrong += 1
        print(f'{name}: {type(error).__name__}: {str(error).splitlines()[0]}')
        return
    got = got if isinstance(got, tuple) else (got,)
    if len(got) != len(expected):
        wrong += 1
        print(f'{name}: {len(got)} results, not {len(expected)}')
    for output, (shape, values) in zip(got, expected):
        want = tensor(shape, values)
        if output.shape != want.shape or not torch.allclose(output.double(), want, rtol=1e-5, atol=1e-6):
            wrong += 1
            print(f'{name}: another result')

)";

TEST(CorpusTest, PyTorchRunsTheTextAndTheFlattenedTextWithTheReferencesResults) {
  const std::string python = test::pythonWithTorch();
  if (python.empty()) GTEST_SKIP() << test::kNoTorch;
  std::ostringstream script;
  // The ops that quantize exist in PyTorch 2 and later, once their module is imported.
  std::string compare = kCompare;
  const std::string worker = "WORKER";
  compare.replace(compare.find(worker), worker.size(), test::sourcePath("/resources/torch"));
  script << compare
         << "try:\n import torch.ao.quantization.fx._decomposed\n levels = True\n"
            "except ImportError:\n levels = False\n"
            "try:\n import einops\n named_axes = True\n"
            "except ImportError:\n named_axes = False\n";
  for (const CorpusEntry& entry : accepted()) {
    const Program program = parseProgram(entry.text, entry.hints());
    const std::vector<ReferenceTensor> values = valuesOf(entry, program);
    std::string given, held, all, expected;
    for (std::size_t i = 0; i < values.size(); ++i) {
      const DType dtype = values[i].type.dtype;
      const std::string one =
          "(" + toString(values[i].type.shape) + ", " + listed(values[i].values) +
          (dtype == DType::float32 ? "" : ", torch." + std::string(info(dtype).name)) + "), ";
      all += one;
      const bool isHeld =
          std::any_of(program.held.begin(), program.held.end(),
                      [&](const HeldInput& h) { return h.input == static_cast<int>(i); });
      (isHeld ? held : given) += (isHeld ? "'" + program.inputs[i] + "': " : "") + one;
    }
    for (const ReferenceResult& result : evaluateReference(program, values))
      expected +=
          "(" + toString(result.value.type.shape) + ", " + listed(result.value.values) + "), ";
    const bool namesAxes = entry.text.find("einops") != std::string::npos;
    const std::string unless = namesAxes ? "if named_axes: " : "";
    script << "space = {'torch': torch}\n"
           << unless << "exec(r'''import math\nimport torch\n"
           << entry.text << "''', space)\n"
           << unless << "compare('" << entry.name << "', space, '" << entryOf(entry) << "', ["
           << given << "], [" << expected << "], {" << held << "})\n"
           << (toText(program).find("quantized_decomposed") == std::string::npos ? "if True:\n"
                                                                                 : "if levels:\n")
           << " exec(r'''import math\n"
           << toText(program) << "''', space)\n"
           << " compare('" << entry.name << ", flattened', space, 'program', [" << all << "], ["
           << expected << "])\n"
           << unless << "given('" << entry.name << "', r'''" << torchText(program) << "''', ["
           << all << "], [" << expected << "])\n";
  }
  EXPECT_EQ(test::runPython(python, script.str() + "print('wrong:', wrong)\n"), "wrong: 0\n");
}

}  // namespace
}  // namespace fusebench

// SPDX-License-Identifier: GPL-3.0-or-later
// Whole scripts as people paste them (tests/corpus/pasted, tests/corpus/listings): with the lines
// that make, call, time and print. Each is read unchanged, run by every executor and, from the text
// that it is for PyTorch, by PyTorch.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

#include <gtest/gtest.h>

#include "engine/language/input_shapes.h"
#include "engine/language/program_source.h"
#include "tests/engine/support/corpus_values.h"
#include "tests/engine/support/engine_fixture.h"
#include "tests/engine/support/pasted_values.h"
#include "tests/engine/support/torch_python.h"
#include "tests/support/built_paths.h"

namespace fusebench {
namespace {

struct PastedEntry {
  std::string name, text;
  /// The whole text runs in PyTorch 2 alone.
  bool needsTorch2() const {
    return text.starts_with("# torch: 2\n") || text.find("torch.amp.GradScaler") != text.npos;
  }
  /// The program itself moves tensors to a GPU or pins them.
  bool needsGpu(const std::string& source) const {
    for (const char* word : {".cuda()", "\"cuda", "pin_memory()"})
      if (source.find(word) != source.npos) return true;
    return false;
  }
};

std::vector<PastedEntry> pastedEntries() {
  std::vector<PastedEntry> all;
  for (const char* folder : {"/tests/corpus/pasted", "/tests/corpus/listings"})
    for (const auto& file : std::filesystem::directory_iterator(test::sourcePath(folder))) {
      std::ifstream in(file.path());
      std::stringstream text;
      text << in.rdbuf();
      all.push_back({file.path().stem().string(), text.str()});
    }
  std::ranges::sort(all, {}, &PastedEntry::name);
  return all;
}

TEST(PastedCorpus, EveryTextIsReadUnchanged) {
  const std::vector<PastedEntry> all = pastedEntries();
  EXPECT_GE(all.size(), 112u);
  for (const PastedEntry& entry : all) {
    try {
      const test::PastedRead read = test::readWithValues(entry.text);
      std::vector<ValueType> types;
      for (const ReferenceTensor& each : read.values) types.push_back(each.type);
      EXPECT_NO_THROW(inferTypes(read.program, types)) << entry.name;
      EXPECT_FALSE(drawsNumbers(read.program)) << entry.name;
    } catch (const ProgramError& error) {
      ADD_FAILURE() << entry.name << ":" << error.place().line << ": " << error.what();
    }
  }
}

TEST(PastedCorpus, EveryExecutorIsWithinTheReference) {
  EngineFixture fixture;
  for (const PastedEntry& entry : pastedEntries()) {
    SCOPED_TRACE(entry.name);
    const test::PastedRead read = test::readWithValues(entry.text);
    const std::vector<ReferenceResult> expected = evaluateReference(read.program, read.values);
    for (const auto& name : executorsOn(fixture.backend())) {
      std::vector<Tensor> inputs;
      for (const ReferenceTensor& value : read.values)
        inputs.push_back(fixture.typed(value.type.dtype, value.type.shape, value.values));
      const auto executor = makeExecutor(name.name, fixture.backend(), read.program);
      std::span<const Tensor> got;
      ASSERT_NO_THROW(got = executor->call(inputs)) << entry.name << " by " << name.name;
      ASSERT_EQ(got.size(), expected.size()) << entry.name;
      for (std::size_t o = 0; o < expected.size(); ++o)
        EXPECT_TRUE(near(expected[o], EngineFixture::values(got[o])))
            << entry.name << " by " << name.name << ", output " << o;
    }
  }
}

constexpr const char* kRunPasted = R"(
import sys
import torch
import warnings
sys.path.insert(0, 'WORKER')
import fusebench_programs as programs
from math import inf, nan
warnings.simplefilter('ignore')
new = int(torch.__version__.split('.')[0]) > 1
gpu = torch.cuda.is_available()
torch.distributed.init_process_group('gloo', rank=0, world_size=1, store=torch.distributed.HashStore())
wrong = 0

def tensor(shape, values, dtype=torch.float32):
    return torch.tensor(values, dtype=dtype).reshape(shape)

def given(name, text, inputs, expected):
    global wrong
    try:
        source = programs.Source(text)
        tensors = [tensor(*each) for each in inputs]
        source.bind(tensors)
        got = programs.tensors_of(source.call(*source.free(tensors)))
    except Exception as error:
        wrong += 1
        print(f'{name}: {type(error).__name__}: {str(error).splitlines()[0]}')
        return
    if len(got) != len(expected):
        wrong += 1
        print(f'{name}: {len(got)} results, not {len(expected)}')
    for output, (shape, values) in zip(got, expected):
        want = tensor(shape, values)
        if output.shape != want.shape or not torch.allclose(output.double(), want.double(), rtol=1e-3, atol=1e-5, equal_nan=True):
            wrong += 1
            print(f'{name}: another result')

)";

TEST(PastedCorpus, PyTorchRunsTheSourceWithTheReferencesResults) {
  const std::string python = test::newestPythonWithTorch();
  if (python.empty()) GTEST_SKIP() << test::kNoTorch;
  std::string script = kRunPasted;
  const std::string worker = "WORKER";
  script.replace(script.find(worker), worker.size(), test::sourcePath("/resources/torch"));
  for (const PastedEntry& entry : pastedEntries()) {
    const test::PastedRead read = test::readWithValues(entry.text);
    std::string all, expected;
    for (const ReferenceTensor& value : read.values) {
      const DType dtype = value.type.dtype;
      all += "(" + toString(value.type.shape) + ", " + listed(value.values) +
             (dtype == DType::float32 ? "" : ", torch." + std::string(info(dtype).name)) + "), ";
    }
    for (const ReferenceResult& result : evaluateReference(read.program, read.values))
      expected +=
          "(" + toString(result.value.type.shape) + ", " + listed(result.value.values) + "), ";
    const std::string source = torchText(read.program);
    script += entry.needsGpu(source) ? "if new and gpu: " : entry.needsTorch2() ? "if new: " : "";
    script +=
        "given('" + entry.name + "', r'''" + source + "''', [" + all + "], [" + expected + "])\n";
  }
  EXPECT_EQ(test::runPython(python, script + "print('wrong:', wrong)\n"), "wrong: 0\n");
}

}  // namespace
}  // namespace fusebench

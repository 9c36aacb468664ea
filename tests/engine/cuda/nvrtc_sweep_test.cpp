// SPDX-License-Identifier: GPL-3.0-or-later
// NVRTC takes whatever the code generator can write: every op row, every kernel of the shipped
// studies, random programs.
// FUSEBENCH_SWEEP says how much: "short" (so without it: every op row, of the rest one in three,
// for one architecture, and some for one of the others), "long" (all of them, and each for one of
// the others, too), "all" (each for every architecture, which takes ten times as long again).
#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <mutex>
#include <thread>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "engine/cuda/codegen/codegen.h"
#include "engine/cuda/driver/nvrtc.h"
#include "engine/cuda/instant/interpreter_source.h"
#include "engine/cuda/instant/prebuilt_interpreter.h"
#include "engine/language/parser.h"
#include "tests/engine/cuda/kernels.h"
#include "tests/engine/cuda/nvrtc_fixture.h"
#include "tests/engine/support/random_programs.h"
#include "tests/engine/support/row_checks.h"
#include "tests/support/built_paths.h"

namespace fusebench::cuda {
namespace {

using test::CudaKernels;
using Inputs = std::vector<CudaKernels::Input>;

/// Limits of a kernel's resources. Blocks of up to 512 threads leave each thread 128 of a
/// multiprocessor's 65,536 registers. The assembler's routines for division and large arguments of
/// sin, cos and tan keep a few words in local memory.
constexpr int kMostRegisters = 128;
constexpr int kMostSpillBytes = 32;
constexpr int kMostStackBytes = 96;
/// Where the assembler itself stops at half of the registers, so that two blocks of the largest
/// size fit, it may spill some of what routines leave over, and takes stack for it.
constexpr int kMostSpillBytesForTwo = 160, kMostStackBytesForTwo = 192;
/// The architecture that gets all kernels, if it is supported.
constexpr int kFullArchitecture = 90;

enum class SweepExtent { brief, deep, all };

SweepExtent sweepExtent() {
  const char* const asked = std::getenv("FUSEBENCH_SWEEP");
  const std::string_view extent = asked ? asked : "short";
  if (extent == "long") return SweepExtent::deep;
  return extent == "all" ? SweepExtent::all : SweepExtent::brief;
}

/// One kernel in this many is compiled for another architecture as well.
constexpr std::size_t kDealtInShort = 8;

/// Distinct sources by text, with a label for messages.
class Kernels {
 public:
  void add(const std::string& label, const char* executor, const Program& program,
           const Inputs& inputs) {
    std::vector<Kernel> kernels;
    try {
      kernels = CudaKernels::of(executor, program, inputs);
    } catch (const ProgramError&) {
      return;  // the op does not take these
    }
    for (const Kernel& kernel : kernels)
      for (const bool wide : {false, true})  // one text where sizes are known
        sources_.emplace(generate(kernel, {.wide = wide}).text, label);
    ++programs_;
  }
  void add(const std::string& label, const Source& source) { sources_.emplace(source.text, label); }
  const std::map<std::string, std::string>& sources() const { return sources_; }
  int programs() const { return programs_; }

 private:
  std::map<std::string, std::string> sources_;
  int programs_ = 0;
};

class Sweep : public NvrtcTest {
 protected:
  struct Work {
    const std::string *source, *label;
    int architecture;
  };

  int fullArchitecture() const {
    return nvrtc_->targetFor(kFullArchitecture / 10, kFullArchitecture % 10)->architecture;
  }

  /// In short the oldest and the newest.
  std::vector<int> sweptArchitectures() const {
    const std::vector<int>& all = nvrtc_->architectures();
    if (sweepExtent() != SweepExtent::brief) return all;
    return {all.front(), all.back()};
  }

  /// For the full architecture all, or in short one in `step`, and each or every few of them for
  /// one of the others.
  void compileDealt(const Kernels& kernels, std::size_t step = 1) {
    if (sweepExtent() == SweepExtent::all) return compileAll(kernels, nvrtc_->architectures());
    const bool brief = sweepExtent() == SweepExtent::brief;
    const std::size_t every = brief ? kDealtInShort : 1;
    const int full = fullArchitecture();
    std::vector<int> others = nvrtc_->architectures();
    std::erase(others, full);
    std::vector<Work> work;
    std::size_t count = 0, turn = 0;
    for (const auto& [source, label] : kernels.sources()) {
      if (brief && turn++ % step != 0) continue;
      work.push_back({&source, &label, full});
      if (!others.empty() && count % every == 0)
        work.push_back({&source, &label, others[count / every % others.size()]});
      ++count;
    }
    compile(work, kMostSpillBytes);
  }

  void compileAll(const Kernels& kernels, const std::vector<int>& architectures,
                  int mostSpillBytes = kMostSpillBytes) {
    std::vector<Work> work;
    for (const int architecture : architectures)
      for (const auto& [source, label] : kernels.sources())
        work.push_back({&source, &label, architecture});
    compile(work, mostSpillBytes);
  }

  /// Compiles on two threads and checks what each needs.
  void compile(const std::vector<Work>& work, int mostSpillBytes) {
    std::atomic<std::size_t> next{0};
    std::mutex mutex;
    std::vector<std::string> failures;
    const auto fail = [&](const std::string& text) {
      const std::lock_guard lock(mutex);
      failures.push_back(text);
    };
    const auto run = [&] {
      for (std::size_t i; (i = next++) < work.size();) {
        const Work& each = work[i];
        try {
          const CompiledCode code = nvrtc_->compile(*each.source, *each.label,
                                                    {false, each.architecture}, compileOptions({}));
          if (code.resources.empty()) fail(*each.label + ": no resources in " + code.log);
          for (const EntryResources& entry : code.resources) {
            const bool two = mostSpillBytes > 0 && entry.registers <= kMostRegisters / 2;
            if (entry.registers < 1 || entry.registers > kMostRegisters ||
                entry.spillStores > (two ? kMostSpillBytesForTwo : mostSpillBytes) ||
                entry.stackBytes > (two ? kMostStackBytesForTwo : kMostStackBytes))
              fail(fmt::format("{}, {} for sm_{}: {} registers, {} bytes spilt, {} bytes of stack",
                               *each.label, entry.entry, each.architecture, entry.registers,
                               entry.spillStores, entry.stackBytes));
          }
        } catch (const std::exception& error) {
          fail(fmt::format("{}: {}\n{}", *each.label, error.what(), *each.source));
        }
      }
    };
    std::thread other(run);
    run();
    other.join();
    for (std::size_t i = 0; i < failures.size() && i < 10; ++i) ADD_FAILURE() << failures[i];
    EXPECT_EQ(failures.size(), 0u) << "of " << work.size();
  }
};

Program oneOp(const OpRow& row) {
  Program program;
  Op op;
  op.row = &row;
  for (const Parameter& parameter : row.parameters)
    op.parameters.push_back(std::isnan(parameter.fallback) ? 0.5 : parameter.fallback);
  for (int i = 0; i < row.arity; ++i) {
    program.inputs.push_back(fmt::format("x{}", i));
    op.operands.push_back({i, 0});
  }
  program.ops.push_back(op);
  program.outputs.push_back(row.arity);
  return program;
}

TEST_F(Sweep, EveryOpRowCompilesForEveryDtypeItTakes) {
  Kernels kernels;
  for (const OpRow& row : opRows()) {
    if (row.kind == OpKind::view) continue;  // no kernel, or a copy that is as good as clone
    if (isCalled(row)) continue;             // no kernel of its own
    if (row.takes == AcceptedTypes::integers) continue;
    const int before = kernels.programs();
    for (unsigned truths = 0; truths < 1u << row.arity; ++truths) {
      Inputs inputs;
      for (int i = 0; i < row.arity; ++i)
        inputs.push_back({{6, 8}, (truths >> i) & 1u ? DType::boolean : DType::float32});
      Program program = oneOp(row);
      if (row.kind == OpKind::make) program.ops[0].sizeNumbers = {6, 8};
      if (row.kind == OpKind::scan) program.ops[0].dims = std::vector<int>{1};
      if (row.indexing.is) {
        program.ops[0].dims = std::vector<int>{0};
        inputs[row.indexing.index] = {row.indexing.flat ? Shape{6} : Shape{6, 8}, DType::int64};
      }
      if (row.listsNumbers) program.ops[0].parameters.resize(1 + 48, 2);
      kernels.add(std::string(row.name), "eager", program, inputs);
      if (row.kind != OpKind::reduce) continue;
      for (const int dim : {0, 1}) {
        program.ops[0].dims = std::vector<int>{dim};
        kernels.add(std::string(row.name), "eager", program, inputs);
      }
    }
    EXPECT_GT(kernels.programs(), before) << row.name << " takes no dtype at all";
  }
  EXPECT_GT(kernels.sources().size(), 75u);
  compileDealt(kernels);
}

/// The default of a parameter of the program, or a small number if it has none.
std::int64_t defaultIn(const std::string& text, const std::string& name) {
  const std::size_t at = text.find(name + "=");
  return at == std::string::npos ? 8 : std::stoll(text.substr(at + name.size() + 1));
}

/// Whether a variant runs the program with that set of inputs; what names none takes any.
bool runsWith(const nlohmann::json& variants, const std::string& program, const std::string& set) {
  return std::any_of(variants.begin(), variants.end(), [&](const nlohmann::json& variant) {
    return variant.value("program", program) == program && variant.value("inputs", set) == set;
  });
}

TEST_F(Sweep, EveryKernelOfTheShippedStudiesCompiles) {
  Kernels kernels;
  const auto folder =
      std::filesystem::path(fusebench::test::sourcePath()) / "resources" / "experiments";
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".json") continue;
    const auto json = nlohmann::json::parse(std::ifstream(entry.path()));
    const nlohmann::json programs =
        json.contains("program") ? nlohmann::json{{"", json.at("program")}} : json.at("programs");
    std::vector<int> statements = {0};  // all of them
    for (const auto& axis : json.at("axes"))
      if (axis.at("name") == "statements") statements = axis.at("values").get<std::vector<int>>();
    for (const auto& [name, lines] : programs.items()) {
      std::string text;
      for (const auto& line : lines) text += line.get<std::string>() + "\n";
      for (const auto& set : json.at("inputs")) {
        if (!runsWith(json.at("variants"), name, set.value("name", ""))) continue;
        Inputs inputs;
        ProgramHints hints;  // programs may ask how many dimensions a tensor has
        for (const auto& tensor : set.at("tensors")) {
          Shape shape;
          for (const auto& extent : tensor.at("extents"))
            shape.push(extent.is_number() ? extent.get<std::int64_t>()
                                          : defaultIn(text, extent.get<std::string>()));
          inputs.push_back({shape});
          hints.emplace(tensor.at("name").get<std::string>(), ValueType{shape, DType::float32});
        }
        const Program program = parseProgram(text, hints);
        for (const HeldInput& held : program.held) inputs.push_back({held.initial.extents});
        if (inputs.size() != program.inputs.size()) continue;  // they are another program's
        const int before = kernels.programs();
        // Data-dependent branches divide a program for all executors but eager.
        const bool chooses = !program.branches.empty();
        for (const int n : statements)
          for (const char* executor : {"eager", "static", "dynamic"})
            if (!chooses || executor == std::string_view("eager"))
              kernels.add(fmt::format("{} at {}, {}", entry.path().stem().string(), n, executor),
                          executor, n > 0 ? firstStatements(program, n) : program, inputs);
        EXPECT_EQ(kernels.programs() - before,
                  (chooses ? 1 : 3) * static_cast<int>(statements.size()))
            << text;
      }
    }
  }
  EXPECT_GT(kernels.sources().size(), 20u);
  compileDealt(kernels, 3);
}

TEST_F(Sweep, ProgramsThatReduceRowsAndGoOnCompile) {
  Kernels kernels;
  for (const test::RowCase& row : test::rowCases())
    for (const char* executor : {"static", "dynamic"})
      kernels.add(fmt::format("{}, {}", row.name, executor), executor,
                  parseProgram(test::rowProgram(row, 96)), {{{12, 96}}, {{96}}, {{96}}});
  EXPECT_EQ(kernels.programs(), 2 * static_cast<int>(test::rowCases().size()));
  // What is kept is in registers, of every dtype: rows of a usual length, and as long as any.
  std::vector<std::int64_t> lengths{4096, 16384};
  if (sweepExtent() != SweepExtent::brief) lengths.push_back(8192);
  for (const test::RowCase& row : test::rowCases())
    for (const DType dtype : {DType::float32, DType::float16, DType::float64, DType::int32})
      for (const std::int64_t length : lengths)
        kernels.add(fmt::format("{} of {} {}", row.name, length, info(dtype).name), "static",
                    parseProgram(test::rowProgram(row, length)),
                    {{{12, length}, dtype}, {{length}, dtype}, {{length}, dtype}});
  // A lone row, whose phases have no loop over rows around them.
  kernels.add("a lone row", "static", parseProgram("return torch.softmax(torch.sin(x), -1)"),
              {{{960}}});
  compileDealt(kernels, 3);
}

TEST_F(Sweep, RandomProgramsCompile) {
  const int wanted = sweepExtent() == SweepExtent::brief ? 60 : 200;
  Kernels kernels;
  int programs = 0;
  for (std::uint32_t seed = 1; programs < wanted; ++seed) {
    Program program;
    try {
      program = parseProgram(test::randomProgramText(seed));
    } catch (const ProgramError&) {
      continue;
    }
    Inputs inputs;
    for (std::size_t i = 0; i < program.inputs.size(); ++i)
      inputs.push_back(
          {{12, 20}, DType::float32, (seed + i) % 5 == 0, (seed + i) % 7 == 0 ? 2 : 1});
    const int before = kernels.programs();
    kernels.add(fmt::format("random program {}", seed), seed % 2 ? "static" : "dynamic", program,
                inputs);
    programs += kernels.programs() - before;
  }
  compileDealt(kernels, 2);
}

TEST_F(Sweep, TheInterpretersCompileAndKeepTheirValuesInRegisters) {
  Kernels kernels;
  kernels.add("the interpreter", interpreterSource(false));
  kernels.add("the interpreter of reductions", interpreterSource(true));
  // In short the full one alone: each takes ten seconds.
  compileAll(
      kernels,
      sweepExtent() == SweepExtent::brief ? std::vector{fullArchitecture()} : sweptArchitectures(),
      0);
}

TEST_F(Sweep, WhatShipsOfTheInterpretersIsWhatThisNvrtcMakesOfThem) {
  for (const bool reduces : {false, true}) {
    const std::string source = interpreterSource(reduces).text;
    if (prebuiltInterpreter(reduces, source).ptx.empty())
      GTEST_SKIP() << "the prebuilt GPU code is of an earlier build";
    if (prebuiltInterpreter(reduces, source).nvrtc != nvrtc_->versionText())
      GTEST_SKIP() << "made by NVRTC " << prebuiltInterpreter(reduces, source).nvrtc;
    EXPECT_TRUE(prebuildInterpreter(source, *nvrtc_) == shippedInterpreter(reduces))
        << "run fusebench-prebuild, and commit what it writes";
    const int one = reduces ? 80 : 90;  // one architecture, since each takes half a minute
    EXPECT_TRUE(prebuildMachineCode(source, *nvrtc_, one) == shippedMachineCode(reduces, one))
        << "run fusebench-prebuild, and commit what it writes";
  }
}

TEST_F(Sweep, AKernelOfEachKindCompilesForEveryArchitecture) {
  // Every function that is not an operator, every reduction along rows and along columns, truth
  // values, strides.
  const std::string pointwise =
      "a = torch.exp(x) + torch.exp2(y) + torch.expm1(x) + torch.log(y) + torch.log2(x)\n"
      "b = torch.log10(a) + torch.log1p(x) + torch.pow(x, y) + torch.sin(x) + torch.cos(y)\n"
      "c = torch.tan(b) + torch.asin(x) + torch.acos(y) + torch.atan(a) + torch.atan2(x, y)\n"
      "d = torch.sinh(c) + torch.cosh(x) + torch.tanh(y) + torch.asinh(x) + torch.acosh(y)\n"
      "e = torch.atanh(d) + torch.erf(x) + torch.erfc(y) + torch.fmod(x, y) + torch.sqrt(d)\n"
      "f = torch.floor(e) + torch.ceil(x) + torch.trunc(y) + torch.round(x)\n"
      "g = torch.maximum(f, x) + torch.minimum(x, y) + torch.copysign(x, y) + torch.abs(e)\n"
      "return g, g > x";
  const std::string reductions =
      "return x.sum(dim={0}), x.prod(dim={0}), x.amax(dim={0}), x.amin(dim={0}), x.std(dim={0}), "
      "x.argmax(dim={0})";
  Kernels kernels;
  kernels.add("every function", "static", parseProgram(pointwise), {{{60, 80}}, {{60, 80}}});
  kernels.add("every function, strided", "dynamic", parseProgram(pointwise),
              {{{60, 80}, DType::float32, true}, {{80}}});
  for (const int dim : {0, 1})
    kernels.add(fmt::format("reductions over dim {}", dim), "dynamic",
                parseProgram(fmt::format(fmt::runtime(reductions), dim)), {{{60, 80}}});
  EXPECT_EQ(kernels.programs(), 4);
  compileAll(kernels, sweptArchitectures());
}

}  // namespace
}  // namespace fusebench::cuda

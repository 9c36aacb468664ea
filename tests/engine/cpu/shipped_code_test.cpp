// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cpu/shipped/shipped_code.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <random>
#include <regex>
#include <stdexcept>
#include <vector>

#include "engine/cpu/shipping/shipment.h"
#include "engine/plan/shipped_kernels.h"
#include "tests/engine/support/engine_fixture.h"
#include "tests/engine/support/random_programs.h"
#include "tests/temporary_folder.h"

namespace fusebench {
namespace {

using testing::HasSubstr;

/// The main study's chain: ten times these three, and then what it returns.
std::string mainStudy() {
  std::string text;
  for (int i = 0; i < 10; ++i)
    text += "x = torch.sin(x * 0.5 + 0.1)\nx = torch.exp(-x * x)\nx = torch.relu(x - 0.2)\n";
  return text + "return x.sum()";
}

/// A backend that finds nothing on disk.
CpuOptions cold(const test::TemporaryFolder& folder) {
  CpuOptions options;
  options.cacheDirectory = folder.string();
  return options;
}

CpuOptions withoutCompiler() {
  CpuOptions options = EngineFixture::withoutDisk(0, 0, 1);
  options.compiler = false;
  return options;
}

bool shipsHere() {
  return cpu::ShippedCode::fitting(cpu::hostTarget()) != nullptr;
}
#define NEEDS_SHIPPED_CODE() \
  if (!shipsHere()) GTEST_SKIP() << "no kernels ship for this processor"

CompileTimes compilesOf(EngineFixture& fixture, const char* executor, const std::string& text,
                        const Shape& shape) {
  const auto made = fixture.executor(executor, text);
  made->call(std::vector{fixture.random(shape)});
  CompileTimes sum;
  for (const CompileEvent& event : made->statistics().compiles) sum += event.times;
  return sum;
}

TEST(ShippedCode, ServesTheMainStudyFromAColdCacheWithNothingCompiled) {
  NEEDS_SHIPPED_CODE();
  for (const char* executor : {"eager", "instant"}) {
    const test::TemporaryFolder folder;
    EngineFixture fixture(cold(folder));
    const CompileTimes times = compilesOf(fixture, executor, mainStudy(), {8, 16});
    EXPECT_EQ(times.compiled(), 0) << executor;
    EXPECT_EQ(times.fromDisk, 0) << executor;
    EXPECT_EQ(times.compiler, 0) << executor;
    EXPECT_GT(times.shipped, 3) << executor;
  }
}

TEST(ShippedCode, ServesProcessorsOfTheLevelsThatShip) {
#if defined(__x86_64__)
  EXPECT_EQ(shipsHere(), __builtin_cpu_supports("x86-64-v3") != 0);
#endif
}

TEST(ShippedCode, IsNotWhatFusedKernelsAreMadeOf) {
  const test::TemporaryFolder folder;
  EngineFixture fixture(cold(folder));
  const CompileTimes times = compilesOf(fixture, "static", mainStudy(), {8, 16});
  EXPECT_EQ(times.shipped, 0);
  EXPECT_EQ(times.compiled(), 1);
}

/// Memory for a launch of a kernel whose sizes are not known: every tensor is dense, along the
/// dimension in which its elements are adjacent.
class Launch {
 public:
  Launch(const Kernel& kernel, unsigned seed) : random_(seed) {
    constexpr std::int64_t kExtents[] = {5, 3, 37};  // the last one: two vectors and a bit
    for (int d = 0; d < kernel.rank(); ++d) {
      extents_.push_back(kernel.extents[d] != kAtLaunch ? kernel.extents[d]
                                                        : kExtents[kernel.rank() == 1 ? 2 : d % 3]);
      if (kernel.extents[d] == kAtLaunch) integers_.push_back(extents_.back());
    }
    for (const KernelTensor& input : kernel.inputs) add(kernel, input, true);
    for (const KernelOutput& output : kernel.outputs) add(kernel, output.tensor, false);
    inputs_ = kernel.inputs.size();
    std::uniform_real_distribution<float> number(0.5, 2);
    for (int s = 0; s < kernel.scalars; ++s) {
      const TypeClass type = scalarType(kernel, s);
      scalars_.push_back(Scalar::of(static_cast<double>(number(random_)), type));
    }
  }

  /// The kernel's results, byte by byte.
  std::vector<std::vector<std::byte>> run(Backend& backend, const Kernel& kernel) {
    std::vector<void*> pointers;
    for (std::size_t t = 0; t < memory_.size(); ++t) {
      if (t >= inputs_) std::ranges::fill(memory_[t], std::byte{0xee});
      // An input that counts is passed as a number in place of the pointer.
      pointers.push_back(
          t < inputs_ && kernel.inputs[t].counts
              ? reinterpret_cast<void*>(isSize(kernel, kernel.inputs[t]) ? kIndexed : 0)
              : memory_[t].data());
    }
    CompileTimes times;
    const auto code = backend.compile(kernel, times);
    shipped += times.shipped;
    backend.launch(*code, {pointers.data(), integers_.data(), scalars_.data()});
    return {memory_.begin() + static_cast<std::ptrdiff_t>(inputs_), memory_.end()};
  }

  int shipped = 0;

 private:
  static constexpr std::intptr_t kIndexed = 3;  ///< extent and stride of what an index leads to

  static bool isSize(const Kernel& kernel, const KernelTensor& counting) {
    for (int d = 0; d < kernel.rank(); ++d)
      if (counting.strides[d] != 0) return false;
    return true;
  }
  void add(const Kernel& kernel, const KernelTensor& tensor, bool input) {
    std::int64_t elements = 1;
    for (int d = 0; d < kernel.rank(); ++d)
      if (tensor.strides[d] == 1) elements *= extents_[static_cast<std::size_t>(d)];
    std::vector<std::int64_t> strides;
    for (int d = kernel.rank() - 1; d >= 0; --d) {
      if (tensor.strides[d] != kAtLaunch) continue;
      strides.push_back(elements);
      elements *= extents_[static_cast<std::size_t>(d)];
    }
    integers_.insert(integers_.end(), strides.rbegin(), strides.rend());
    if (tensor.indexed) elements += kIndexed * kIndexed;
    memory_.emplace_back(static_cast<std::size_t>(elements) * info(tensor.dtype).size);
    if (!input) return;
    std::normal_distribution<float> normal(0, 3);
    for (std::size_t i = 0; i < static_cast<std::size_t>(elements); ++i) {
      const float value = normal(random_);
      std::byte* const element = &memory_.back()[i * info(tensor.dtype).size];
      if (tensor.dtype == DType::float32)
        std::memcpy(element, &value, sizeof value);
      else  // truth values and indices
        storeElement(element, tensor.dtype,
                     tensor.dtype == DType::boolean ? std::int64_t{value > 0}
                                                    : static_cast<std::int64_t>(i % kIndexed));
    }
  }

  std::mt19937 random_;
  std::vector<std::int64_t> extents_, integers_;
  std::vector<std::vector<std::byte>> memory_;
  std::vector<Scalar> scalars_;
  std::size_t inputs_ = 0;
};

TEST(ShippedCode, GivesTheBitsOfWhatIsCompiledHere) {
  NEEDS_SHIPPED_CODE();
  CpuOptions options = EngineFixture::withoutDisk(0, 0, 1);
  const auto shipped = makeCpuBackend(options);
  options.shipped = false;
  const auto compiled = makeCpuBackend(options);
  const std::vector<Kernel> kernels = shippedKernels(/*comparedIndices=*/true);
  constexpr std::size_t kEach = 17;  // a prime: through all rows and layouts
  for (std::size_t k = 0; k < kernels.size(); k += kEach) {
    Launch launch(kernels[k], static_cast<unsigned>(k));
    const auto ours = launch.run(*shipped, kernels[k]);
    EXPECT_EQ(launch.shipped, 1) << kernels[k].name;
    EXPECT_EQ(ours, launch.run(*compiled, kernels[k])) << readableText(kernels[k]);
    EXPECT_EQ(launch.shipped, 1) << kernels[k].name;
  }
}

TEST(ShippedCode, PiecesGiveTheBitsOfThoseMadeHere) {
  NEEDS_SHIPPED_CODE();
  CpuOptions options = EngineFixture::withoutDisk(0, 0, 1);
  EngineFixture shipped(options);
  options.shipped = false;
  EngineFixture made(options);
  const auto result = [](EngineFixture& fixture) {
    const auto executor = fixture.executor("instant", mainStudy());
    return EngineFixture::bytes(executor->call(std::vector{fixture.random({8, 37})})[0]);
  };
  EXPECT_EQ(result(shipped), result(made));
}

TEST(ShippedCode, IsLeftAloneWhereVectorsAreOfAnotherWidth) {
  const cpu::Target host = cpu::hostTarget();
  EXPECT_EQ(cpu::ShippedCode::fitting(cpu::hostTarget(host.vector.width / 2)), nullptr);
  const test::TemporaryFolder folder;
  CpuOptions options = cold(folder);
  options.vectorWidth = host.vector.width / 2;
  EngineFixture fixture(options);
  EXPECT_FALSE(fixture.backend().traits().shipsOps);
  const CompileTimes times = compilesOf(fixture, "eager", "return torch.exp(x) + 1", {8, 16});
  EXPECT_EQ(times.shipped, 0);
  EXPECT_EQ(times.compiled(), 2);
}

TEST(ShippedCode, IsForEachLevelTheSame) {
  const auto levels = cpu::ShippedCode::all();
  ASSERT_EQ(levels.size(), cpu::shippedLevels().size());
  const std::string text = canonicalText(shippedKernels().front());
  for (const cpu::ShippedCode& level : levels) {
    EXPECT_EQ(level.size(), levels.front().size());
    EXPECT_NE(level.kernel(text), nullptr) << level.level();
    EXPECT_EQ(level.kernel(text + " "), nullptr) << level.level();
  }
}

TEST(WithoutACompiler, EagerAndInstantRunAndOthersSayWhy) {
  NEEDS_SHIPPED_CODE();
  EngineFixture fixture(withoutCompiler()), usual(EngineFixture::withoutDisk(0, 0, 1));
  EXPECT_THAT(fixture.backend().missingCompiler(), HasSubstr("switched off"));
  std::vector<std::string_view> names;
  for (const ExecutorInfo& executor : executorsOn(fixture.backend()))
    names.push_back(executor.name);
  EXPECT_THAT(names, testing::ElementsAre("eager", "instant", "replay"));
  for (const std::string_view name : names) {
    const auto result = [&](EngineFixture& on) {
      const auto executor = makeExecutor(name, on.backend(), parseProgram(mainStudy()));
      return EngineFixture::bytes(executor->call(std::vector{on.random({8, 16})})[0]);
    };
    EXPECT_EQ(result(fixture), result(usual)) << name;
  }
  try {
    makeExecutor("static", fixture.backend(), parseProgram(mainStudy()));
    FAIL() << "static needs a compiler";
  } catch (const std::invalid_argument& problem) {
    EXPECT_STREQ(problem.what(),
                 "the device cpu cannot compile kernels: compiling is switched off");
  }
}

TEST(WithoutACompiler, AnOpThatDoesNotShipSaysSo) {
  NEEDS_SHIPPED_CODE();
  EngineFixture fixture(withoutCompiler());
  const auto executor = fixture.executor("eager", "return x + y");
  const Tensor spread = EngineFixture::everySecond(fixture.random({3, 4, 6, 10}));
  try {
    executor->call(std::vector{spread, fixture.random({3, 1, 6, 1})});
    FAIL() << "no such kernel ships";
  } catch (const std::runtime_error& problem) {
    EXPECT_THAT(problem.what(), HasSubstr("no prebuilt kernel of add for this layout"));
  }
}

TEST(WithoutACompiler, InstantRunsWhateverProgramAndEagerNearlyAll) {
  NEEDS_SHIPPED_CODE();
  EngineFixture fixture(withoutCompiler());
  int ran = 0, others = 0;
  std::string unshipped;
  for (std::uint32_t seed = 1; seed <= 60; ++seed) {
    // Other corrections than 0 and 1 are compiled.
    const std::string text = std::regex_replace(test::randomProgramText(seed),
                                                std::regex("correction=[2-9]"), "correction=0");
    for (const char* name : {"instant", "eager"}) {
      const auto executor = fixture.executor(name, text);
      try {
        executor->call(std::vector{fixture.random({6, 20}), fixture.random({6, 20}, 2)});
        ++ran;
      } catch (const ProgramError&) {
        // The program names dimensions that its values do not have.
      } catch (const std::runtime_error& problem) {
        // Ops of integers alone have no pieces.
        const ValueType plain{{6, 20}, DType::float32};
        const bool integers =
            std::ranges::any_of(inferTypes(parseProgram(text), std::vector{plain, plain}),
                                [](const ValueType& type) { return type.dtype == DType::int64; });
        EXPECT_TRUE(integers || std::string_view(name) == "eager") << problem.what() << "\n"
                                                                   << text;
        others += !integers;
        if (!integers) unshipped += std::string("\n") + problem.what() + "\n" + text;
      }
    }
  }
  EXPECT_GE(ran, 100);
  // About one in fifteen programs of eager: ops of three operands with three layouts, a norm of any
  // p. Which programs these are depends on the number of rows that random ones are drawn from.
  EXPECT_LE(others, 4) << "eager's kernels of common layouts ship" << unshipped;
}

}  // namespace
}  // namespace fusebench

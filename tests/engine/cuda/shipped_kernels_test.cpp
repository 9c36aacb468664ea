// SPDX-License-Identifier: GPL-3.0-or-later
// Eager's kernels as they ship: that those which fit this build are counted, and that they serve
// without NVRTC. The double runs no device's code, but the source that it was made of.
#include "engine/cuda/shipped/shipped_kernels.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <utility>

#include "engine/base/sha256.h"
#include "engine/cuda/driver/driver_errors.h"
#include "engine/cuda/instant/interpreter_source.h"
#include "engine/cuda/instant/prebuilt_interpreter.h"
#include "engine/cuda/runtime/prebuilt_state.h"
#include "tests/engine/cuda/backend_fixture.h"
#include "tests/temporary_folder.h"

namespace fusebench::test {
namespace {

using cuda::KernelArchive;

std::vector<cuda::CodeTarget> shippedTargets() {
  std::vector<cuda::CodeTarget> all{{true, cuda::kShippedPtx}};
  for (const int architecture : cuda::kShippedArchitectures) all.push_back({false, architecture});
  return all;
}

TEST(ShippedCudaKernels, AreCodeOfTheirTarget) {
  const KernelArchive& first = *cuda::shippedFor(90, "").ptx;
  EXPECT_GT(first.size(), 500u);
  for (const cuda::CodeTarget& target : shippedTargets()) {
    const KernelArchive archive(cuda::shippedBytes(target.text()));
    EXPECT_EQ(archive.target(), target.text());
    EXPECT_EQ(archive.nvrtc(), first.nvrtc());
    ASSERT_EQ(archive.keys(), first.keys()) << target.text();
    for (std::size_t i = 0; i < archive.size(); i += 29) {
      const std::string code = archive.code(archive.keys()[i]).value_or("");
      EXPECT_TRUE(code.starts_with(target.ptx ? ".version 8.0\n.target sm_75\n" : "\177ELF"))
          << target.text() << ", " << i;
      EXPECT_TRUE(holds(code, "kernel_") || holds(code, "empty")) << target.text() << ", " << i;
    }
  }
}

TEST(PrebuiltState, CountsTheKernelsThatEveryTargetHas) {
  const cuda::PrebuiltState state = cuda::prebuiltState();
  const std::vector<cuda::ShippedSource> sources = cuda::shippedSources();
  EXPECT_GT(sources.size(), 500u);
  EXPECT_EQ(state.all, sources.size());
  const std::vector<ShippedKey> keys = cuda::shippedFor(90, "").machineCode->keys();
  std::size_t fitting = 0;
  for (const cuda::ShippedSource& source : sources)
    fitting += static_cast<std::size_t>(
        std::ranges::count(keys, cuda::shippedKeyOf(source.text, source.flags)));
  EXPECT_EQ(state.fitting, fitting);
  bool interpreter = true;
  for (const bool reduces : {false, true})
    interpreter &=
        !cuda::prebuiltInterpreter(reduces, cuda::interpreterSource(reduces).text).ptx.empty();
  EXPECT_EQ(state.interpreter, interpreter);
  EXPECT_EQ(state.whole(), interpreter && fitting == sources.size());
}

TEST(ShippedCudaKernels, ServeTheDevicesOfTheirMajorVersionAndPtxAllNewerOnes) {
  const auto machineCode = [](int architecture) {
    const auto found = cuda::shippedFor(architecture, "").machineCode;
    return found ? std::string(found->target()) : std::string();
  };
  EXPECT_EQ(machineCode(75), "sm_75");
  EXPECT_EQ(machineCode(89), "sm_80");
  EXPECT_EQ(machineCode(90), "sm_90");
  EXPECT_EQ(machineCode(103), "sm_100");
  EXPECT_EQ(machineCode(121), "sm_120");
  for (const int none : {70, 72, 110, 130}) EXPECT_EQ(machineCode(none), "") << none;
  EXPECT_NE(cuda::shippedFor(130, "").ptx, nullptr);
  EXPECT_EQ(cuda::shippedFor(72, "").ptx, nullptr);
  const std::string nvrtc(cuda::shippedFor(90, "").ptx->nvrtc());
  EXPECT_NE(cuda::shippedFor(90, nvrtc).machineCode, nullptr);
  EXPECT_EQ(cuda::shippedFor(90, nvrtc + "1").machineCode, nullptr);
  EXPECT_EQ(cuda::shippedFor(90, nvrtc + "1").ptx, nullptr);
}

TEST(KernelArchives, HoldWhatWasPackedAndNothingOnceDamaged) {
  std::vector<std::pair<ShippedKey, std::string>> kernels;
  for (int i = 0; i < 40; ++i) {
    const std::string name = "kernel " + std::to_string(i);
    kernels.emplace_back(shippedKey(name),
                         name + std::string(static_cast<std::size_t>(7'000), 'x'));
  }
  const std::string whole = cuda::packKernels("sm_90", "13.0", kernels);
  EXPECT_LT(whole.size(), 40u * 200);
  const KernelArchive archive(whole);
  ASSERT_EQ(archive.size(), kernels.size());
  for (const auto& [key, code] : kernels) EXPECT_EQ(archive.code(key), code);
  EXPECT_EQ(archive.code(shippedKey("kernel 40")), std::nullopt);
  for (std::size_t bytes = 0; bytes < whole.size(); bytes += 7)
    EXPECT_EQ(KernelArchive(std::string_view(whole).substr(0, bytes)).size(), 0u) << bytes;
  // What is changed anywhere is not unpacked, or is another's: never read beyond.
  for (std::size_t at = 0; at < whole.size(); at += 3) {
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x41);
    const KernelArchive opened(damaged);
    for (const auto& [key, code] : kernels)
      EXPECT_LE(opened.code(key).value_or("").size(), std::size_t{1} << 20);
  }
}

constexpr const char* kStudy =
    "x = x + 0.1\nx = torch.sin(x)\nx = x * 1.1\nx = torch.relu(x)\nx = torch.exp(x * 0.5)\n"
    "return x.sum()";

/// With a folder in which the double finds what code that ships was made of.
class CudaShipped : public CudaBackendTest {
 protected:
  void SetUp() override {
    if (rows_.size() < 2 * std::size(kRows)) GTEST_SKIP() << kEarlierCode;
  }
  CudaShipped() {
    for (const cuda::ShippedSource& source : cuda::shippedSources()) {
      if (std::ranges::find(kRows, source.name) == std::end(kRows)) continue;
      for (const std::string_view target : {"sm_90", "compute_75"}) {
        const KernelArchive archive(cuda::shippedBytes(target));
        if (const auto code = archive.code(cuda::shippedKeyOf(source.text, source.flags))) {
          std::ofstream(folder_ / (sha256(*code) + ".cu")) << source.text;
          rows_.emplace(target, source.name);
        }
      }
    }
    setenv("FUSEBENCH_DOUBLE_SOURCES", folder_.path().c_str(), 1);
  }
  ~CudaShipped() override { unsetenv("FUSEBENCH_DOUBLE_SOURCES"); }

  static CudaOptions withoutNvrtc() {
    CudaOptions options = onDouble();
    options.nvrtc = "/nowhere/libnvrtc.so.13";
    return options;
  }
  /// With a double of the NVRTC whose version this is, "13.0".
  static std::string_view maker() { return cuda::shippedFor(90, "").ptx->nvrtc(); }

  /// Runs the study's ops, checks them, and says what compiling took.
  static CompileTimes run(EngineFixture& fixture, const char* executor = "eager") {
    const Tensor x = fixture.random({8, 16});
    const auto expected = evaluateReference(parseProgram(kStudy), {{EngineFixture::reference(x)}});
    const auto made = fixture.executor(executor, kStudy);
    const auto got = made->call(std::vector{x});
    EXPECT_LT(relativeError(expected[0], EngineFixture::values(got[0])), 1e-6);
    CompileTimes sum;
    for (const CompileEvent& event : made->statistics().compiles) sum += event.times;
    return sum;
  }
  static constexpr std::string_view kRows[] = {"add", "sin", "mul", "relu", "exp", "sum", "empty"};
  TemporaryFolder folder_;
  std::set<std::pair<std::string, std::string>> rows_;  ///< targets and rows that were found
};

TEST_F(CudaShipped, EagerCompilesNothingWithoutNvrtcNorWithTheOneThatMadeThem) {
  for (const bool nvrtc : {false, true}) {
    EngineFixture fixture(nvrtc ? backendWithNvrtc(maker()) : makeCudaBackend(withoutNvrtc()));
    EXPECT_TRUE(fixture.backend().traits().shipsOps);
    const std::uint64_t before = cudaDouble().counts.compilations;
    for (const char* executor : {"eager", "replay"}) {
      const CompileTimes times = run(fixture, executor);
      EXPECT_EQ(times.compiled(), 0) << executor;
      EXPECT_EQ(times.compiler, 0) << executor;
      EXPECT_GT(times.shipped + times.fromMemory, 4) << executor;
    }
    EXPECT_NE(fixture.backend().emptyKernel(), nullptr);
    EXPECT_EQ(cudaDouble().counts.compilations, before);
    EXPECT_EQ(cudaDouble().counts.ptxLoads, 0u);
  }
}

TEST_F(CudaShipped, FusedKernelsAreCompiledBesideThem) {
  EngineFixture fixture(backendWithNvrtc(maker()));
  const CompileTimes times = run(fixture, "static");
  EXPECT_EQ(times.shipped, 0);
  EXPECT_EQ(times.compiled(), 1);
}

TEST_F(CudaShipped, AnotherNvrtcMakesThemItself) {
  EngineFixture fixture(backendWithNvrtc("13.1"));
  EXPECT_FALSE(fixture.backend().traits().shipsOps);
  const CompileTimes times = run(fixture);
  EXPECT_EQ(times.shipped, 0);
  EXPECT_GT(times.compiled(), 4);
  CudaOptions options = onDouble();
  options.shipped = false;
  EXPECT_FALSE(makeCudaBackend(options)->traits().shipsOps);
}

TEST_F(CudaShipped, PtxThatShipsServesWhereTheDriverRefusesTheMachineCode) {
  EngineFixture fixture(makeCudaBackend(withoutNvrtc()));
  cudaDouble().faults.moduleLoad = 1;
  const CompileTimes times = run(fixture);
  EXPECT_EQ(times.compiled(), 0);
  EXPECT_EQ(times.shipped, 6);
  EXPECT_EQ(cudaDouble().counts.ptxLoads, 6u) << "machine code is not tried again";
}

TEST_F(CudaShipped, NvrtcServesWhereTheDriverRefusesAllThatShips) {
  unsetenv("FUSEBENCH_DOUBLE_SOURCES");
  EngineFixture fixture(backendWithNvrtc(maker()));
  const CompileTimes times = run(fixture);
  EXPECT_EQ(times.shipped, 0);
  EXPECT_EQ(times.compiled(), 6);
  EngineFixture without(makeCudaBackend(withoutNvrtc()));
  const std::string message = messageOf<cuda::CudaError>(
      [&] { without.run("eager", "return x + 1", {without.random({5})}); });
  EXPECT_TRUE(holds(message, "CUDA_ERROR_UNSUPPORTED_PTX_VERSION (222)")) << message;
}

TEST_F(CudaShipped, AnOpThatDoesNotShipSaysSo) {
  EngineFixture fixture(makeCudaBackend(withoutNvrtc()));
  const auto executor = fixture.executor("eager", "return x + y");
  const Tensor spread = EngineFixture::everySecond(fixture.random({3, 4, 6, 10}));
  const std::string message = messageOf<std::runtime_error>([&] {
    executor->call(std::vector{spread, fixture.random({3, 1, 6, 1})});
  });
  EXPECT_TRUE(holds(message,
                    "no prebuilt kernel of add for this layout, and none can be compiled: "
                    "no usable NVRTC"))
      << message;
}

}  // namespace
}  // namespace fusebench::test

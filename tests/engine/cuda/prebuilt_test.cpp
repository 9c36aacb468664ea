// SPDX-License-Identifier: GPL-3.0-or-later
// The interpreter as it ships: that it serves without NVRTC where it is of the present op table.
// The double runs neither PTX nor a device's machine code, but the source of both.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <vector>

#include "engine/base/sha256.h"
#include "engine/cuda/driver/driver_errors.h"
#include "engine/cuda/instant/interpreter_source.h"
#include "engine/cuda/instant/prebuilt_interpreter.h"
#include "engine/cuda/runtime/prebuilt_state.h"
#include "tests/engine/cuda/backend_fixture.h"
#include "tests/temporary_folder.h"

namespace fusebench::test {
namespace {

namespace fs = std::filesystem;

TEST(PrebuiltInterpreter, HoldsTheEntriesOfItsSource) {
  if (!cuda::prebuiltState().interpreter) GTEST_SKIP() << kEarlierCode;
  for (const bool reduces : {false, true}) {
    const cuda::Source source = cuda::interpreterSource(reduces);
    const auto prebuilt = cuda::prebuiltInterpreter(reduces, source.text);
    ASSERT_FALSE(prebuilt.ptx.empty());
    for (const cuda::Entry& entry : source.entries)
      EXPECT_TRUE(holds(std::string(prebuilt.ptx), ".visible .entry " + entry.name + "("));
    EXPECT_TRUE(holds(std::string(prebuilt.ptx), "\n.version 8.0\n.target sm_75\n"));
    EXPECT_FALSE(prebuilt.nvrtc.empty());
    EXPECT_FALSE(cuda::prebuiltInterpreter(reduces, source.text + "// as before\n").ptx.empty());
    EXPECT_TRUE(cuda::prebuiltInterpreter(reduces, source.text + "int other;").ptx.empty());
    for (const int architecture : cuda::kPrebuiltArchitectures) {
      const std::string code = cuda::prebuiltMachineCode(reduces, source.text, architecture);
      ASSERT_EQ(code.substr(0, 4), "\177ELF") << architecture;
      for (const cuda::Entry& entry : source.entries)
        EXPECT_TRUE(holds(code, ".text." + entry.name)) << architecture;
      EXPECT_EQ(cuda::prebuiltMachineCode(reduces, source.text + "int other;", architecture), "");
    }
  }
}

TEST(PrebuiltInterpreter, MachineCodeServesItsMajorVersionFromItsMinorOneOn) {
  if (!cuda::prebuiltState().interpreter) GTEST_SKIP() << kEarlierCode;
  const std::string source = cuda::interpreterSource(false).text;
  const auto code = [&](int architecture) {
    return cuda::prebuiltMachineCode(false, source, architecture);
  };
  EXPECT_EQ(code(87), code(86));
  EXPECT_NE(code(90), code(89));
  EXPECT_EQ(code(103), code(100));
  EXPECT_EQ(code(121), code(120));
  for (const int none : {60, 72, 110, 130}) EXPECT_EQ(code(none), "") << none;
}

/// With a folder from which the double takes what the shipped PTX was made of.
class CudaPrebuilt : public CudaBackendTest {
 protected:
  void SetUp() override {
    if (!cuda::prebuiltState().interpreter) GTEST_SKIP() << kEarlierCode;
  }
  CudaPrebuilt() {
    for (const bool reduces : {false, true}) {
      const std::string source = cuda::interpreterSource(reduces).text;
      put(cuda::prebuiltHash(source), source);
    }
    setenv("FUSEBENCH_DOUBLE_SOURCES", folder_.path().c_str(), 1);
  }
  ~CudaPrebuilt() override { unsetenv("FUSEBENCH_DOUBLE_SOURCES"); }
  void put(const std::string& name, const std::string& source) const {
    std::ofstream(folder_ / (name + ".cu")) << source;
  }
  static CudaOptions withoutNvrtc() {
    CudaOptions options = onDouble();
    options.nvrtc = "/nowhere/libnvrtc.so.13";
    return options;
  }
  TemporaryFolder folder_;
};

const std::string kProgram = "y = torch.sin(x) * 2\nreturn y.sum(), y, y.amax()";

TEST_F(CudaPrebuilt, WithoutNvrtcInstantRunsAndWhatFusesIsRefusedWithTheReason) {
  EngineFixture fixture(makeCudaBackend(withoutNvrtc()));
  Backend& backend = fixture.backend();
  EXPECT_TRUE(holds(backend.description(), "no NVRTC"));
  EXPECT_TRUE(holds(backend.missingCompiler(), "/nowhere/libnvrtc.so.13"));
  std::vector<std::string_view> names;
  for (const ExecutorInfo& executor : executorsOn(backend)) names.push_back(executor.name);
  EXPECT_EQ(names, (std::vector<std::string_view>{"eager", "instant", "replay"}));
  for (const char* name : {"static", "dynamic", "static+replay"})
    EXPECT_TRUE(holds(messageOf<std::invalid_argument>([&] { fixture.executor(name, kProgram); }),
                      "the device cuda cannot compile kernels: no usable NVRTC"));

  const Tensor x = fixture.random({40, 30});
  const auto expected = evaluateReference(parseProgram(kProgram), {{EngineFixture::reference(x)}});
  const auto executor = fixture.executor("instant", kProgram);
  const auto got = executor->call(std::vector{x});
  for (std::size_t o = 0; o < 2; ++o)
    EXPECT_LT(relativeError(expected[o], EngineFixture::values(got[o])), 1e-5);
  EXPECT_EQ(cudaDouble().counts.compilations, 0u);
  const CompileTimes times = executor->statistics().compiles.at(0).times;
  EXPECT_EQ(times.compiler, 0);
  EXPECT_GT(times.load, 0);
  CompileTimes ignored;
  const auto kernels = executor->kernels(std::vector{x});
  EXPECT_TRUE(holds(messageOf<std::runtime_error>([&] { backend.compile(kernels.at(0), ignored); }),
                    "none can be compiled: no usable NVRTC"));
  EXPECT_EQ(backend.code(kernels[0]).size(), 1u);
}

TEST_F(CudaPrebuilt, MachineCodeGoesBeforePtx) {
  // Only the machine code can be run: PTX of this hash is not there.
  fs::remove_all(folder_.path());
  fs::create_directories(folder_.path());
  for (const bool reduces : {false, true}) {
    const std::string source = cuda::interpreterSource(reduces).text;
    const std::string code = cuda::prebuiltMachineCode(reduces, source, 90);
    put(sha256(code), source);
  }
  EngineFixture fixture(makeCudaBackend(withoutNvrtc()));
  const Tensor x = fixture.random({40, 30});
  const auto expected = evaluateReference(parseProgram(kProgram), {{EngineFixture::reference(x)}});
  const auto got = fixture.run("instant", kProgram, {x});
  for (std::size_t o = 0; o < 2; ++o)
    EXPECT_LT(relativeError(expected[o], EngineFixture::values(got[o])), 1e-5);
  // Other machine code than the driver takes: PTX serves, and there is none here.
  cudaDouble().faults.moduleLoad = 1;
  EngineFixture other(makeCudaBackend(withoutNvrtc()));
  const std::string message = messageOf<cuda::CudaError>(
      [&] { other.run("instant", "return x + 1", {other.random({5})}); });
  EXPECT_TRUE(holds(message, "CUDA_ERROR_UNSUPPORTED_PTX_VERSION (222)")) << message;
}

TEST_F(CudaPrebuilt, ADriverThatRefusesItIsNamedWhereNothingElseServes) {
  unsetenv("FUSEBENCH_DOUBLE_SOURCES");
  EngineFixture fixture(makeCudaBackend(withoutNvrtc()));
  const std::string message =
      messageOf<cuda::CudaError>([&] { fixture.run("instant", kProgram, {fixture.random({5})}); });
  EXPECT_TRUE(holds(message, "cuModuleLoadDataEx: CUDA_ERROR_UNSUPPORTED_PTX_VERSION (222)"))
      << message;
  EXPECT_TRUE(holds(message, "loading kernel instant")) << message;
}

TEST_F(CudaPrebuilt, ServesWhereTheNvrtcIsTheOneThatMadeItAndElseNvrtcMakesIt) {
  const auto prebuilt = cuda::prebuiltInterpreter(false, cuda::interpreterSource(false).text).nvrtc;
  const auto compilations = [&](std::string_view nvrtc, bool fails = false) {
    EngineFixture fixture(backendWithNvrtc(nvrtc));
    cudaDouble().faults.compilation = fails;
    const std::uint64_t before = cudaDouble().counts.compilations;
    fixture.run("instant", "return x * 2 + 1", {fixture.random({5})});
    return cudaDouble().counts.compilations - before;
  };
  std::string other(prebuilt);
  other.back() = other.back() == '0' ? '1' : '0';
  EXPECT_EQ(compilations(prebuilt), 0u);
  EXPECT_EQ(compilations(other), 1u);
  EXPECT_EQ(compilations(other, /*fails=*/true), 1u) << "what ships ran then";
  unsetenv("FUSEBENCH_DOUBLE_SOURCES");  // refused
  EXPECT_EQ(compilations(prebuilt), 1u);
}

}  // namespace
}  // namespace fusebench::test

// SPDX-License-Identifier: GPL-3.0-or-later
// Rare faults of a GPU, injected on request. Every fault ends in an error that names the failure
// and its location, leaks no memory, and frees everything that can still be freed.
#include "engine/cuda/driver/driver_errors.h"

#include <stdexcept>
#include <vector>
#include "engine/cuda/driver/nvrtc.h"
#include "engine/cuda/runtime/memory_pool.h"
#include "tests/engine/cuda/backend_fixture.h"

namespace fusebench::test {
namespace {

using cuda::CudaError;

using CudaFaults = CudaBackendTest;

const char* const kExecutors[] = {"eager",   "static", "dynamic",
                                  "instant", "replay", "static+replay"};
const std::string kText = "y = torch.sin(x)\nz = y.sum()\nreturn torch.exp(y) * z";

TEST_F(CudaFaults, OutOfMemoryIsRecoveredByGivingBackWhatIsPooled) {
  EngineFixture fixture;
  const auto& pool = fixture.backend().allocator();
  { const Tensor big = makeTensor(fixture.backend().allocator(), DType::float32, {150 << 20}); }
  EXPECT_GT(pool.statistics().heldBytes, std::size_t{600} << 20);
  // With the first still pooled there is no room for another.
  const Tensor other = makeTensor(fixture.backend().allocator(), DType::float32, {200 << 20});
  EXPECT_EQ(pool.statistics().blockBytes, pool.statistics().heldBytes);
}

TEST_F(CudaFaults, OutOfMemoryAtEveryAllocationOfACall) {
  for (const char* name : kExecutors) {
    EngineFixture fixture;
    const Tensor x = fixture.random({64, 1024});
    const auto expected = evaluateReference(parseProgram(kText), {{EngineFixture::reference(x)}});
    int failures = 0;
    for (int n = 1; n < 20; ++n) {
      const auto executor = fixture.executor(name, kText);
      const std::size_t before = fixture.backend().allocator().statistics().currentBytes;
      // What is pooled serves without the driver: too large for that, each time.
      const Tensor larger = fixture.random({64, 1024 + 300 * n}, 2);
      const std::size_t held = fixture.backend().allocator().statistics().currentBytes;
      cudaDouble().faults.allocation = n;
      cudaDouble().faults.lasting = true;
      bool failed = false;
      try {
        executor->call(std::vector{larger});
      } catch (const DeviceOutOfMemory& error) {
        failed = true;
        EXPECT_TRUE(holds(error.what(), "CUDA_ERROR_OUT_OF_MEMORY (2)")) << error.what();
        EXPECT_TRUE(holds(error.what(), "MiB wanted on Fusebench double 0")) << error.what();
      }
      failures += failed;
      cudaDouble().faults = {};
      if (failed) {
        EXPECT_EQ(fixture.backend().allocator().statistics().currentBytes, held) << name << n;
      }
      EXPECT_GE(held, before);
      EXPECT_LT(
          relativeError(expected[0], EngineFixture::values(executor->call(std::vector{x})[0])),
          1e-5)
          << name << " after " << n;
      if (!failed) break;
    }
    EXPECT_GT(failures, 0) << name;
    EXPECT_LT(failures, 19) << name;
  }
}

TEST_F(CudaFaults, AFailedLaunchNamesItsKernelAndTheNextCallWorks) {
  for (const char* name : kExecutors) {
    EngineFixture fixture;
    const Tensor x = fixture.tensor({4}, {1, 2, 3, 4});
    const auto executor = fixture.executor(name, "return torch.sin(x) * 0");
    cudaDouble().faults.launch = 1;
    const std::string message = messageOf<CudaError>([&] { executor->call(std::vector{x}); });
    EXPECT_TRUE(holds(message, "cuLaunchKernel: CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES (701)"))
        << message;
    EXPECT_TRUE(holds(message, "; launching sin")) << message;
    EXPECT_EQ(EngineFixture::values(executor->call(std::vector{x})[0]),
              (std::vector<double>{0, 0, 0, 0}));
  }
}

TEST_F(CudaFaults, ALaunchThatFailsWhileRecordingEndsTheRecording) {
  for (const char* name : {"replay", "static+replay"}) {
    EngineFixture fixture;
    const Tensor x = fixture.tensor({4}, {1, 2, 3, 4});
    const auto executor = fixture.executor(name, "return x + 1");
    cudaDouble().faults.launch = 2;  // the first is the one that runs before recording
    EXPECT_THROW(executor->call(std::vector{x}), CudaError);
    EXPECT_EQ(EngineFixture::values(executor->call(std::vector{x})[0]),
              (std::vector<double>{2, 3, 4, 5}));
    EXPECT_EQ(executor->statistics().compiles.size(), 1u);
  }
}

TEST_F(CudaFaults, AGraphThatCannotBeMadeSaysSo) {
  EngineFixture fixture;
  const Tensor x = fixture.tensor({2}, {1, 2});
  const auto executor = fixture.executor("replay", "y = x + 1\nreturn y * y");
  cudaDouble().faults.instantiate = 1;
  const std::string message = messageOf<CudaError>([&] { executor->call(std::vector{x}); });
  EXPECT_TRUE(holds(message, "cuGraphInstantiateWithFlags: CUDA_ERROR_OUT_OF_MEMORY (2)"))
      << message;
  EXPECT_TRUE(holds(message, "building a graph of 2 launches")) << message;
  EXPECT_EQ(EngineFixture::values(executor->call(std::vector{x})[0]), (std::vector<double>{4, 9}));
}

TEST_F(CudaFaults, AStickyErrorIsToldFromOthersAndEverythingIsFreedAfterIt) {
  for (const char* name : kExecutors) {
    cudaDouble().reset();
    {
      EngineFixture fixture;
      const Tensor x = fixture.tensor({4}, {1, 2, 3, 4});
      const auto executor = fixture.executor(name, "return torch.sqrt(x)");
      executor->call(std::vector{x});
      fixture.backend().synchronize();
      cudaDouble().faults.execution = 1;
      executor->call(std::vector{x});  // enqueued; nothing is known yet
      try {
        fixture.backend().synchronize();
        ADD_FAILURE() << "nothing was thrown";
      } catch (const CudaError& error) {
        EXPECT_TRUE(error.isSticky());
        EXPECT_TRUE(holds(error.what(), "cuStreamSynchronize: CUDA_ERROR_ILLEGAL_ADDRESS (700)"))
            << error.what();
        EXPECT_TRUE(holds(error.what(), "the last of which was sqrt")) << error.what();
      }
      // Nothing works any more, and each says why.
      EXPECT_THROW(executor->call(std::vector{x}), CudaError);
      EXPECT_THROW(fixture.backend().synchronize(), CudaError);
      EXPECT_TRUE(holds(messageOf<CudaError>([] { makeCudaBackend(onDouble()); }), "(700)"));
    }
    EXPECT_EQ(cudaDouble().liveBlocks(), 0u) << name;
    EXPECT_EQ(cudaDouble().liveObjects(), 0u) << name;
  }
}

TEST_F(CudaFaults, AKernelThatTouchesAnotherDevicesMemoryFails) {
  auto one = makeCudaBackend(onDouble("cuda:0"));
  EngineFixture other(makeCudaBackend(onDouble("cuda:1")));
  CompileTimes times;
  const auto executor = other.executor("static", "return x * 2");
  const Tensor there = other.tensor({4}, {1, 2, 3, 4});
  const auto kernel = one->compile(executor->kernels(std::vector{there})[0], times);
  {
    const Tensor here = makeTensor(one->allocator(), DType::float32, {4});
    void* const pointers[] = {there.data(), here.data()};
    one->launch(*kernel, {pointers, nullptr, nullptr});
    EXPECT_TRUE(holds(messageOf<CudaError>([&] { one->synchronize(); }), "ILLEGAL_ADDRESS"));
  }
  other.backend().synchronize();  // which is not spoilt
}

TEST_F(CudaFaults, ASourceThatDoesNotCompileNamesTheKernelAndTheError) {
  EngineFixture fixture;
  cudaDouble().faults.compilation = 1;
  const std::string message = messageOf<std::runtime_error>(
      [&] { fixture.run("static", "return torch.cos(x) + 0.125", {fixture.random({4})}); });
  EXPECT_TRUE(holds(message, "cannot compile kernel cos_add for sm_90")) << message;
  EXPECT_TRUE(holds(message, "error: asked to fail")) << message;
  fixture.run("static", "return torch.cos(x) + 0.125", {fixture.random({4})});
}

TEST_F(CudaFaults, ADriverThatTakesNoMachineCodeGetsPtxFromThenOn) {
  for (const int refusal : {200, 209}) {
    EngineFixture fixture;
    cudaDouble().faults.moduleLoad = 1;
    cudaDouble().faults.moduleResult = refusal;
    const std::uint64_t before = cudaDouble().counts.compilations;
    const Tensor x = fixture.random({7});
    EXPECT_NO_THROW(fixture.run("static", "return torch.cos(x) * 3", {x}));
    EXPECT_EQ(cudaDouble().counts.compilations - before, 2u);
    // Machine code is not tried again: this would strike it.
    EXPECT_NO_THROW(fixture.run("static", "return torch.cos(x) * 4", {x}));
    EXPECT_EQ(cudaDouble().counts.compilations - before, 3u);
  }
}

TEST_F(CudaFaults, CodeThatTheDriverRefusesNamesTheKernel) {
  EngineFixture fixture;
  cudaDouble().faults.moduleLoad = 1;
  cudaDouble().faults.moduleResult = 209;
  cudaDouble().faults.lasting = true;
  const std::string message = messageOf<CudaError>(
      [&] { fixture.run("static", "return torch.cos(x)", {fixture.random({4})}); });
  EXPECT_TRUE(holds(message, "cuModuleLoadDataEx: CUDA_ERROR_NO_BINARY_FOR_GPU (209)")) << message;
  EXPECT_TRUE(holds(message, "loading kernel cos")) << message;
}

TEST_F(CudaFaults, AnNvrtcNewerThanTheDriverIsNamedAsTheLikelyCause) {
  setenv("FUSEBENCH_DOUBLE_VERSION", "12040", 1);
  CudaOptions options = onDouble();
  options.driver = unopenedDouble();
  EngineFixture fixture(makeCudaBackend(options));
  unsetenv("FUSEBENCH_DOUBLE_VERSION");
  cudaDouble().faults.moduleLoad = 1;
  cudaDouble().faults.moduleResult = 222;
  const std::string message = messageOf<CudaError>(
      [&] { fixture.run("static", "return torch.cos(x)", {fixture.random({4})}); });
  EXPECT_TRUE(holds(message, "NVRTC is 13.99 and the driver supports CUDA 12.4")) << message;
}

}  // namespace
}  // namespace fusebench::test

// SPDX-License-Identifier: GPL-3.0-or-later
// The clock rate that a device reports, and the kernel that does nothing.
#include "engine/cuda/driver/nvml.h"

#include <gmock/gmock.h>

#include <vector>

#include "tests/engine/cuda/backend_fixture.h"
#include "tests/support/built_paths.h"

namespace fusebench::test {
namespace {

using ::testing::HasSubstr;
using CudaClock = CudaBackendTest;

CudaOptions withNvml(const std::string& device = "") {
  CudaOptions options = onDouble(device);
  options.nvml = fusebench::test::cudaDoublePath();
  return options;
}

TEST_F(CudaClock, IsReadOfTheDeviceAndSaysWhatHoldsItDown) {
  for (const char* device : {"cuda:0", "cuda:1"}) {
    const auto backend = makeCudaBackend(withNvml(device));
    cudaDouble().faults.throttledReadings = 1;
    EXPECT_EQ(backend->clockState()->megahertz, 600);
    EXPECT_EQ(backend->clockState()->megahertz, 1000);
    EXPECT_EQ(backend->clockState()->throttled, "");  // at its power limit: that is how it works
    cudaDouble().faults.throttledReadings = 1;
    EXPECT_EQ(backend->clockState()->throttled, "slowed down by heat");
  }
}

TEST_F(CudaClock, IsNotKnownWithoutNvmlAndNothingElseSuffers) {
  for (const char* library : {"/nowhere/libnvidia-ml.so.1", fusebench::test::cudaBrokenPath()}) {
    CudaOptions options = onDouble();
    options.nvml = library;
    EngineFixture fixture(makeCudaBackend(options));
    EXPECT_FALSE(fixture.backend().clockState());
    EXPECT_EQ(EngineFixture::values(
                  fixture.run("static", "return x * 2", {fixture.tensor({2}, {4, 5})})[0]),
              (std::vector<double>{8, 10}));
  }
  EXPECT_THAT(messageOf<cuda::NoNvml>([] { cuda::Nvml::open("/nowhere/libnvidia-ml.so.1"); }),
              HasSubstr("/nowhere/libnvidia-ml.so.1 cannot be opened: "));
  EXPECT_THAT(messageOf<cuda::NoNvml>([] { cuda::Nvml::open(fusebench::test::cudaBrokenPath()); }),
              HasSubstr("is not a complete NVML"));
}

TEST(CudaThrottling, IsWhatPassesAndNotHowACardWorksAnyway) {
  EXPECT_EQ(cuda::throttling(0), "");
  EXPECT_EQ(cuda::throttling(0x1), "");    // idle
  EXPECT_EQ(cuda::throttling(0x2), "");    // a clock that was set
  EXPECT_EQ(cuda::throttling(0x4), "");    // the power limit
  EXPECT_EQ(cuda::throttling(0x110), "");  // kept in step with others, a display's clock
  EXPECT_EQ(cuda::throttling(0x8), "slowed down by its hardware");
  EXPECT_EQ(cuda::throttling(0x20 | 0x4), "slowed down by heat");
  EXPECT_EQ(cuda::throttling(0x40), "slowed down by heat");
  EXPECT_EQ(cuda::throttling(0x80), "slowed down by its power supply");
}

/// Kernels take 1.5 us on the double, and launches 2 us: by events alone, the device seems to take
/// as long as the host.
TEST_F(CudaClock, TimesKernelsWithoutTheirLaunchesWhileTheStreamIsHeldBack) {
  EngineFixture fixture;
  Backend& backend = fixture.backend();
  const auto empty = backend.emptyKernel();
  const auto timer = backend.makeTimer();
  const auto stall = backend.makeStall();
  backend.synchronize();
  const auto tenLaunches = [&] {
    timer->start();
    for (int i = 0; i < 10; ++i) backend.launch(*empty, {});
    timer->stop();
  };
  tenLaunches();
  EXPECT_NEAR(timer->nanoseconds(), 10 * 2000 + 1500, 1);
  for (int round = 0; round < 2; ++round) {
    stall->hold();
    tenLaunches();
    stall->release();
    EXPECT_NEAR(timer->nanoseconds(), 10 * 1500, 1);
    EXPECT_TRUE(stall->lasted());
  }
}

TEST_F(CudaClock, AStallEndsByItselfIfTheHostWaitsForTheDevice) {
  EngineFixture fixture;
  Backend& backend = fixture.backend();
  const auto stall = backend.makeStall();
  const std::int64_t before = cudaDouble().hostNanoseconds;
  stall->hold();
  backend.synchronize();  // the host does not reach release()
  stall->release();
  EXPECT_FALSE(stall->lasted());
  EXPECT_GE(cudaDouble().hostNanoseconds - before, 200'000'000);
}

TEST_F(CudaClock, AStallOutlivesNeitherItsStreamNorAnError) {
  EngineFixture fixture;
  Backend& backend = fixture.backend();
  auto stall = backend.makeStall();
  stall->hold();
  stall.reset();  // released
  backend.synchronize();
  cudaDouble().faults.moduleLoad = 1;
  EXPECT_THROW(backend.makeStall(), cuda::CudaError);
}

TEST_F(CudaClock, AnEmptyKernelIsALaunchAndNothingElse) {
  EngineFixture fixture;
  Backend& backend = fixture.backend();
  const auto empty = backend.emptyKernel();
  const DoubleCounts before = cudaDouble().counts;
  const std::uint64_t launches = backend.launches();
  for (int i = 0; i < 5; ++i) backend.launch(*empty, {});
  backend.synchronize();
  EXPECT_EQ(backend.launches() - launches, 5u);
  EXPECT_EQ(cudaDouble().counts.launches - before.launches, 5u);
  EXPECT_EQ(cudaDouble().counts.kernelsRun - before.kernelsRun, 5u);
  EXPECT_EQ(cudaDouble().counts.allocations, before.allocations);
  backend.beginCapture();
  for (int i = 0; i < 3; ++i) backend.launch(*empty, {});
  const auto graph = backend.endCapture();
  backend.replay(*graph);
  backend.synchronize();
  EXPECT_EQ(graph->launches(), 3);
  EXPECT_EQ(cudaDouble().counts.kernelsRun - before.kernelsRun, 8u);
}

}  // namespace
}  // namespace fusebench::test

// SPDX-License-Identifier: GPL-3.0-or-later
// The double refuses what a driver refuses, so that what runs on it may run on a device.
#include <array>
#include <cstring>
#include <stdexcept>

#include "engine/cuda/driver/device.h"
#include "engine/cuda/driver/nvrtc.h"
#include "tests/engine/cuda/backend_fixture.h"
#include "tests/support/built_paths.h"

namespace fusebench::test {
namespace {

using cuda::DevicePointer;
using cuda::Result;

constexpr Result kFine = 0, kInvalidValue = 1, kInvalidHandle = 400, kIllegalAddress = 700,
                 kOutOfResources = 701, kCaptureUnsupported = 900;
constexpr std::size_t kBlockBytes = 64;

class DoubleRefuses : public CudaBackendTest {
 protected:
  DoubleRefuses() {
    device_.use();
    driver_.streamCreate(&stream_, cuda::kStreamNonBlocking);
    driver_.memAlloc(&block_, kBlockBytes);
  }
  void TearDown() override {
    driver_.memFree.attempt(block_);
    driver_.streamDestroy.attempt(stream_);
  }

  Result fill(DevicePointer to, std::size_t bytes) {
    return driver_.memsetD8Async.attempt(to, 1, bytes, stream_);
  }
  Result toDevice(DevicePointer to, std::size_t bytes) {
    return driver_.memcpyHtoDAsync.attempt(to, host_.data(), bytes, stream_);
  }
  Result toHost(DevicePointer from, std::size_t bytes) {
    return driver_.memcpyDtoHAsync.attempt(host_.data(), from, bytes, stream_);
  }

  std::shared_ptr<const cuda::Driver> opened_ =
      cuda::Driver::open(fusebench::test::cudaDoublePath());
  const cuda::Driver& driver_ = *opened_;
  cuda::Device device_{opened_, cuda::listDevices(*opened_).at(0)};
  cuda::Stream stream_ = nullptr;
  DevicePointer block_ = 0;
  std::array<char, 4 * kBlockBytes> host_{};
};

TEST_F(DoubleRefuses, CopiesAndFillsThatLeaveTheirBlock) {
  EXPECT_EQ(fill(block_, kBlockBytes), kFine);
  EXPECT_EQ(toDevice(block_ + 8, kBlockBytes - 8), kFine);
  EXPECT_EQ(toHost(block_, kBlockBytes), kFine);
  for (const auto& [at, bytes] : {std::pair{block_, kBlockBytes + 1},
                                  {block_ + 8, kBlockBytes},
                                  {block_ - 1, std::size_t{1}},
                                  {DevicePointer{64}, kBlockBytes}}) {
    EXPECT_EQ(fill(at, bytes), kInvalidValue);
    EXPECT_EQ(toDevice(at, bytes), kInvalidValue);
    EXPECT_EQ(toHost(at, bytes), kInvalidValue);
    EXPECT_EQ(driver_.memcpyDtoDAsync.attempt(block_, at, bytes, stream_), kInvalidValue);
  }
  driver_.streamSynchronize(stream_);
}

TEST_F(DoubleRefuses, MemoryThatWasGivenBack) {
  EXPECT_EQ(driver_.memFreeAsync.attempt(block_, stream_), kFine);
  EXPECT_EQ(fill(block_, kBlockBytes), kInvalidValue) << "though the stream has not come there yet";
  EXPECT_EQ(driver_.memFreeAsync.attempt(block_, stream_), kInvalidValue);
  driver_.streamSynchronize(stream_);
  EXPECT_EQ(toHost(block_, kBlockBytes), kInvalidValue);
}

TEST_F(DoubleRefuses, AllocationsDuringACaptureThatIsNotRelaxed) {
  driver_.streamBeginCapture(stream_, /*global*/ 0);
  DevicePointer more = 0;
  EXPECT_EQ(driver_.memAlloc.attempt(&more, kBlockBytes), kCaptureUnsupported);
  void* pinned = nullptr;
  EXPECT_EQ(driver_.memHostAlloc.attempt(&pinned, kBlockBytes, 0), kCaptureUnsupported);
  cuda::Graph graph = nullptr;
  EXPECT_EQ(driver_.streamEndCapture.attempt(stream_, &graph), 901) << "it is spoilt";
  driver_.streamBeginCapture(stream_, cuda::kCaptureRelaxed);
  EXPECT_EQ(driver_.memAlloc.attempt(&more, kBlockBytes), kFine);
  EXPECT_EQ(driver_.streamEndCapture.attempt(stream_, &graph), kFine);
  driver_.graphDestroy(graph);
  driver_.memFree(more);
}

/// A kernel that takes an address, and one that takes it in a structure.
constexpr const char* kSource = R"(
struct Arguments { int count; float* to; };
extern "C" __global__ void plain(float* to) { to[0] = 1; }
extern "C" __global__ void wrapped(Arguments arguments) { arguments.to[0] = 2; }
extern "C" __global__ void __launch_bounds__(512, 2) bounded(float* to) { to[0] = 3; }
)";
constexpr const char* kShared = R"(
extern "C" __global__ void plain(float* to) {
  __shared__ float all[6000];
  all[threadIdx.x] = to[0];
  to[0] = all[0];
}
)";

class DoubleRefusesLaunches : public DoubleRefuses {
 protected:
  struct Arguments {
    int count;
    void* to;
  };
  DoubleRefusesLaunches() {
    const auto nvrtc = cuda::Nvrtc::open(std::string(fusebench::test::cudaDoublePath()));
    image_ =
        nvrtc->compile(kSource, "plain", *nvrtc->targetFor(9, 0), cuda::compileOptions({})).bytes;
    driver_.moduleLoadDataEx(&module_, image_.data(), 0, nullptr, nullptr);
    driver_.moduleGetFunction(&plain_, module_, "plain");
    driver_.moduleGetFunction(&wrapped_, module_, "wrapped");
  }
  void TearDown() override {
    if (module_) driver_.moduleUnload.attempt(module_);
    DoubleRefuses::TearDown();
  }
  /// The error of the launch, or if it has none, that of waiting for it.
  Result launch(cuda::Function function, void* argument, unsigned blocks = 1, unsigned down = 1,
                unsigned threads = 1, unsigned shared = 0) {
    void* arguments[] = {argument};
    const Result result = driver_.launchKernel.attempt(function, blocks, down, 1, threads, 1, 1,
                                                       shared, stream_, arguments, nullptr);
    return result != kFine ? result : driver_.streamSynchronize.attempt(stream_);
  }

  std::string image_;
  cuda::Module module_ = nullptr;
  cuda::Function plain_ = nullptr, wrapped_ = nullptr;
};

/// Kernels do not read or write outside of a tensor: under the address sanitizer they are
/// instrumented as well, and memory has guards on both sides.
TEST_F(DoubleRefusesLaunches, ReadsAndWritesBesideABlockUnderTheAddressSanitizer) {
  void* behind = reinterpret_cast<void*>(block_ + kBlockBytes);
#if defined(__SANITIZE_ADDRESS__)
  EXPECT_DEATH(launch(plain_, &behind), "use-after-poison");
#else
  EXPECT_EQ(launch(plain_, &behind), kFine);
  const std::uint64_t before = cudaDouble().counts.overruns;
  driver_.memFree(block_);
  EXPECT_EQ(cudaDouble().counts.overruns, before + 1) << "found when the block is given back";
  cudaDouble().reset();
  driver_.memAlloc(&block_, kBlockBytes);
#endif
}

TEST_F(DoubleRefusesLaunches, OptionsThatNvrtcDoesNotKnow) {
  const auto nvrtc = cuda::Nvrtc::open(std::string(fusebench::test::cudaDoublePath()));
  const auto compiles = [&](std::vector<std::string> options) {
    try {
      nvrtc->compile(kSource, "plain", *nvrtc->targetFor(9, 0), options);
      return true;
    } catch (const std::runtime_error&) {
      return false;
    }
  };
  for (const bool on : {false, true})
    EXPECT_TRUE(compiles(cuda::compileOptions({.contract = on, .fastMath = on, .lineInfo = on})));
  EXPECT_FALSE(compiles({"--fast-maths"}));
  EXPECT_FALSE(compiles({"--fmad"}));
}

TEST_F(DoubleRefusesLaunches, AddressesOfTheHost) {
  auto* good = reinterpret_cast<void*>(block_);
  EXPECT_EQ(launch(plain_, &good), kFine);
  void* bad = host_.data();
  EXPECT_EQ(launch(plain_, &bad), kIllegalAddress);
  cudaDouble().reset();
}

TEST_F(DoubleRefusesLaunches, AddressesInStructuresThatAreAnotherDevicesOrGivenBack) {
  Arguments wrapped{1, reinterpret_cast<void*>(block_)};
  EXPECT_EQ(launch(wrapped_, &wrapped), kFine);
  const cuda::Device other(opened_, cuda::listDevices(*opened_).at(1));
  other.use();
  DevicePointer theirs = 0;
  driver_.memAlloc(&theirs, kBlockBytes);
  device_.use();
  wrapped.to = reinterpret_cast<void*>(theirs);
  EXPECT_EQ(launch(wrapped_, &wrapped), kIllegalAddress);
  cudaDouble().reset();
  other.use();
  driver_.memFree(theirs);
  device_.use();
  wrapped.to = reinterpret_cast<void*>(block_);
  driver_.memFreeAsync(block_, stream_);
  EXPECT_EQ(launch(wrapped_, &wrapped), kIllegalAddress);
  cudaDouble().reset();
}

TEST_F(DoubleRefusesLaunches, AddressesThatWereGivenBack) {
  auto* given = reinterpret_cast<void*>(block_);
  driver_.memFreeAsync(block_, stream_);
  EXPECT_EQ(launch(plain_, &given), kIllegalAddress);
  cudaDouble().reset();
}

TEST_F(DoubleRefusesLaunches, WhatIsBeyondTheDevicesLimits) {
  auto* good = reinterpret_cast<void*>(block_);
  EXPECT_EQ(launch(plain_, &good, 1, 65535), kFine);
  EXPECT_EQ(launch(plain_, &good, 1, 65536), kInvalidValue);
  EXPECT_EQ(launch(plain_, &good, 0x80000000u), kInvalidValue);
  EXPECT_EQ(launch(plain_, &good, 1, 1, 1025), kInvalidValue);
  EXPECT_EQ(launch(plain_, &good, 1, 1, 1, (48 << 10) + 1), kInvalidValue);
}

TEST_F(DoubleRefusesLaunches, MoreThreadsThanThereAreSureToBeRegistersFor) {
  auto* good = reinterpret_cast<void*>(block_);
  cuda::Function bounded = nullptr;
  driver_.moduleGetFunction(&bounded, module_, "bounded");
  EXPECT_EQ(launch(bounded, &good, 1, 1, 512), kFine);
  EXPECT_EQ(launch(bounded, &good, 1, 1, 513), kOutOfResources);
  // Without bounds a thread may have taken all that there are for one.
  EXPECT_EQ(launch(plain_, &good, 1, 1, 256), kFine);
  EXPECT_EQ(launch(plain_, &good, 1, 1, 257), kOutOfResources);
}

TEST_F(DoubleRefusesLaunches, MoreSharedMemoryThanABlockHas) {
  auto* good = reinterpret_cast<void*>(block_);
  const auto nvrtc = cuda::Nvrtc::open(std::string(fusebench::test::cudaDoublePath()));
  const std::string image =
      nvrtc->compile(kShared, "plain", *nvrtc->targetFor(9, 0), cuda::compileOptions({})).bytes;
  cuda::Module module = nullptr;
  cuda::Function plain = nullptr;
  driver_.moduleLoadDataEx(&module, image.data(), 0, nullptr, nullptr);
  driver_.moduleGetFunction(&plain, module, "plain");
  constexpr unsigned kLeft = (48 << 10) - 6000 * 4;
  EXPECT_EQ(launch(plain, &good, 1, 1, 1, kLeft), kFine);
  EXPECT_EQ(launch(plain, &good, 1, 1, 1, kLeft + 1), kOutOfResources);
  driver_.moduleUnload(module);
}

TEST_F(DoubleRefusesLaunches, FunctionsOfAModuleThatIsGoneOrOfAnotherContext) {
  auto* good = reinterpret_cast<void*>(block_);
  const cuda::Device other(opened_, cuda::listDevices(*opened_).at(1));
  other.use();
  cuda::Module theirs = nullptr;
  cuda::Function function = nullptr;
  driver_.moduleLoadDataEx(&theirs, image_.data(), 0, nullptr, nullptr);
  driver_.moduleGetFunction(&function, theirs, "plain");
  device_.use();
  EXPECT_EQ(launch(function, &good), kInvalidHandle);
  driver_.moduleUnload(theirs);
  EXPECT_EQ(launch(function, &good), kInvalidHandle);
}

/// Blocks and threads have no order: what a reduction's last block merges does not depend on which
/// one that is.
TEST_F(CudaBackendTest, ReductionsOfManyBlocksHaveTheSameBitsInAnyOrder) {
  EngineFixture fixture;
  const Tensor x = fixture.random({70'000}), rows = fixture.random({3, 20'000});
  const std::string program = "return x.sum(), x.amax(), x.var(), x.argmax(), y.mean(1), y.sum(0)";
  const auto results = [&](const char* executor) {
    std::vector<std::vector<std::byte>> all;
    for (const Tensor& result : fixture.run(executor, program, {x, rows}))
      all.push_back(EngineFixture::bytes(result));
    return all;
  };
  for (const char* executor : {"eager", "static", "instant"}) {
    cudaDouble().faults.order = 0;
    const auto expected = results(executor);
    for (const unsigned order : {1u, 7u, 1234567u}) {
      cudaDouble().faults.order = order;
      EXPECT_EQ(results(executor), expected) << executor << ", order " << order;
    }
  }
}

}  // namespace
}  // namespace fusebench::test

// SPDX-License-Identifier: GPL-3.0-or-later
// The backend over the double: queues, memory, caches, time, and several devices.
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <stdexcept>

#include "engine/cuda/driver/device.h"
#include "engine/cuda/runtime/memory_pool.h"
#include "engine/cuda/runtime/staged_copies.h"
#include "tests/engine/cuda/backend_fixture.h"
#include "tests/engine/support/backend_checks.h"
#include "tests/support/built_paths.h"
#include "tests/temporary_folder.h"

namespace fusebench::test {
namespace {

using CudaBackend = CudaBackendTest;

TEST_F(CudaBackendTest, FastMathIsAskedOfTheCompilerForFusedKernelsThatWantIt) {
  EngineFixture fixture(makeCudaBackend(onDouble()));
  const std::vector inputs{fixture.random({8})};
  const auto compiled = [&](ExecutorOptions options) {
    const std::uint64_t before = cudaDouble().counts.fastMath;
    const std::uint64_t all = cudaDouble().counts.compilations;
    fixture.executor("static", "return torch.exp(x) * 3", options)->call(inputs);
    EXPECT_EQ(cudaDouble().counts.compilations, all + 1) << "kernels of the two are different";
    return cudaDouble().counts.fastMath - before;
  };
  EXPECT_EQ(compiled({}), 0u);
  EXPECT_EQ(compiled({.fastMath = true}), 1u);
}

TEST_F(CudaBackend, DescribesItself) {
  const auto backend = makeCudaBackend(onDouble("cuda:1"));
  EXPECT_EQ(backend->name(), "cuda");
  EXPECT_EQ(backend->description(),
            "Fusebench double 1, compute capability 9.0, 4 multiprocessors, driver CUDA 13.99, "
            "NVRTC 13.99");
  EXPECT_EQ(backend->threads(), 1);
  EXPECT_THROW(backend->setThreads(0), std::invalid_argument);
}

TEST_F(CudaBackend, RunsNothingBeforeSomebodyWaits) {
  EngineFixture fixture;
  const Tensor x = fixture.tensor({4}, {1, 2, 3, 4});
  const auto executor = fixture.executor("static", "return x * 2");
  executor->call(std::vector{x});
  const float other[] = {7, 7, 7, 7};
  fixture.backend().copyIn(x, other, sizeof other);
  const Tensor result = executor->call(std::vector{x})[0];
  // The double's device memory is the host's, so this reads it without waiting for the queue.
  float seen = 0;
  std::memcpy(&seen, result.data(), sizeof seen);
  EXPECT_NE(seen, 14);
  EXPECT_GT(cudaDouble().pendingOperations(), 0u);
  fixture.backend().synchronize();
  std::memcpy(&seen, result.data(), sizeof seen);
  EXPECT_EQ(seen, 14);
  EXPECT_EQ(cudaDouble().pendingOperations(), 0u);
}

TEST_F(CudaBackend, LaunchesAreThoseThatTheDeviceSees) {
  EngineFixture fixture;
  const Program program = firstStatements(parseProgram(studyProgram()), 20);
  const std::vector<Tensor> inputs{fixture.random({8, 16})};
  for (const char* name : {"eager", "static", "replay", "static+replay"}) {
    const auto executor = makeExecutor(name, fixture.backend(), program);
    executor->call(inputs);
    fixture.backend().synchronize();
    const DoubleCounts before = cudaDouble().counts;
    const std::uint64_t countedBefore = fixture.backend().launches();
    executor->call(inputs);
    fixture.backend().synchronize();
    const std::uint64_t counted = fixture.backend().launches() - countedBefore;
    EXPECT_EQ(cudaDouble().counts.kernelsRun - before.kernelsRun, counted) << name;
    const bool replays = std::string(name).find("replay") != std::string::npos;
    EXPECT_EQ(cudaDouble().counts.launches - before.launches, replays ? 0 : counted) << name;
    EXPECT_EQ(cudaDouble().counts.graphLaunches - before.graphLaunches, replays ? 1u : 0u) << name;
  }
}

TEST_F(CudaBackend, ACallThatIsWarmAsksTheDriverForNoMemory) {
  EngineFixture fixture;
  const std::vector<Tensor> inputs{fixture.random({300})};
  for (const auto& name : executorsOn(fixture.backend())) {
    const auto executor = makeExecutor(name.name, fixture.backend(),
                                       firstStatements(parseProgram(studyProgram()), 8));
    executor->call(inputs);
    executor->call(inputs);
    const std::uint64_t before = cudaDouble().counts.allocations;
    for (int i = 0; i < 5; ++i) executor->call(inputs);
    EXPECT_EQ(cudaDouble().counts.allocations, before) << name.name;
  }
}

TEST_F(CudaBackend, WorksWithoutTheDriversMemoryPools) {
  for (const bool supported : {true, false}) {
    cudaDouble().faults.noMemoryPools = !supported;
    CudaOptions options = onDouble();
    options.driverPool = !supported;  // once refused by us, once by the device
    EngineFixture fixture(makeCudaBackend(options));
    const Tensor x = fixture.tensor({3}, {1, 2, 3});
    for (const auto& name : executorsOn(fixture.backend()))
      EXPECT_EQ(EngineFixture::values(
                    fixture.run(std::string(name.name), "return (x + 1).sum()", {x})[0]),
                std::vector<double>{9})
          << name.name;
  }
}

TEST_F(CudaBackend, AMemoryPoolTellsWhatItHoldsAndGivesItBack) {
  const auto driver = cuda::Driver::open(fusebench::test::cudaDoublePath());
  const auto device =
      std::make_shared<const cuda::Device>(driver, cuda::listDevices(*driver).front());
  cuda::Stream stream = nullptr;
  device->use();
  driver->streamCreate(&stream, cuda::kStreamNonBlocking);
  for (const bool driverPool : {true, false}) {
    cuda::MemoryPool pool(device, stream, driverPool);
    EXPECT_EQ(pool.usesDriverPool(), driverPool);
    {
      const BlockRef a(pool.allocate(1000)), b(pool.allocate(5000));
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(a.get()->data) % 64, 0u);
      EXPECT_EQ(pool.statistics().currentBytes, 6000u);
      EXPECT_EQ(pool.statistics().blockBytes, a.get()->bytes + b.get()->bytes);
      EXPECT_EQ(pool.reservedBytes(), pool.statistics().heldBytes);
    }
    EXPECT_EQ(pool.statistics().currentBytes, 0u);
    EXPECT_GT(pool.statistics().heldBytes, 6000u);
    EXPECT_EQ(cudaDouble().liveBlocks(), 2u);
    pool.trim();
    EXPECT_EQ(pool.statistics().heldBytes, 0u);
    EXPECT_GE(device->memory().total, device->memory().free);
  }
  driver->streamDestroy(stream);
}

TEST_F(CudaBackend, CopiesFromPinnedMemoryAreDoneWhenTheStreamIs) {
  const auto driver = cuda::Driver::open(fusebench::test::cudaDoublePath());
  const auto device =
      std::make_shared<const cuda::Device>(driver, cuda::listDevices(*driver).front());
  cuda::Stream stream = nullptr;
  device->use();
  driver->streamCreate(&stream, cuda::kStreamNonBlocking);
  {
    cuda::MemoryPool pool(device, stream);
    const BlockRef block(pool.allocate(16));
    const auto address = reinterpret_cast<cuda::DevicePointer>(block.get()->data);
    const cuda::PinnedBuffer from(device, 16), to(device, 16);
    EXPECT_EQ(from.bytes(), 16u);
    std::memset(from.data(), 1, 16);
    std::memset(to.data(), 9, 16);
    driver->memcpyHtoDAsync(address, from.data(), 16, stream);
    driver->memcpyDtoHAsync(to.data(), address, 16, stream);
    EXPECT_EQ(static_cast<unsigned char*>(to.data())[0], 9);
    driver->streamSynchronize(stream);
    EXPECT_EQ(static_cast<unsigned char*>(to.data())[15], 1);
  }
  driver->streamDestroy(stream);
}

TEST_F(CudaBackend, LargeCopiesGoThroughPinnedMemoryInParts) {
  EngineFixture fixture;
  Backend& backend = fixture.backend();
  // Three parts, the last not full, and one element on either side of where staging begins.
  constexpr std::int64_t kPart = cuda::StagedCopies::kBytes / sizeof(float);
  for (const std::int64_t elements : {kPart - 1, kPart, kPart + 1, 2 * kPart + 77}) {
    std::vector<float> values(static_cast<std::size_t>(elements));
    std::iota(values.begin(), values.end(), 1.0F);
    const std::size_t bytes = values.size() * sizeof(float);
    const Tensor x = makeTensor(backend.allocator(), DType::float32, Shape{elements});
    backend.copyIn(x, values.data(), bytes);
    // Earlier work on the device is complete before its result is copied out.
    const auto y = fixture.run("static", "return x * 2", {x})[0];
    std::vector<float> got(values.size());
    backend.copyOut(got.data(), y, bytes);
    for (float& value : values) value *= 2;
    EXPECT_TRUE(got == values) << elements;
  }
}

TEST_F(CudaBackend, KernelsComeFromMemoryThenFromDiskThenFromTheCompiler) {
  const TemporaryFolder folder;
  CudaOptions options = onDouble();
  options.cacheDirectory = folder.string();
  options.diskCache = true;
  const auto compile = [&](Backend& backend) {
    EngineFixture other;
    CompileTimes times;
    const auto kernels =
        other.executor("static", "return x * 3.5 - 1")->kernels(std::vector{other.random({5})});
    backend.compile(kernels[0], times);
    return times;
  };
  {
    const auto backend = makeCudaBackend(options);
    CompileTimes times = compile(*backend);
    EXPECT_EQ(times.kernels, 1);
    EXPECT_EQ(times.fromDisk + times.fromMemory, 0);
    EXPECT_GT(times.compiler, 0);
    EXPECT_EQ(compile(*backend).fromMemory, 1);
    backend->forgetKernels();
    times = compile(*backend);
    EXPECT_EQ(times.fromDisk, 1);
    EXPECT_EQ(times.compiler, 0);
    EXPECT_GT(times.load, 0);
    backend->forgetKernels();
    backend->useDiskCache(false);
    EXPECT_GT(compile(*backend).compiler, 0);
  }
  const std::uint64_t before = cudaDouble().counts.compilations;
  EXPECT_EQ(compile(*makeCudaBackend(options)).fromDisk, 1);
  EXPECT_EQ(cudaDouble().counts.compilations, before);
}

TEST_F(CudaBackend, SeveralKernelsAreCompiledTogetherAndEachIsCounted) {
  EngineFixture fixture;
  const auto executor = fixture.executor("static",
                                         "m = x.amax(0, keepdim=True)\ne = torch.exp(x - m)\n"
                                         "return e / e.sum(0, keepdim=True)");
  const Tensor x = fixture.random({3, 9});
  const auto kernels = executor->kernels(std::vector{x});
  ASSERT_EQ(kernels.size(), 3u);
  const std::vector<const Kernel*> all = {&kernels[0], &kernels[1], &kernels[2], &kernels[1]};
  CompileTimes times;
  const auto made = fixture.backend().compileAll(all, times);
  EXPECT_EQ(times.kernels, 4);
  EXPECT_EQ(times.fromMemory, 1);
  EXPECT_EQ(cudaDouble().counts.compilations, 3u);
  EXPECT_EQ(made[1], made[3]);
  EXPECT_NE(made[0], made[1]);
  EXPECT_GT(times.compiler, 0);
  const auto expected =
      evaluateReference(parseProgram("m = x.amax(0, keepdim=True)\ne = torch.exp(x - m)\n"
                                     "return e / e.sum(0, keepdim=True)"),
                        {{EngineFixture::reference(x)}});
  EXPECT_LT(relativeError(expected[0], EngineFixture::values(executor->call(std::vector{x})[0])),
            1e-6);
}

TEST_F(CudaBackend, PtxServesADeviceThatNvrtcDoesNotKnow) {
  cudaDouble().faults.noCubin = true;
  CudaOptions options = onDouble();
  options.nvrtc = unopenedDouble();
  EngineFixture fixture(makeCudaBackend(options));
  EXPECT_EQ(EngineFixture::values(
                fixture.run("static", "return x * 2", {fixture.tensor({2}, {4, 5})})[0]),
            (std::vector<double>{8, 10}));
  EXPECT_EQ(cudaDouble().counts.ptxLoads, 1u);
  // And machine code goes before it where there is some.
  cudaDouble().faults.noCubin = false;
  options.nvrtc = unopenedDouble();
  EngineFixture usual(makeCudaBackend(options));
  usual.run("static", "return x * 3", {usual.tensor({2}, {4, 5})});
  EXPECT_EQ(cudaDouble().counts.ptxLoads, 1u);
}

TEST_F(CudaBackend, NvrtcOf12ServesBesideOneOf13) {
  const auto newer = makeCudaBackend(onDouble());
  EngineFixture fixture(backendWithNvrtc("12.4"));
  EXPECT_NE(fixture.backend().description().find("NVRTC 12.4"), std::string::npos);
  EXPECT_NE(newer->description().find("NVRTC 13.99"), std::string::npos);
  EXPECT_EQ(EngineFixture::values(
                fixture.run("static", "return x * 2", {fixture.tensor({2}, {4, 5})})[0]),
            (std::vector<double>{8, 10}));
}

TEST_F(CudaBackend, ForgottenKernelsThatAreInUseStayValidAndAreUnloadedLater) {
  EngineFixture fixture;
  const Tensor x = fixture.tensor({2}, {1, 2});
  const std::uint64_t before = cudaDouble().liveObjects();
  {
    const auto executor = fixture.executor("static", "return x + 41");
    executor->call(std::vector{x});
    fixture.backend().forgetKernels();
    EXPECT_EQ(EngineFixture::values(executor->call(std::vector{x})[0]),
              (std::vector<double>{42, 43}));
    EXPECT_EQ(cudaDouble().liveObjects(), before + 1);
  }
  fixture.backend().synchronize();
  EXPECT_EQ(cudaDouble().liveObjects(), before);
}

TEST_F(CudaBackend, DevicesAreKeptApart) {
  EngineFixture first(makeCudaBackend(onDouble("cuda:0")));
  EngineFixture second(makeCudaBackend(onDouble("cuda:1")));
  expectApart(first, second);
  const Tensor held = first.tensor({3}, {1, 2, 3});
  EXPECT_NE(first.backend().allocator().statistics().currentBytes, 0u);
  EXPECT_EQ(second.backend().allocator().statistics().currentBytes, 0u);
}

/// The double's clock knows what everything costs, so the times are known.
TEST_F(CudaBackend, TimersShowTheDevicesTime) {
  EngineFixture fixture;
  DoubleCosts& costs = cudaDouble().costs;
  costs = {.launch = 1000, .graphLaunch = 5000, .synchronize = 0, .kernel = 3000, .graphNode = 700};
  const std::vector<Tensor> inputs{fixture.random({8})};
  const Program program = firstStatements(parseProgram(studyProgram()), 10);
  const auto timed = [&](const char* name, int calls) {
    const auto executor = makeExecutor(name, fixture.backend(), program);
    executor->call(inputs);
    fixture.backend().synchronize();
    const auto timer = fixture.backend().makeTimer();
    const std::uint64_t before = fixture.backend().launches();
    timer->start();
    for (int i = 0; i < calls; ++i) executor->call(inputs);
    timer->stop();
    EXPECT_EQ(fixture.backend().launches() - before,
              calls * (std::string(name) == "static" ? 1u : 12u))
        << name;
    return timer->nanoseconds();
  };
  // The host enqueues faster than the device works, which is never idle after its first launch.
  EXPECT_NEAR(timed("eager", 1), 1000 + 12 * 3000, 1);
  EXPECT_NEAR(timed("eager", 5), 1000 + 60 * 3000, 1);
  EXPECT_NEAR(timed("static", 5), 1000 + 5 * 3000, 1);
  // Graphs are shorter on the device than on the host, of which each takes 5,000 after a copy.
  EXPECT_NEAR(timed("replay", 1), 5000 + 12 * 700, 1);
  // A host that is slower than the device decides by itself.
  costs.launch = 8000;
  EXPECT_NEAR(timed("eager", 1), 12 * 8000 + 3000, 1);
  costs.perThread = 10;  // a slow device
  EXPECT_GT(timed("eager", 1), 12 * 8000 + 3000 + 8 * 10);
}

TEST_F(CudaBackend, WhatIsPooledCountsAsAvailable) {
  EngineFixture fixture;
  const auto available = [&] { return fixture.backend().availableBytes().value(); };
  const std::uint64_t before = available();
  EXPECT_LE(before, std::uint64_t{1} << 30);
  {
    const Tensor held = makeTensor(fixture.backend().allocator(), DType::float32, {1 << 20});
    EXPECT_EQ(available(), before - (4u << 20));
  }
  EXPECT_EQ(available(), before);
}

TEST_F(CudaBackend, FlushingTheCacheIsWorkInTheQueueAndKeepsOneBuffer) {
  EngineFixture fixture;
  fixture.backend().flushCaches();
  const std::size_t held = fixture.backend().allocator().statistics().currentBytes;
  EXPECT_GE(held, std::size_t{2} << 20);
  fixture.backend().flushCaches();
  EXPECT_EQ(fixture.backend().allocator().statistics().currentBytes, held);
  EXPECT_EQ(cudaDouble().pendingOperations(), 2u);
  fixture.backend().synchronize();
}

TEST_F(CudaBackend, NothingButLaunchesIsAllowedWhileRecording) {
  EngineFixture fixture;
  const Tensor x = fixture.tensor({2}, {1, 2});
  float host[2] = {};
  fixture.backend().beginCapture();
  EXPECT_THROW(fixture.backend().synchronize(), std::logic_error);
  EXPECT_THROW(fixture.backend().copyIn(x, host, sizeof host), std::logic_error);
  EXPECT_THROW(fixture.backend().copyOut(host, x, sizeof host), std::logic_error);
  EXPECT_THROW(fixture.backend().flushCaches(), std::logic_error);
  fixture.backend().abandonCapture();
  EXPECT_EQ(EngineFixture::values(x), (std::vector<double>{1, 2}));
}

TEST_F(CudaBackend, ShowsTheSourceThatItCompiles) {
  EngineFixture fixture;
  const auto kernels =
      fixture.executor("static", "return torch.sin(x)")->kernels(std::vector{fixture.random({4})});
  const auto code = fixture.backend().code(kernels[0]);
  ASSERT_GE(code.size(), 3u);
  EXPECT_EQ(code.front().language, "cuda");
  EXPECT_EQ(code[1].language, "ptx");
  EXPECT_EQ(code.back().language, "resources");  // before it machine code, with a disassembler
  EXPECT_NE(code[0].text.find("__global__"), std::string::npos);
  EXPECT_NE(code[0].text.find("sinf("), std::string::npos);
}

}  // namespace
}  // namespace fusebench::test

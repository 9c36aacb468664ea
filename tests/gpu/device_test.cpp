// SPDX-License-Identifier: GPL-3.0-or-later
// A real driver: its memory, its queue, its graphs, and several devices.
#include <cmath>
#include <cstring>

#include "engine/cuda/driver/device.h"
#include "engine/cuda/driver/nvrtc.h"
#include "engine/cuda/runtime/memory_pool.h"
#include "tests/engine/support/backend_checks.h"
#include "tests/gpu/gpu.h"

namespace fusebench {
namespace {

TEST(GpuDevice, IsChosenByIndexAndByUuid) {
  const auto driver = cuda::Driver::open();
  for (const cuda::DeviceInfo& device : cuda::listDevices(*driver)) {
    const auto byIndex = makeCudaBackend(testOptions("cuda:" + std::to_string(device.index)));
    const auto byUuid = makeCudaBackend(testOptions(device.uuid));
    EXPECT_EQ(byIndex->description(), byUuid->description());
    EXPECT_GT(device.l2Bytes, 0u);
  }
}

TEST(GpuDevice, SeveralAreKeptApart) {
  const auto driver = cuda::Driver::open();
  if (cuda::listDevices(*driver).size() < 2) GTEST_SKIP() << "this takes two GPUs";
  EngineFixture first(makeCudaBackend(testOptions("cuda:0")));
  EngineFixture second(makeCudaBackend(testOptions("cuda:1")));
  test::expectApart(first, second);
}

TEST(GpuMemory, IsPooledAndGivenBack) {
  const auto driver = cuda::Driver::open();
  const auto device =
      std::make_shared<const cuda::Device>(driver, cuda::listDevices(*driver).front());
  cuda::Stream stream = nullptr;
  device->use();
  driver->streamCreate(&stream, cuda::kStreamNonBlocking);
  for (const bool driverPool : {true, false}) {
    cuda::MemoryPool pool(device, stream, driverPool);
    {
      const BlockRef a(pool.allocate(1000)), b(pool.allocate(std::size_t{5} << 20));
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(a.get()->data) % 64, 0u);
      EXPECT_EQ(pool.statistics().currentBytes, 1000 + (std::size_t{5} << 20));
      EXPECT_EQ(pool.statistics().blockBytes, a.get()->bytes + b.get()->bytes);
      EXPECT_GE(pool.reservedBytes(), pool.statistics().heldBytes);
    }
    EXPECT_EQ(pool.statistics().currentBytes, 0u);
    EXPECT_GT(pool.statistics().heldBytes, std::size_t{5} << 20);
    pool.trim();
    EXPECT_EQ(pool.statistics().heldBytes, 0u);
  }
  driver->streamDestroy(stream);
}

TEST(GpuMemory, TooMuchIsRefusedAndNothingIsSpoilt) {
  EngineFixture fixture;
  const std::uint64_t all = fixture.backend().availableBytes().value();
  EXPECT_THROW(BlockRef(fixture.backend().allocator().allocate(4 * all)), std::bad_alloc);
  EXPECT_EQ(
      EngineFixture::values(fixture.run("eager", "return x * 2", {fixture.tensor({2}, {4, 5})})[0]),
      (std::vector<double>{8, 10}));
}

TEST(GpuMemory, ACallThatIsWarmTakesNoMoreOfIt) {
  EngineFixture fixture;
  const std::vector<Tensor> inputs{fixture.random({300})};
  for (const auto& name : executorsOn(fixture.backend())) {
    const auto executor = makeExecutor(name.name, fixture.backend(),
                                       firstStatements(parseProgram(studyProgram()), 8));
    executor->call(inputs);
    executor->call(inputs);
    fixture.backend().synchronize();
    const auto before = fixture.backend().allocator().statistics().systemAllocations;
    for (int i = 0; i < 5; ++i) executor->call(inputs);
    fixture.backend().synchronize();
    EXPECT_EQ(fixture.backend().allocator().statistics().systemAllocations, before) << name.name;
  }
}

TEST(GpuCompiler, PtxServesAsWellAsMachineCode) {
  const auto nvrtc = cuda::Nvrtc::open();
  const auto driver = cuda::Driver::open();
  const cuda::DeviceInfo device = cuda::listDevices(*driver).front();
  const auto target = nvrtc->targetFor(device.major, device.minor);
  ASSERT_TRUE(target);
  const auto code = nvrtc->compile("extern \"C\" __global__ void nothing() {}\n", "nothing",
                                   *target, cuda::compileOptions({}));
  EXPECT_FALSE(code.bytes.empty());
}

TEST(GpuGraphs, AreReplayedManyTimesWithOtherInputs) {
  EngineFixture fixture;
  const Program program = firstStatements(parseProgram(studyProgram()), 30);
  const auto eager = makeExecutor("eager", fixture.backend(), program);
  const auto replay = makeExecutor("replay", fixture.backend(), program);
  const auto fused = makeExecutor("static+replay", fixture.backend(), program);
  for (unsigned seed = 1; seed <= 20; ++seed) {
    const std::vector<Tensor> inputs{fixture.random({8, 16 + seed % 3}, seed)};
    const auto expected = EngineFixture::values(eager->call(inputs)[0]);
    EXPECT_EQ(EngineFixture::values(replay->call(inputs)[0]), expected) << seed;
    EXPECT_NEAR(EngineFixture::values(fused->call(inputs)[0])[0], expected[0],
                1e-4 * std::abs(expected[0]))
        << seed;
  }
}

}  // namespace
}  // namespace fusebench

// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/sim/sim_backend.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

#include "engine/base/ticks.h"
#include "engine/cpu/runtime/cpu_backend.h"
#include "engine/language/parser.h"
#include "engine/plan/quantize.h"
#include "engine/run/executor.h"

namespace fusebench {
namespace {

SimOptions simOptions(bool drivesClock = false) {
  SimOptions options;
  options.title = "test";
  options.drivesClock = drivesClock;
  sim::Parameters& device = options.parameters;
  device.launch = 1000;
  device.wait = 100;
  device.event = 10;
  device.queueDepth = 1024;
  device.kernelFloor = 2000;
  device.graphLaunch = 5000;
  device.memoryBytes = 1 << 30;
  device.cacheBytes = 1 << 20;
  device.compile = 1'000'000;
  device.compileOp = 1000;
  device.float32Rate = device.specialRate = 1e6;
  device.bandwidth = device.cacheBandwidth = 1e6;
  return options;
}

Tensor filled(Backend& backend, const Shape& shape) {
  Tensor tensor = makeTensor(backend.allocator(), DType::float32, shape);
  std::vector<float> values;
  for (std::int64_t i = 0; i < elementCount(shape); ++i)
    values.push_back(static_cast<float>(std::sin(0.37 * static_cast<double>(i))));
  backend.copyIn(tensor, values.data(), values.size() * sizeof(float));
  return tensor;
}

float firstOf(Backend& backend, const Tensor& tensor) {
  float value = 0;
  backend.copyOut(&value, tensor, sizeof value);
  return value;
}

const char* const kSimulated = "x = x + 1\nx = torch.sin(x)\nreturn x.sum()\n";

TEST(SimBackend, ComputesWhatIsPreparedOnceAlsoWhileCallsComputeNothing) {
  const auto backend = makeSimBackend(simOptions(), makeCpuBackend());
  const Program program = parseProgram(
      "class Layer(nn.Module):\n"
      "    def __init__(self):\n"
      "        super().__init__()\n"
      "        self.layer = nn.Linear(48, 64)\n"
      "    def forward(self, x):\n"
      "        return self.layer(x)\n");
  const std::vector<Tensor> inputs = {filled(*backend, {10, 48}), filled(*backend, {64, 48}),
                                      filled(*backend, {64})};
  ASSERT_EQ(program.inputs.size(), inputs.size());
  std::vector<ValueType> types;
  for (const Tensor& input : inputs) types.push_back({input.shape, input.dtype});
  const Program made = quantized(program, types, Quantizing::dynamicInt8);
  const auto lastOf = [&](bool computesFirst) {
    const auto executor = makePreparedExecutor("static", *backend, made);
    backend->setComputing(computesFirst);
    executor->call(inputs);
    EXPECT_EQ(backend->isComputing(), computesFirst);
    backend->setComputing(true);
    const Tensor result = executor->call(inputs)[0];
    backend->synchronize();
    std::vector<float> values(640);
    backend->copyOut(values.data(), result, sizeof(float) * values.size());
    return values;
  };
  // In this order: memory that was computed in is given to the next one as it is.
  const std::vector<float> got = lastOf(false);
  const std::vector<float> expected = lastOf(true);
  EXPECT_GT(*std::ranges::max_element(expected), 1.0f);
  EXPECT_EQ(got, expected);
}

/// The model knows of no product that does more than its own work.
TEST(SimBackend, LaunchesWhatReadsAProductByItself) {
  const auto backend = makeSimBackend(simOptions(), makeCpuBackend());
  EXPECT_EQ(backend->traits().takesTails, Tails::none);
  const std::vector<Tensor> inputs = {filled(*backend, {4, 8}), filled(*backend, {8, 6})};
  EXPECT_EQ(makeExecutor("static", *backend, parseProgram("def f(x, y):\n  return F.relu(x @ y)"))
                ->plan(inputs)
                .steps.size(),
            2u);
}

TEST(SimBackend, EveryExecutorGivesTheProcessorsValues) {
  const auto cpu = makeCpuBackend();
  const auto sim = makeSimBackend(simOptions(), makeCpuBackend());
  for (const char* name : {"eager", "static", "dynamic", "instant", "replay", "static+replay"}) {
    const auto ours = makeExecutor(name, *sim, parseProgram(kSimulated));
    const auto theirs = makeExecutor(name, *cpu, parseProgram(kSimulated));
    const std::vector<Tensor> here{filled(*sim, {8, 16})}, there{filled(*cpu, {8, 16})};
    for (int call = 0; call < 3; ++call)
      EXPECT_EQ(firstOf(*sim, ours->call(here)[0]), firstOf(*cpu, theirs->call(there)[0])) << name;
  }
}

/// A matmul by a library costs the host more than a launch. Operands with gaps are copied first,
/// with a launch each; small matmuls of such operands use loops and do not call the library.
TEST(SimBackend, ProductsAreALibrarysUnlessItsOperandsLieApart) {
  SimOptions options = simOptions();
  options.parameters.libraryCall = 7000;
  options.parameters.contractRate = 1e6;
  options.parameters.loopProduct = 100;
  options.parameters.loopRate = 1e6;
  struct Took {
    double host = 0, all = 0;
  };
  const auto timed = [&](std::int64_t step, const char* text, std::int64_t n = 64) {
    const auto sim = makeSimBackend(options, nullptr);
    Tensor x = makeTensor(sim->allocator(), DType::float32, {n, n * step});
    x.shape = {n, n};
    x.strides = {n * step, step};
    const std::vector<Tensor> inputs{x};
    const auto executor = makeExecutor("eager", *sim, parseProgram(text));
    executor->call(inputs);
    sim->synchronize();
    const double begin = sim->now();
    executor->call(inputs);
    const double host = sim->now() - begin;
    sim->synchronize();
    return Took{host, sim->now() - begin};
  };
  const Took library = timed(1, "return x @ x\n"), copied = timed(2, "return x @ x\n"),
             loops = timed(2, "return x @ x\n", 32);
  EXPECT_NEAR(library.host, 1000 + 7000, 60);
  EXPECT_NEAR(library.all, 1000 + 7000 + 2000 + 100, 60);
  EXPECT_NEAR(loops.host, 1000, 60);
  EXPECT_NEAR(loops.all, 1000 + 2000 + 32 * 100 + 100, 60) << "a thread adds 32 products up";
  EXPECT_NEAR(copied.host, 3 * 1000 + 7000, 60) << "both operands";
  EXPECT_NEAR(copied.all, library.all + 2 * (1000 + 2000), 200);
  options.parameters.loopProduct = 0;  // nothing is known of them: a library takes all
  EXPECT_NEAR(timed(2, "return x @ x\n").host, 1000 + 7000, 60);
}

TEST(SimBackend, CallsTakeWhatTheDeviceSays) {
  const auto sim = makeSimBackend(simOptions(), nullptr);
  const std::vector<Tensor> inputs{filled(*sim, {8, 16})};
  const auto timed = [&](const char* name, int calls) {
    const auto executor = makeExecutor(name, *sim, parseProgram(kSimulated));
    executor->call(inputs);
    sim->synchronize();
    const double begin = sim->now();
    for (int call = 0; call < calls; ++call) executor->call(inputs);
    sim->synchronize();
    return sim->now() - begin;
  };
  // Kernels take 2 us and a little, launches one: three kernels a call, or one.
  EXPECT_NEAR(timed("eager", 10), 1000 + 30 * 2000 + 100, 60);
  EXPECT_NEAR(timed("static", 10), 1000 + 10 * 2000 + 100, 60);
  EXPECT_NEAR(timed("replay", 1), 5000 + 3 * 2000 + 100, 60);
}

TEST(SimBackend, VirtualTimeIsTheProcessesClockWhileItLives) {
  {
    const auto sim = makeSimBackend(simOptions(/*drivesClock=*/true), nullptr);
    const std::int64_t before = steadyNanoseconds();
    EXPECT_EQ(steadyNanoseconds(), before);
    sim->launch(*sim->emptyKernel(), {});
    sim->synchronize();
    EXPECT_EQ(steadyNanoseconds() - before, 1000 + 2000 + 100);
    EXPECT_EQ(ticksPerNanosecond(), 1);
    EXPECT_THROW(makeSimBackend(simOptions(true), nullptr), std::logic_error);
  }
  const std::int64_t before = steadyNanoseconds();
  while (steadyNanoseconds() == before) continue;
}

TEST(SimBackend, CompilingTakesVirtualTimeOnceAndIsFoundAgain) {
  const auto sim = makeSimBackend(simOptions(), nullptr);
  const std::vector<Tensor> inputs{filled(*sim, {8, 16})};
  const auto compiled = [&] {
    const auto executor = makeExecutor("static", *sim, parseProgram(kSimulated));
    executor->call(inputs);
    return executor->statistics().compiles.front().times;
  };
  EXPECT_EQ(compiled().compiler, 1'000'000 + 3 * 1000);
  EXPECT_EQ(compiled().fromMemory, 1);
  sim->forgetKernels();
  EXPECT_EQ(compiled().fromDisk, 1);
}

TEST(SimBackend, ItsCollectorTellsOfEveryLaunchAndNodeInOrder) {
  const auto sim = makeSimBackend(simOptions(), nullptr);
  const std::vector<Tensor> inputs{filled(*sim, {8, 16})};
  const auto eager = makeExecutor("eager", *sim, parseProgram(kSimulated));
  const auto replay = makeExecutor("replay", *sim, parseProgram(kSimulated));
  eager->call(inputs);
  replay->call(inputs);
  sim->synchronize();
  DeviceCollector& collector = *sim->collector();
  collector.begin();
  eager->call(inputs);
  replay->call(inputs);
  sim->synchronize();
  const Activities seen = collector.end().activities;
  std::vector<std::string> names;
  std::uint64_t end = 0;
  for (const DeviceWork& work : seen.work) {
    if (work.kind == DeviceWork::Kind::kernel) names.push_back(work.name);
    EXPECT_GE(work.start, end);
    end = work.end;
  }
  EXPECT_EQ(names, (std::vector<std::string>{"add", "sin", "sum", "add", "sin", "sum"}));
  ASSERT_EQ(seen.work.size(), 7u);  // and the copy of the input
  EXPECT_NE(seen.work.back().graph, 0u);
  EXPECT_EQ(seen.work.back().graphNode, 3u);
  EXPECT_EQ(seen.losses.total(), 0u);
}

TEST(SimBackend, ValuesAreLeftOutWhereNobodyWantsThem) {
  const auto sim = makeSimBackend(simOptions(), makeCpuBackend());
  const auto executor = makeExecutor("static", *sim, parseProgram("return x + 1\n"));
  const std::vector<Tensor> inputs{filled(*sim, {4})};
  EXPECT_EQ(firstOf(*sim, executor->call(inputs)[0]), 1);
  const std::vector<Tensor> others{filled(*sim, {4})};
  const float ten[4] = {10, 10, 10, 10};
  sim->copyIn(others[0], ten, sizeof ten);
  sim->setComputing(false);
  EXPECT_NE(firstOf(*sim, executor->call(others)[0]), 11);
  sim->setComputing(true);
  EXPECT_EQ(firstOf(*sim, executor->call(others)[0]), 11);
}

/// Three launches where the sum is positive, and two where it is not.
const char* const kChoosing =
    "def f(x):\n    if x.sum() > 0:\n        y = torch.sin(x)\n        y = torch.exp(y)\n"
    "        y = torch.cos(y)\n    else:\n        y = torch.exp(x)\n        y = y @ y\n"
    "    return y\n";

Tensor constant(Backend& backend, float value) {
  Tensor tensor = makeTensor(backend.allocator(), DType::float32, {4, 4});
  const std::vector<float> values(16, value);
  backend.copyIn(tensor, values.data(), values.size() * sizeof(float));
  return tensor;
}

TEST(SimBackend, AProgramThatChoosesGoesTheWayOfItsValues) {
  const auto cpu = makeCpuBackend();
  const auto sim = makeSimBackend(simOptions(), makeCpuBackend());
  ExecutorOptions options;
  options.graphBreaks = true;
  for (const ExecutorInfo& info : executorsOn(*sim)) {
    const auto ours = makeExecutor(info.name, *sim, parseProgram(kChoosing), options);
    const auto theirs = makeExecutor(info.name, *cpu, parseProgram(kChoosing), options);
    for (const float value : {0.5F, -0.5F, 0.5F})
      EXPECT_EQ(firstOf(*sim, ours->call(std::vector{constant(*sim, value)})[0]),
                firstOf(*cpu, theirs->call(std::vector{constant(*cpu, value)})[0]))
          << info.name << " of " << value;
  }
}

TEST(SimBackend, AChoiceTakesAsLongWhereNothingIsComputed) {
  const auto sim = makeSimBackend(simOptions(), makeCpuBackend());
  ExecutorOptions options;
  options.graphBreaks = true;
  for (const char* name : {"eager", "static", "static+replay"}) {
    const auto executor = makeExecutor(name, *sim, parseProgram(kChoosing), options);
    std::uint64_t most = 0;
    const std::vector<Tensor> positive{constant(*sim, 0.5F)}, negative{constant(*sim, -0.5F)};
    for (const auto& inputs : {positive, negative}) {
      const float value = firstOf(*sim, inputs[0]);
      const auto taken = [&] {
        sim->synchronize();
        const double begin = sim->now();
        const std::uint64_t launches = sim->launches();
        executor->call(inputs);
        sim->synchronize();
        most = std::max(most, sim->launches() - launches);
        return std::pair(sim->now() - begin, sim->launches() - launches);
      };
      for (int call = 0; call < 3; ++call) executor->call(inputs);
      const auto [computed, launches] = taken();
      sim->setComputing(false);
      executor->call(inputs);
      const auto [known, same] = taken();
      sim->setComputing(true);
      EXPECT_NEAR(known, computed, 1e-6 * computed) << name << " of " << value;
      EXPECT_EQ(same, launches) << name << " of " << value;
    }
    EXPECT_GE(most, 3u) << name;
  }
}

TEST(SimBackend, AChoiceIsByWhatInputsHoldAndNotByWhereTheyLie) {
  const auto sim = makeSimBackend(simOptions(), makeCpuBackend());
  ExecutorOptions options;
  options.graphBreaks = true;
  const auto executor = makeExecutor("eager", *sim, parseProgram(kChoosing), options);
  sim->setComputing(false);
  const std::vector<Tensor> inputs{constant(*sim, 0.5F)};
  const auto launchesOf = [&](float value) {
    const std::vector<float> values(16, value);
    sim->copyIn(inputs[0], values.data(), values.size() * sizeof(float));
    const std::uint64_t before = sim->launches();
    executor->call(inputs);
    return sim->launches() - before;
  };
  const std::uint64_t positive = launchesOf(0.5F), negative = launchesOf(-0.5F);
  EXPECT_NE(positive, negative);
  EXPECT_EQ(launchesOf(0.5F), positive);
  EXPECT_EQ(launchesOf(-0.25F), negative);
  EXPECT_FALSE(sim->isComputing());
}

TEST(SimBackend, WhatIsNotComputedIsNotChecked) {
  const auto sim = makeSimBackend(simOptions(), makeCpuBackend());
  const char* const text = "def f(x):\n    y = x + 1\n    assert (y > 0).all()\n    return y * 2\n";
  for (const char* name : {"eager", "static", "replay"}) {
    const auto executor = makeExecutor(name, *sim, parseProgram(text));
    const std::vector<Tensor> right{constant(*sim, 1)}, wrong{constant(*sim, -3)};
    executor->call(right);
    EXPECT_THROW(executor->call(wrong), ProgramError) << name;
    sim->setComputing(false);
    EXPECT_NO_THROW(executor->call(right)) << name;
    EXPECT_NO_THROW(executor->call(wrong)) << name;
    sim->setComputing(true);
  }
  const auto nobody = makeSimBackend(simOptions(), nullptr);
  EXPECT_NO_THROW(
      makeExecutor("static", *nobody, parseProgram(text))->call(std::vector{constant(*nobody, 1)}));
}

TEST(SimBackend, SizesNeedNoMemoryWhereNothingIsComputed) {
  SimOptions options = simOptions();
  options.parameters.bandwidth = 1000;
  const auto sim = makeSimBackend(options, nullptr);
  const std::vector<Tensor> inputs{
      makeTensor(sim->allocator(), DType::float32, {1 << 20, 1 << 16})};  // 256 GiB
  const auto executor = makeExecutor("eager", *sim, parseProgram("return x + 1\n"));
  executor->call(inputs);
  sim->synchronize();
  const double begin = sim->now();
  executor->call(inputs);
  sim->synchronize();
  // Read and written once, at 1000 bytes a nanosecond.
  EXPECT_NEAR(sim->now() - begin, 2 * 4 * 0x1p36 / 1000, 0.01 * 2 * 4 * 0x1p36 / 1000);
}

TEST(SimBackend, ProductsOfMatricesTakeWhatTheirMultiplyAddsDo) {
  SimOptions options = simOptions();
  options.parameters.contractRate = 1000;
  const auto sim = makeSimBackend(options, makeCpuBackend());
  const auto executor = makeExecutor("static", *sim, parseProgram("return x @ y\n"));
  const std::vector<Tensor> inputs{filled(*sim, {512, 512}), filled(*sim, {512, 512})};
  executor->call(inputs);
  sim->synchronize();
  const double begin = sim->now();
  executor->call(inputs);
  sim->synchronize();
  EXPECT_NEAR(sim->now() - begin, 1000 + 2000 + 100 + 512.0 * 512 * 512 / 1000, 1000);
}

/// The time between events of one call that reads and writes 512 KiB, which the last cache holds.
double callNanoseconds(Backend& backend, Executor& executor, const Tensor& x, bool flushed) {
  if (flushed) backend.flushCaches();
  backend.synchronize();
  const auto timer = backend.makeTimer();
  const auto stall = backend.makeStall();
  stall->hold();
  timer->start();
  executor.call({&x, 1});
  timer->stop();
  stall->release();
  const double taken = timer->nanoseconds();
  EXPECT_TRUE(stall->lasted());
  backend.synchronize();
  return taken;
}

TEST(SimBackend, FlushedCachesAreColdForTheNextCallAndNoLonger) {
  SimOptions options = simOptions();
  options.parameters.cacheBandwidth = 1000;
  options.parameters.bandwidth = 100;
  const auto backend = makeSimBackend(options, makeCpuBackend());
  const Program program = parseProgram("return x + 1\n");
  const auto executor = makeExecutor("static", *backend, program);
  const Tensor x = filled(*backend, {256, 256});
  executor->call({&x, 1});
  const double hot = callNanoseconds(*backend, *executor, x, false);
  const double cold = callNanoseconds(*backend, *executor, x, true);
  const double bytes = 2.0 * 256 * 256 * sizeof(float);
  EXPECT_NEAR(cold - hot, bytes / 100 - bytes / 1000, 0.05 * bytes / 100);
  EXPECT_EQ(callNanoseconds(*backend, *executor, x, false), hot);
}

TEST(SimBackend, ADeviceThatIsHeldBackDoesNotWaitForTheHost) {
  const auto backend = makeSimBackend(simOptions(), makeCpuBackend());
  const auto executor = makeExecutor("eager", *backend, parseProgram(kSimulated));
  SimOptions slowHost = simOptions();
  slowHost.parameters.launch = 50'000;
  const auto slow = makeSimBackend(slowHost, makeCpuBackend());
  const auto executorThere = makeExecutor("eager", *slow, parseProgram(kSimulated));
  const Tensor x = filled(*backend, {4, 16}), there = filled(*slow, {4, 16});
  executor->call({&x, 1});
  executorThere->call({&there, 1});
  const double device = callNanoseconds(*backend, *executor, x, false);
  EXPECT_NEAR(device, 3 * 2000, 100);
  EXPECT_EQ(callNanoseconds(*slow, *executorThere, there, false), device);
}

}  // namespace
}  // namespace fusebench

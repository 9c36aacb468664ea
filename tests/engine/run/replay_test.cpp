// SPDX-License-Identifier: GPL-3.0-or-later
// Recording launches and replaying them: the backend's capability, and the executors over it.
#include <random>
#include <stdexcept>
#include <string>

#include "engine/device/private_pool.h"
#include "engine/run/replay.h"
#include "tests/engine/support/engine_fixture.h"

namespace fusebench {
namespace {

const char* const kReplays[] = {"replay", "static+replay"};

/// A kernel that doubles, and how to launch it from one tensor to another.
struct Doubling {
  explicit Doubling(EngineFixture& fixture) : backend(fixture.backend()) {
    const auto executor = fixture.executor("static", "return x * 2");
    CompileTimes times;
    kernel = backend.compile(executor->kernels(std::vector{fixture.random({4})})[0], times);
  }
  void launch(const Tensor& from, const Tensor& to) {
    void* const pointers[] = {from.data(), to.data()};
    backend.launch(*kernel, {pointers, nullptr, nullptr});
  }
  Backend& backend;
  std::shared_ptr<const Executable> kernel;
};

TEST(BackendCapture, RecordsWithoutRunningAndReplaysInOrder) {
  EngineFixture fixture;
  Doubling doubling(fixture);
  const Tensor a = fixture.tensor({4}, {1, 2, 3, 4}), b = fixture.tensor({4}, {0, 0, 0, 0}),
               c = fixture.tensor({4}, {0, 0, 0, 0});
  const std::uint64_t before = fixture.backend().launches();
  fixture.backend().beginCapture();
  doubling.launch(a, b);
  doubling.launch(b, c);
  const auto capture = fixture.backend().endCapture();
  EXPECT_EQ(capture->launches(), 2);
  EXPECT_EQ(fixture.backend().launches(), before);
  EXPECT_EQ(EngineFixture::values(c), (std::vector<double>{0, 0, 0, 0}));
  fixture.backend().replay(*capture);
  EXPECT_EQ(EngineFixture::values(c), (std::vector<double>{4, 8, 12, 16}));
  EXPECT_EQ(fixture.backend().launches(), before + 2);
  // The kernel is the capture's now, whatever becomes of the others.
  doubling.kernel.reset();
  fixture.backend().forgetKernels();
  const float values[] = {5, 6, 7, 8};
  fixture.backend().copyIn(a, values, sizeof values);
  fixture.backend().replay(*capture);
  EXPECT_EQ(EngineFixture::values(c), (std::vector<double>{20, 24, 28, 32}));
}

TEST(BackendCapture, TakesOtherArgumentsForOneLaunch) {
  EngineFixture fixture;
  Doubling doubling(fixture);
  const Tensor a = fixture.tensor({4}, {1, 2, 3, 4}), b = fixture.tensor({4}, {0, 0, 0, 0}),
               other = fixture.tensor({4}, {0, 0, 0, 0});
  fixture.backend().beginCapture();
  doubling.launch(a, b);
  doubling.launch(a, b);
  const auto capture = fixture.backend().endCapture();
  void* const pointers[] = {b.data(), other.data()};
  capture->setArguments(1, {pointers, nullptr, nullptr});
  fixture.backend().replay(*capture);
  EXPECT_EQ(EngineFixture::values(b), (std::vector<double>{2, 4, 6, 8}));
  EXPECT_EQ(EngineFixture::values(other), (std::vector<double>{4, 8, 12, 16}));
}

TEST(BackendCapture, AnAbandonedOneLeavesNothing) {
  EngineFixture fixture;
  Doubling doubling(fixture);
  const Tensor a = fixture.tensor({4}, {1, 2, 3, 4}), b = fixture.tensor({4}, {0, 0, 0, 0});
  const std::size_t before = fixture.backend().allocator().statistics().currentBytes;
  fixture.backend().beginCapture();
  EXPECT_THROW(fixture.backend().beginCapture(), std::logic_error);
  { const Tensor made = makeTensor(fixture.backend().allocator(), DType::float32, {1000}); }
  doubling.launch(a, b);
  fixture.backend().abandonCapture();
  EXPECT_THROW(fixture.backend().endCapture(), std::logic_error);
  EXPECT_EQ(EngineFixture::values(b), (std::vector<double>{0, 0, 0, 0}));
  EXPECT_EQ(fixture.backend().allocator().statistics().currentBytes, before);
  doubling.launch(a, b);
  EXPECT_EQ(EngineFixture::values(b), (std::vector<double>{2, 4, 6, 8}));
}

TEST(PrivatePool, KeepsItsBlocksUntilItIsRetiredAndTheLastIsReleased) {
  EngineFixture fixture;
  Allocator& parent = fixture.backend().allocator();
  const std::size_t before = parent.statistics().currentBytes;
  PrivatePoolOwner pool(new PrivatePool(parent));
  void* first = nullptr;
  {
    const Tensor tensor = makeTensor(*pool, DType::float32, {256});
    first = tensor.data();
  }
  EXPECT_GE(parent.statistics().currentBytes, before + 1024);  // released here, not there
  Tensor again = makeTensor(*pool, DType::float32, {256});
  EXPECT_EQ(again.data(), first);
  const Tensor other = makeTensor(parent, DType::float32, {256});
  EXPECT_NE(other.data(), first);
  { const Tensor more = makeTensor(*pool, DType::float32, {256}); }
  EXPECT_EQ(pool->statistics().systemAllocations, 2u);
  pool.reset();
  EXPECT_EQ(parent.statistics().currentBytes, before + 2 * 1024);  // `again` and `other`
  again = Tensor();
  EXPECT_EQ(parent.statistics().currentBytes, before + 1024);
}

TEST(ReplayExecutors, FollowTheInputsAndDoNotReadThemAfterTheCall) {
  EngineFixture fixture;
  for (const char* name : kReplays) {
    const auto executor = fixture.executor(name, "y = torch.relu(x)\nreturn y + 1, y.sum()");
    const Tensor a = fixture.tensor({4}, {1, -2, 3, -4}), b = fixture.tensor({4}, {-5, 6, 7, 8});
    for (int round = 0; round < 3; ++round) {
      auto got = executor->call(std::vector{a});
      EXPECT_EQ(EngineFixture::values(got[0]), (std::vector<double>{2, 1, 4, 1})) << name;
      EXPECT_EQ(EngineFixture::values(got[1]), (std::vector<double>{4})) << name;
      got = executor->call(std::vector{b});
      EXPECT_EQ(EngineFixture::values(got[0]), (std::vector<double>{1, 7, 8, 9})) << name;
      EXPECT_EQ(EngineFixture::values(got[1]), (std::vector<double>{21})) << name;
    }
    EXPECT_EQ(executor->statistics().compiles.size(), 1u);
    EXPECT_EQ(executor->statistics().calls, 6u);
  }
}

TEST(ReplayExecutors, ReadWhatStaysWhereItLiesAndCopyItOnceItDoesNot) {
  EngineFixture fixture;
  for (const char* name : kReplays) {
    ExecutorOptions options;
    options.stays = {false, true};
    const Program program = parseProgram("def f(x, w):\n  return x * w\n");
    const auto executor = makeExecutor(name, fixture.backend(), program, options);
    const Tensor x = fixture.tensor({2}, {1, 2}), w = fixture.tensor({2}, {3, 5});
    const auto call = [&](const Tensor& weights) {
      return EngineFixture::values(executor->call(std::vector{x, weights})[0]);
    };
    EXPECT_EQ(call(w), (std::vector<double>{3, 10})) << name;
    // The recording sees what is done to the tensor itself.
    fixture.backend().copyWithin(w.data(), fixture.tensor({2}, {7, 7}).data(), 2 * sizeof(float));
    EXPECT_EQ(call(w), (std::vector<double>{7, 14})) << name;
    EXPECT_EQ(executor->statistics().compiles.size(), 1u) << name;
    for (const float other : {2.f, 4.f, 6.f}) {
      EXPECT_EQ(call(fixture.tensor({2}, {other, other})), (std::vector<double>{other, 2 * other}))
          << name;
      EXPECT_EQ(executor->statistics().compiles.size(), 2u) << name;
    }
    EXPECT_EQ(call(w), (std::vector<double>{7, 14})) << name;
    EXPECT_EQ(executor->statistics().compiles.back().reason,
              "input w: not the tensor of all earlier calls");
  }
}

TEST(ReplayExecutors, ResultsOutliveTheExecutorAndItsRecordings) {
  EngineFixture fixture;
  const Tensor x = fixture.tensor({3}, {1, 2, 3});
  const std::size_t before = fixture.backend().allocator().statistics().currentBytes;
  std::vector<Tensor> kept = fixture.run("replay", "return x * 3", {x});
  for (int i = 0; i < 4; ++i) fixture.run("eager", "return x - 100", {x});
  EXPECT_EQ(EngineFixture::values(kept[0]), (std::vector<double>{3, 6, 9}));
  kept.clear();
  EXPECT_EQ(fixture.backend().allocator().statistics().currentBytes, before);
}

TEST(ReplayExecutors, KeepTheLeastRecentlyUsedOutAndSayWhyTheyRecord) {
  EngineFixture fixture;
  for (const char* name : kReplays) {
    const auto executor = fixture.executor(name, "return x + y", {.recordings = 2});
    const auto call = [&](std::int64_t size) {
      const Tensor x = fixture.random({size}, 1), y = fixture.random({size}, 2);
      const auto expected = EngineFixture::values(fixture.run("eager", "return x + y", {x, y})[0]);
      EXPECT_EQ(EngineFixture::values(executor->call(std::vector{x, y})[0]), expected);
      return executor->statistics().compiles.size();
    };
    EXPECT_EQ(call(4), 1u);
    EXPECT_EQ(call(5), 2u);
    EXPECT_EQ(call(4), 2u);
    EXPECT_EQ(call(6), 3u);  // 5 goes
    EXPECT_EQ(call(4), 3u);
    EXPECT_EQ(call(5), 4u);  // 6 goes
    EXPECT_EQ(call(4), 4u);
    const auto& statistics = executor->statistics();
    EXPECT_EQ(statistics.guardFailures, 3u);
    EXPECT_EQ(statistics.compiles[0].reason, "first call");
    EXPECT_EQ(statistics.compiles[1].reason, "input x: (5,) is not recorded");
    for (const CompileEvent& event : statistics.compiles) EXPECT_GT(event.times.capture, 0);
  }
}

TEST(ReplayExecutors, AReplacedRecordingGivesItsMemoryBack) {
  EngineFixture fixture;
  const auto executor =
      fixture.executor("replay", "y = torch.sin(x)\nreturn y * 2", {.recordings = 1});
  std::vector<std::size_t> held;
  for (std::int64_t size : {1024, 2048, 1024, 2048, 1024, 2048}) {
    executor->call(std::vector{fixture.random({size})});
    held.push_back(fixture.backend().allocator().statistics().currentBytes);
  }
  EXPECT_EQ(held[2], held[4]);
  EXPECT_EQ(held[3], held[5]);
}

TEST(ReplayExecutors, StridedBroadcastAndSharedInputs) {
  EngineFixture fixture;
  const std::string text = "y = torch.exp(x * 0.3) * w + b\nreturn y, y.sum(-1), y.amax(0)";
  const Tensor plain = fixture.random({6, 9, 10});
  for (const std::vector<Tensor>& inputs :
       {std::vector{EngineFixture::transposed(plain), fixture.random({9}, 2), plain},
        std::vector{EngineFixture::everySecond(plain), fixture.random({6, 1, 5}, 2),
                    fixture.random({1}, 3)},
        std::vector{plain, plain, plain}}) {
    std::vector<Tensor> fitting = inputs;
    if (inputs[2].shape.rank() == 3 && inputs[0].shape[1] == 10)
      fitting[2] = EngineFixture::transposed(plain);
    const auto eager = fixture.run("eager", text, fitting);
    for (const char* name : kReplays) {
      const auto got = fixture.run(name, text, fitting);
      EXPECT_EQ(EngineFixture::values(got[0]), EngineFixture::values(eager[0])) << name;
      EXPECT_EQ(EngineFixture::values(got[2]), EngineFixture::values(eager[2])) << name;
    }
  }
}

TEST(ReplayExecutors, ARecordingOfACallThatFellBackToEagerCountsAsEager) {
  EngineFixture fixture;
  const auto executor =
      fixture.executor("static+replay", "return (x + 1) * 2", {.recompileLimit = 1});
  const Tensor a = fixture.random({4}), b = fixture.random({5});
  executor->call(std::vector{a});
  executor->call(std::vector{a});
  EXPECT_EQ(executor->statistics().eagerCalls, 0u);
  executor->call(std::vector{b});
  executor->call(std::vector{b});
  EXPECT_EQ(executor->statistics().eagerCalls, 2u);
  const std::uint64_t before = fixture.backend().launches();
  executor->call(std::vector{b});
  EXPECT_EQ(fixture.backend().launches() - before, 2u);
}

TEST(ReplayExecutors, CompileTimesHoldTheInnerCompilesAndTheRecording) {
  EngineFixture fixture;
  const auto executor = fixture.executor("static+replay", "return torch.tan(x) + 1.25");
  executor->call(std::vector{fixture.random({4})});
  const CompileTimes& times = executor->statistics().compiles.at(0).times;
  EXPECT_EQ(times.kernels, 1);
  EXPECT_GT(times.compiler, 0);
  EXPECT_GT(times.capture, 0);
  EXPECT_GT(times.total(), times.capture + times.compiler);
}

}  // namespace
}  // namespace fusebench

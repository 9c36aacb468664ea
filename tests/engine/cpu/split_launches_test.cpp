// SPDX-License-Identifier: GPL-3.0-or-later
// Launches that go in parts, on as many threads as happen to be there.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <thread>

#include "tests/engine/support/engine_fixture.h"

namespace fusebench {
namespace {

struct SplitCase {
  const char *name, *executor, *expression;
  Shape shape;
};

class SplitLaunches : public testing::TestWithParam<SplitCase> {
 protected:
  static std::unique_ptr<EngineFixture> onThreads(int threads) {
    return std::make_unique<EngineFixture>(EngineFixture::withoutDisk(0, 0, threads));
  }
  static std::vector<double> call(EngineFixture& fixture, Executor& executor) {
    return EngineFixture::values(executor.call({{fixture.random(GetParam().shape, 3)}})[0]);
  }
  static std::unique_ptr<Executor> executorOn(EngineFixture& fixture) {
    return fixture.executor(GetParam().executor, std::string("def program(x):\n    return ") +
                                                     GetParam().expression + "\n");
  }
};

TEST_P(SplitLaunches, HaveTheSameBitsWhoeverHelps) {
  const auto fixture = onThreads(2);
  const auto executor = executorOn(*fixture);
  const std::vector<double> first = call(*fixture, *executor);
  for (int i = 0; i < 12; ++i) {
    // After a rest helpers are asleep, and whether they are woken changes from call to call.
    if (i % 3 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    ASSERT_EQ(call(*fixture, *executor), first) << i;
  }
}

TEST_P(SplitLaunches, AreInParts) {
  // What a hand-over costs is measured elsewhere: much where others keep the processors busy.
  CpuOptions options = EngineFixture::withoutDisk(0, 0, 2);
  const auto inParts = [&](double handOver) {
    options.handOver = handOver;
    EngineFixture fixture(options);
    const auto executor = executorOn(fixture);
    call(fixture, *executor);
    Recorder recorder(Recorder::Level::split, 2, 1000);
    const RecorderScope scope(fixture.backend(), &recorder);
    call(fixture, *executor);
    return std::ranges::any_of(recorder.marks(0),
                               [](const Mark& mark) { return mark.part == CallPart::wait; });
  };
  EXPECT_TRUE(inParts(1000));
  EXPECT_FALSE(inParts(1e12));
}

TEST(ThreadNumbers, KeepTheirPoolAndWhatItsHandOverCosts) {
  EngineFixture fixture(EngineFixture::withoutDisk(0, 0, 1));
  Backend& backend = fixture.backend();
  EXPECT_EQ(backend.handOverNanoseconds(), 0);
  backend.setThreads(2);
  const double two = backend.handOverNanoseconds();
  EXPECT_GT(two, 0);
  for (int i = 0; i < 5; ++i) {
    backend.setThreads(3);
    EXPECT_EQ(backend.threads(), 3);
    backend.setThreads(1);
    EXPECT_EQ(backend.threads(), 1);
    EXPECT_EQ(backend.handOverNanoseconds(), 0);
    backend.setThreads(2);
    ASSERT_EQ(backend.handOverNanoseconds(), two) << "measured again";
  }
}

TEST_P(SplitLaunches, AgreeWithOneThread) {
  const auto one = onThreads(1), two = onThreads(2);
  const std::vector<double> expected = call(*one, *executorOn(*one)),
                            found = call(*two, *executorOn(*two));
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i)
    ASSERT_NEAR(found[i], expected[i], 1e-5 * std::abs(expected[i]) + 1e-6) << i;
}

std::vector<SplitCase> splitCases() {
  std::vector<SplitCase> cases;
  for (const char* executor : {"eager", "static", "dynamic", "instant"}) {
    cases.push_back({"elements", executor, "torch.sin(torch.exp(x) * 1.5)", {700001}});
    cases.push_back({"rows", executor, "torch.tanh(x).sum(1)", {901, 757}});
    cases.push_back({"columns", executor, "torch.tanh(x).amax(0)", {901, 757}});
    cases.push_back({"all", executor, "torch.exp(x).mean()", {900001}});
    cases.push_back({"few_long_rows", executor, "torch.exp(x).sum(1)", {5, 120013}});
  }
  return cases;
}
INSTANTIATE_TEST_SUITE_P(Ways, SplitLaunches, testing::ValuesIn(splitCases()),
                         [](const testing::TestParamInfo<SplitCase>& one) {
                           return std::string(one.param.executor) + "_" + one.param.name;
                         });

}  // namespace
}  // namespace fusebench

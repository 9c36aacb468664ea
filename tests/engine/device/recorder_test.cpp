// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/device/recorder.h"

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <thread>

#include <gmock/gmock.h>

#include "tests/engine/support/engine_fixture.h"

namespace fusebench {
namespace {

using ::testing::ElementsAre;
using Level = Recorder::Level;
using enum CallPart;

std::vector<CallPart> partsOf(std::span<const Mark> marks) {
  std::vector<CallPart> parts;
  for (const Mark& mark : marks) parts.push_back(mark.part);
  return parts;
}

class RecordedCalls : public ::testing::Test {
 protected:
  /// One warm call of the executor, as the recorder sees it.
  std::vector<CallPart> record(const char* executor, const char* program, Recorder& recorder) {
    executor_ = makeExecutor(executor, fixture_.backend(), parseProgram(program));
    const std::vector<Tensor> inputs{fixture_.random({8, 16})};
    for (int call = 0; call < 2; ++call) executor_->call(inputs);
    fixture_.backend().setRecorder(&recorder);
    executor_->call(inputs);
    fixture_.backend().setRecorder(nullptr);
    const auto parts = partsOf(recorder.marks(0));
    executor_->call(inputs);
    EXPECT_EQ(recorder.marks(0).size(), parts.size());  // nobody listens any more
    return parts;
  }
  EngineFixture fixture_{EngineFixture::withoutDisk(0, 0, 1)};
  std::unique_ptr<Executor> executor_;
};

TEST_F(RecordedCalls, OfEagerGoThroughTheSameStepsForEachOp) {
  Recorder recorder(Level::split, 1, 100);
  EXPECT_THAT(record("eager", "y = torch.exp(x)\nreturn y + 1\n", recorder),
              ElementsAre(dispatch, allocate, launch, kernel, launch,            // exp
                          dispatch, allocate, launch, kernel, launch, allocate,  // + 1, and y goes
                          dispatch));
  EXPECT_EQ(recorder.marks(0)[3].executable->name(), "exp");
  for (std::size_t i = 1; i < recorder.marks(0).size(); ++i)
    EXPECT_GE(recorder.marks(0)[i].ticks, recorder.marks(0)[i - 1].ticks);
}

TEST_F(RecordedCalls, OfFusedProgramsHaveOneKernel) {
  for (const char* executor : {"static", "dynamic", "instant"}) {
    Recorder recorder(Level::split, 1, 100);
    EXPECT_THAT(record(executor, "y = torch.exp(x)\nreturn (y + 1).sum()\n", recorder),
                ElementsAre(dispatch, allocate, launch, kernel, launch, dispatch))
        << executor;
    EXPECT_EQ(recorder.marks(0)[3].executable->name(), "exp_add_sum") << executor;
  }
}

TEST_F(RecordedCalls, OfReplayCopyInputsAndRunEveryKernel) {
  Recorder recorder(Level::split, 1, 100);
  EXPECT_THAT(record("replay", "y = torch.exp(x)\nreturn y + 1\n", recorder),
              ElementsAre(copy, launch, kernel, launch, kernel, launch, dispatch));
}

TEST_F(RecordedCalls, TellOfKernelsAloneWhenNoMoreIsWanted) {
  Recorder recorder(Level::launches, 1, 100);
  EXPECT_THAT(record("eager", "y = torch.exp(x)\nreturn y + 1\n", recorder),
              ElementsAre(kernel, outside, kernel, outside));
}

TEST_F(RecordedCalls, CountWhatThereIsNoRoomFor) {
  Recorder recorder(Level::split, 1, 4);
  EXPECT_EQ(record("eager", "y = torch.exp(x)\nreturn y + 1\n", recorder).size(), 4u);
  EXPECT_EQ(recorder.lost(), 8u);
  EXPECT_EQ(recorder.room(), 0u);
  recorder.clear();
  EXPECT_EQ(recorder.lost(), 0u);
  EXPECT_EQ(recorder.room(), 4u);
}

/// Whether more threads want to run than there are processors. The pool then stops waking its
/// helpers, because they come too late to help.
bool isBusy() {
  double load = 0;
  return getloadavg(&load, 1) == 1 && load > std::thread::hardware_concurrency();
}

class RecordedThreads : public ::testing::Test {
 protected:
  /// Calls until the helper, which comes late or not at all to many a launch, has done something.
  /// Returns how often.
  int record(Recorder& recorder, const char* executor) {
    const auto made = makeExecutor(executor, fixture_.backend(),
                                   parseProgram("return torch.tanh(torch.exp(x))\n"));
    const std::vector<Tensor> inputs{fixture_.random({1024, 1024})};
    made->call(inputs);
    const RecorderScope scope(fixture_.backend(), &recorder);
    int calls = 0;
    while (recorder.marks(1).empty() && calls < 3000) {
      made->call(inputs);
      mark(&recorder, outside);
      ++calls;
    }
    return calls;
  }
  EngineFixture fixture_{EngineFixture::withoutDisk(0, 0, 2)};
};

TEST_F(RecordedThreads, EachHaveMarksOfTheirOwn) {
  Recorder recorder(Level::split, 2, 100'000);
  const int calls = record(recorder, "static");
  const auto own = partsOf(recorder.marks(0)), other = partsOf(recorder.marks(1));
  if (other.empty() && isBusy())
    GTEST_SKIP() << "busy: helping did not pay in any of " << calls << " calls";
  EXPECT_EQ(std::count(own.begin(), own.end(), kernel), calls);
  EXPECT_EQ(std::count(own.begin(), own.end(), wait), calls);
  EXPECT_THAT(other, ElementsAre(kernel, outside));
}

TEST_F(RecordedThreads, SayNothingOfWaitingWhereOnlyKernelsAreWanted) {
  Recorder recorder(Level::launches, 2, 100'000);
  const int calls = record(recorder, "eager");
  const auto own = partsOf(recorder.marks(0)), other = partsOf(recorder.marks(1));
  EXPECT_EQ(std::count(own.begin(), own.end(), kernel), 2 * calls);
  EXPECT_EQ(std::count(own.begin(), own.end(), wait), 0);
  if (other.empty() && isBusy())
    GTEST_SKIP() << "busy: helping did not pay in any of " << calls << " calls";
  EXPECT_FALSE(other.empty());
  EXPECT_THAT(other, testing::Each(testing::AnyOf(kernel, outside)));
}

}  // namespace
}  // namespace fusebench

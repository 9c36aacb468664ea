// SPDX-License-Identifier: GPL-3.0-or-later
// The operations that time calls on an asynchronous device, and their order.
#include "profiler/measure/device_passes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "profiler/experiment/experiment_check.h"
#include "profiler/measure/cell_runner.h"
#include "tests/doubles/fake_backend.h"
#include "tests/profiler/run/sample_data.h"

namespace fusebench {
namespace {

using testing::HasSubstr;
using testing::Not;

class DeviceCalls : public testing::Test {
 protected:
  DeviceCalls() {
    backend.setWorksOnItsOwn(true);
    backend.timerNanoseconds = 6000;
    experiment.inputSets[0].count = 2;
  }
  std::unique_ptr<Executor> eager() {
    auto executor = makeExecutor("eager", backend, programAt(experiment, CellKey{0, {1}}));
    for (const auto& entry : list().entries) executor->call(entry);
    return executor;
  }
  const InputList& list() {
    if (!list_) list_ = inputs.get({0, {1}});
    return *list_;
  }
  /// The operations that the backend is asked for during `work`.
  template <typename Work>
  std::string askedBy(const Work& work) {
    std::vector<std::string> asked;
    backend.asked = &asked;
    work();
    backend.asked = nullptr;
    std::string text;
    for (const std::string& word : asked) text += (text.empty() ? "" : " ") + word;
    return text;
  }

  FakeBackend backend;
  Experiment experiment = smallExperiment({1, 2});
  InputStore inputs{backend, experiment, kPlenty};
  std::shared_ptr<const InputList> list_;
};

TEST_F(DeviceCalls, AreQueuedInARowAndWaitedForOnce) {
  const auto executor = eager();
  const auto timer = backend.makeTimer();
  DevicePasses taken;
  EXPECT_EQ(askedBy([&] { taken = queuedPasses(backend, *executor, list(), *timer, 2); }),
            "start launch launch launch launch launch launch launch launch stop wait");
  EXPECT_EQ(taken.calls, 4);
  EXPECT_EQ(taken.event, 1500);
  EXPECT_GT(taken.enqueue, 0);
  EXPECT_GE(taken.perCall(), taken.enqueue);
}

TEST_F(DeviceCalls, StandAloneWhenEachIsWaitedFor) {
  const auto executor = eager();
  EXPECT_EQ(askedBy([&] { isolatedPasses(backend, *executor, list(), nullptr, 1, false); }),
            "launch launch wait launch launch wait");
  const auto timer = backend.makeTimer();
  DevicePasses taken;
  EXPECT_EQ(
      askedBy([&] { taken = isolatedPasses(backend, *executor, list(), timer.get(), 1, true); }),
      "flush wait start launch launch stop wait flush wait start launch launch stop wait");
  EXPECT_EQ(taken.event, 6000);  // each call is timed by itself
}

/// The host's part ends where the driver's queue may be full.
TEST_F(DeviceCalls, CountTheHostsTimeOnlyAsLongAsTheQueueHasRoom) {
  const auto executor = eager();
  const auto timer = backend.makeTimer();
  const std::uint64_t begin = backend.launches();
  int slow = 0;
  backend.onLaunch = [&] {  // from the 600th launch on each takes a while
    if (backend.launches() - begin <= 600) return;
    ++slow;
    const auto until = std::chrono::steady_clock::now() + std::chrono::milliseconds(2);
    while (std::chrono::steady_clock::now() < until) {
    }
  };
  const DevicePasses taken = queuedPasses(backend, *executor, list(), *timer, 155);  // 620 launches
  EXPECT_EQ(slow, 20);
  EXPECT_GT(taken.perCall() * taken.calls, 40e6);
  EXPECT_LT(taken.enqueue * taken.calls, 40e6);
}

TEST_F(DeviceCalls, AreAllEnqueuedWhileTheDeviceIsHeldBack) {
  const auto executor = eager();
  const auto timer = backend.makeTimer();
  const auto stall = backend.makeStall();
  double device = 0;
  EXPECT_EQ(askedBy([&] { device = heldPasses(backend, *executor, list(), *timer, *stall, 2); }),
            "hold start launch launch launch launch launch launch launch launch stop release");
  EXPECT_EQ(device, 1500);
  EXPECT_EQ(
      askedBy([&] {
        isolatedPasses(backend, *executor, list(), timer.get(), 1, false, {}, stall.get());
      }),
      "hold start launch launch stop release wait hold start launch launch stop release wait");
}

TEST_F(DeviceCalls, HeldBackAreNoMoreThanTheQueueTakes) {
  const auto executor = eager();
  const auto timer = backend.makeTimer();
  const auto stall = backend.makeStall();
  const std::uint64_t begin = backend.launches();
  // Two launches per call.
  EXPECT_EQ(heldPasses(backend, *executor, list(), *timer, *stall, 1'000'000), 6000.0 / 256);
  EXPECT_EQ(backend.launches() - begin, 512u);
}

TEST_F(DeviceCalls, HaveNoDeviceTimeIfOneWaitsForTheDevice) {
  const auto executor = eager();
  const auto timer = backend.makeTimer();
  const auto stall = backend.makeStall();
  backend.stallLasts = false;
  EXPECT_EQ(heldPasses(backend, *executor, list(), *timer, *stall, 1), 0);
  const DevicePasses each =
      isolatedPasses(backend, *executor, list(), timer.get(), 1, false, {}, stall.get());
  EXPECT_EQ(each.event, 0);
  std::atomic<bool> stop = false;
  ReferenceMemo references;
  CellRunner runner(backend, inputs, references, experiment, {0, {1}}, stop);
  Cell cell;
  runner.prepare({0, 0}, cell);
  EXPECT_THAT(askedBy([&] { runner.sample(); }), HasSubstr("hold"));
  TakenSample taken;
  // A stall that ends by itself takes 0.2 s: it is not tried again.
  EXPECT_THAT(askedBy([&] { taken = runner.sample(); }), Not(HasSubstr("hold")));
  EXPECT_EQ(taken.sample.device->device, 0);
  EXPECT_GT(taken.sample.device->event, 0);
}

TEST_F(DeviceCalls, GiveASampleItsOtherTimes) {
  std::atomic<bool> stop = false;
  ReferenceMemo references;
  CellRunner runner(backend, inputs, references, experiment, {0, {1}}, stop);
  Cell cell;
  runner.prepare({0, 0}, cell);
  backend.clock = ClockState{1500, ""};
  const TakenSample taken = runner.sample();
  ASSERT_TRUE(taken.sample.device);
  EXPECT_GT(taken.sample.device->enqueue, 0);
  EXPECT_GT(taken.sample.device->single, 0);
  EXPECT_DOUBLE_EQ(taken.sample.device->event, 6000.0 / (2.0 * static_cast<double>(taken.passes)));
  EXPECT_GE(taken.sample.device->device, 6000.0 / 256);
  EXPECT_EQ(taken.sample.clockMegahertz, 1500);
  EXPECT_EQ(taken.throttled, "");
  backend.clock = ClockState{600, "slowed down by heat"};
  EXPECT_EQ(runner.sample().throttled, "slowed down by heat");
}

TEST_F(DeviceCalls, AreEachFlushedBeforeIfTheExperimentSaysSo) {
  experiment.measure.cache = "flushed";
  std::atomic<bool> stop = false;
  ReferenceMemo references;
  CellRunner runner(backend, inputs, references, experiment, {0, {1}}, stop);
  Cell cell;
  runner.prepare({0, 0}, cell);
  runner.sample();  // warms up
  TakenSample taken;
  const std::string asked = askedBy([&] { taken = runner.sample(); });
  EXPECT_THAT(asked, HasSubstr("flush wait launch launch wait"));
  EXPECT_THAT(asked, HasSubstr("flush wait start launch launch stop wait"));
  EXPECT_THAT(asked, HasSubstr("flush wait hold start launch launch stop release wait"));
  ASSERT_TRUE(taken.sample.device);
  EXPECT_EQ(taken.sample.nanoseconds, taken.sample.device->single);
  EXPECT_EQ(taken.sample.device->event, 6000);
}

TEST_F(DeviceCalls, CannotBeFlushedWhereThereIsNoDevice) {
  experiment.measure.cache = "flushed";
  backend.setWorksOnItsOwn(false);
  std::atomic<bool> stop = false;
  ReferenceMemo references;
  CellRunner runner(backend, inputs, references, experiment, {0, {1}}, stop);
  Cell cell;
  try {
    runner.prepare({0, 0}, cell);
    FAIL();
  } catch (const Unavailable& error) {
    EXPECT_THAT(error.what(), HasSubstr("measure with \"cache\": \"hot\""));
  }
}

}  // namespace
}  // namespace fusebench

// SPDX-License-Identifier: GPL-3.0-or-later
// The collector on the double of CUPTI, with every error that the real one is known to make.
#include "engine/cuda/cupti/activity_collector.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <set>

#include <gmock/gmock.h>

#include "tests/engine/cuda/backend_fixture.h"
#include "tests/support/built_paths.h"

namespace fusebench::cuda {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::shared_ptr<const Cupti> doubleOfCupti() {
  test::cudaDouble();
  return Cupti::open(fusebench::test::cudaDoublePath());
}

class ActivityCollection : public fusebench::test::CudaBackendTest {
 protected:
  void SetUp() override {
    cupti = Cupti::open(fusebench::test::cudaDoublePath());
    collector = std::make_unique<ActivityCollector>(cupti->functions(), cupti->version(), 4);
  }
  void TearDown() override {
    kernel.reset();
    backend.reset();
    collector.reset();
    CudaBackendTest::TearDown();
  }
  void start() {
    collector->attach();
    backend = makeTestBackend();
    kernel = backend->emptyKernel();
  }
  void launch(int times) {
    for (int i = 0; i < times; ++i) backend->launch(*kernel, {});
  }
  Collected launched(int times) {
    collector->begin();
    launch(times);
    backend->synchronize();
    return collector->end();
  }
  static std::vector<DeviceWork> inOrder(std::vector<DeviceWork> work) {
    std::sort(work.begin(), work.end(),
              [](const DeviceWork& a, const DeviceWork& b) { return a.start < b.start; });
    return work;
  }

  std::shared_ptr<const Cupti> cupti;
  std::unique_ptr<ActivityCollector> collector;
  std::unique_ptr<Backend> backend;
  std::shared_ptr<const Executable> kernel;
};

TEST_F(ActivityCollection, SeesEachLaunchAndItsKernel) {
  start();
  EXPECT_EQ(collector->status().state, CollectorState::on);
  const Activities seen = launched(3).activities;
  EXPECT_EQ(seen.losses, ActivityLosses());
  const auto work = inOrder(seen.work);
  ASSERT_EQ(work.size(), 3u);
  std::map<std::uint32_t, ApiCall> calls;
  for (const ApiCall& call : seen.calls)
    if (call.function == kCallLaunchKernel) calls[call.correlation] = call;
  ASSERT_EQ(calls.size(), 3u);
  for (const DeviceWork& execution : work) {
    EXPECT_EQ(execution.name, "empty");
    EXPECT_EQ(execution.end - execution.start, 1500u);
    EXPECT_THAT(execution.block, ElementsAre(32, 1, 1));
    EXPECT_EQ(execution.registers, 24u);
    ASSERT_TRUE(calls.contains(execution.correlation));
    const ApiCall& call = calls[execution.correlation];
    EXPECT_EQ(call.end - call.start, 2000u);
    EXPECT_GE(execution.start, call.end);
  }
}

TEST_F(ActivityCollection, ForgetsWhatCameBefore) {
  start();
  launch(5);
  backend->synchronize();
  EXPECT_EQ(launched(2).activities.work.size(), 2u);
  EXPECT_EQ(launched(1).activities.work.size(), 1u);
}

TEST_F(ActivityCollection, WhatCameBeforeItSettledIsNotToldOf) {
  start();
  collector->begin();
  launch(2);
  backend->synchronize();
  collector->settle();
  launch(3);
  backend->synchronize();
  Activities seen = collector->end().activities;
  EXPECT_EQ(seen.losses, ActivityLosses());
  EXPECT_EQ(seen.work.size(), 3u);
  EXPECT_EQ(launchesOf(seen.calls).size(), 3u);
  // The next time all of it is wanted again.
  EXPECT_EQ(launched(2).activities.work.size(), 2u);
}

TEST_F(ActivityCollection, LaunchesThatAreCapturedAreMissedByNobody) {
  start();
  collector->begin();
  launch(1);
  backend->beginCapture();
  launch(4);
  const auto capture = backend->endCapture();
  backend->replay(*capture);
  backend->synchronize();
  const Activities seen = collector->end().activities;
  EXPECT_EQ(seen.losses, ActivityLosses());
  EXPECT_EQ(seen.work.size(), 5u);
  EXPECT_EQ(std::ranges::count_if(seen.calls, isLaunch), 6);
  EXPECT_EQ(launchesOf(seen.calls).size(), 2u);
}

TEST_F(ActivityCollection, TellsTheKernelsOfAGraphApart) {
  start();
  backend->beginCapture();
  launch(4);
  const auto capture = backend->endCapture();
  collector->begin();
  backend->replay(*capture);
  backend->replay(*capture);
  backend->synchronize();
  const Activities seen = collector->end().activities;
  std::set<std::uint32_t> correlations;
  std::set<std::pair<std::uint32_t, std::uint64_t>> executions;
  for (const DeviceWork& work : seen.work) {
    correlations.insert(work.correlation);
    executions.insert({work.correlation, work.graphNode});
    EXPECT_GT(work.graph, 0u);
  }
  EXPECT_EQ(seen.work.size(), 8u);
  EXPECT_EQ(correlations.size(), 2u);
  EXPECT_EQ(executions.size(), 8u);
  auto places = placesInLaunch(seen.work);
  std::sort(places.begin(), places.end());
  EXPECT_THAT(places, ElementsAre(0, 0, 1, 1, 2, 2, 3, 3));
}

TEST_F(ActivityCollection, CopiesAndFillsAreSeen) {
  start();
  collector->begin();
  backend->flushCaches();
  backend->synchronize();
  const Activities seen = collector->end().activities;
  ASSERT_EQ(seen.work.size(), 1u);
  EXPECT_EQ(seen.work[0].kind, DeviceWork::Kind::fill);
  EXPECT_EQ(seen.work[0].bytes, std::uint64_t{2} << 20);
}

class LayoutOnTheDouble : public ActivityCollection, public ::testing::WithParamInterface<int> {};
INSTANTIATE_TEST_SUITE_P(FiveToTen, LayoutOnTheDouble, ::testing::Range(5, 11));

TEST_P(LayoutOnTheDouble, IsRead) {
  fusebench::test::cudaDouble().faults.cuptiLayout = GetParam();
  start();
  const Activities seen = launched(20).activities;
  EXPECT_EQ(seen.work.size(), 20u);
  EXPECT_EQ(seen.losses, ActivityLosses());
}

struct Refusal {
  int result;
  CollectorState state;
  const char* remedy;
};
class RefusedCollection : public ActivityCollection,
                          public ::testing::WithParamInterface<Refusal> {};
INSTANTIATE_TEST_SUITE_P(
    Errors, RefusedCollection,
    ::testing::Values(Refusal{39, CollectorState::busy, "Nsight"},
                      Refusal{35, CollectorState::denied, "NVreg_RestrictProfilingToAdminUsers=0"},
                      Refusal{40, CollectorState::denied, "CAP_SYS_ADMIN"},
                      Refusal{15, CollectorState::off, "LD_LIBRARY_PATH"},
                      Refusal{999, CollectorState::noDriver, "nvidia-smi"},
                      Refusal{43, CollectorState::off, "FUSEBENCH_CUPTI"}),
    [](const auto& refusal) { return "Error" + std::to_string(refusal.param.result); });

TEST_P(RefusedCollection, IsAStateWithItsCauseAndRemedyAndTimingStands) {
  fusebench::test::cudaDouble().faults.cuptiResult = GetParam().result;
  start();
  const CollectorStatus& status = collector->status();
  EXPECT_EQ(status.state, GetParam().state);
  EXPECT_FALSE(status.collects());
  EXPECT_THAT(status.found, HasSubstr("error " + std::to_string(GetParam().result)));
  EXPECT_THAT(status.found, HasSubstr("CUPTI_ERROR_"));
  EXPECT_THAT(status.remedy, HasSubstr(GetParam().remedy));
  launch(3);
  backend->synchronize();
  EXPECT_EQ(backend->launches(), 3u);
}

TEST_F(ActivityCollection, ASecondOneFindsTheFirstBusy) {
  start();
  ActivityCollector second(cupti->functions(), cupti->version());
  EXPECT_EQ(second.attach().state, CollectorState::busy);
  EXPECT_EQ(launched(2).activities.work.size(), 2u);
}

TEST_F(ActivityCollection, CountsWhatCuptiDropped) {
  start();
  fusebench::test::cudaDouble().faults.cuptiDrop = 2;
  const Activities seen = launched(5).activities;
  EXPECT_EQ(seen.work.size(), 3u);
  EXPECT_EQ(seen.losses.dropped, 2u);
  EXPECT_EQ(seen.losses.total(), 2u);
  EXPECT_EQ(launched(5).activities.losses.total(), 0u);
}

TEST_F(ActivityCollection, CountsTimesThatAreNone) {
  start();
  fusebench::test::cudaDouble().faults.cuptiZero = 1;
  fusebench::test::cudaDouble().faults.cuptiInvert = 2;
  const Activities seen = launched(5).activities;
  EXPECT_EQ(seen.work.size(), 2u);
  EXPECT_EQ(seen.losses.zero, 1u);
  EXPECT_EQ(seen.losses.inverted, 2u);
  EXPECT_EQ(seen.losses.total(), 3u);
}

TEST_F(ActivityCollection, WaitsForRecordsThatAreLate) {
  start();
  collector->begin();
  launch(4);
  backend->synchronize();
  fusebench::test::cudaDouble().faults.cuptiLate = 2;
  const Activities seen = collector->end().activities;
  EXPECT_EQ(seen.work.size(), 4u);
  EXPECT_EQ(seen.losses.total(), 0u);
}

TEST_F(ActivityCollection, CountsWhatNeverComes) {
  start();
  collector->begin();
  launch(4);
  backend->synchronize();
  fusebench::test::cudaDouble().faults.cuptiLate = 1000;
  const Activities seen = collector->end().activities;
  EXPECT_THAT(seen.work, IsEmpty());
  EXPECT_EQ(seen.losses.missing, 4u);
}

TEST_F(ActivityCollection, RefusesBuffersBeyondItsShareWhereThatMayBe) {
  start();
  fusebench::test::cudaDouble().faults.cuptiHoard = 4;  // from begin() to end() all there are
  const Activities starved = launched(3).activities;
  EXPECT_THAT(starved.work, IsEmpty());
  EXPECT_GE(starved.losses.dropped, 3u);
  EXPECT_EQ(launched(3).activities.losses.total(), 0u);
}

TEST_F(ActivityCollection, NeverRefusesABufferToAnOlderCupti) {
  collector = std::make_unique<ActivityCollector>(cupti->functions(), kMayRefuseBuffers - 1, 4);
  start();
  collector->begin();
  launch(3);
  backend->synchronize();
  fusebench::test::cudaDouble().faults.cuptiHoard = 9;
  const Activities seen = collector->end().activities;
  EXPECT_EQ(seen.work.size(), 3u);
  EXPECT_EQ(seen.losses.total(), 0u);
}

TEST_F(ActivityCollection, ManyLaunchesFillManyBuffers) {
  constexpr int kMany = 60'000;  // 216 + 40 bytes each: four buffers, and room for a slow reader
  collector = std::make_unique<ActivityCollector>(cupti->functions(), cupti->version(), 8);
  start();
  const Activities seen = launched(kMany).activities;
  EXPECT_EQ(seen.work.size(), static_cast<std::size_t>(kMany));
  EXPECT_EQ(seen.losses.total(), 0u);
}

// ---- the library

TEST(CuptiLibrary, IsFoundOutByItsVersion) {
  EXPECT_EQ(cudaOfCupti(18), "");
  EXPECT_EQ(cudaOfCupti(19), "12.0");
  EXPECT_EQ(cudaOfCupti(26), "12.8");
  EXPECT_EQ(cudaOfCupti(28), "12.9");
  EXPECT_EQ(cudaOfCupti(29), "");
  EXPECT_EQ(cudaOfCupti(130001), "13.0");
  EXPECT_EQ(cudaOfCupti(130202), "13.2");
  EXPECT_EQ(cudaOfCupti(140000), "");
  EXPECT_EQ(doubleOfCupti()->versionText(), "13.0 (interface 130001)");
}

TEST(CuptiLibrary, OfANewerCudaThanTheDriverIsNotTaken) {
  test::cudaDouble();
  const auto open = [](int driver) {
    return Cupti::open(fusebench::test::cudaDoublePath(), driver);
  };
  EXPECT_NO_THROW(open(13000));
  EXPECT_THAT(fusebench::test::messageOf<NoCupti>([&] { open(12080); }),
              HasSubstr("it is for CUDA 13.0, and the driver supports CUDA 12.8"));
}

TEST(CuptiLibrary, ThatLacksWhatIsNeededIsNotTaken) {
  EXPECT_THAT(
      fusebench::test::messageOf<NoCupti>([] { Cupti::open(fusebench::test::cudaBrokenPath()); }),
      HasSubstr("not a CUPTI library: missing cuptiGetVersion"));
  EXPECT_THAT(fusebench::test::messageOf<NoCupti>([] { Cupti::open("/nowhere/libcupti.so"); }),
              HasSubstr("/nowhere/libcupti.so"));
}

TEST(CuptiLibrary, ThatCrashesIsFoundOutElsewhere) {
  EXPECT_EQ(crashOf([](std::uint32_t*) -> CuptiResult { return 1; }), 0);
  EXPECT_EQ(crashOf([](std::uint32_t*) -> CuptiResult { std::abort(); }), SIGABRT);
}

// ---- clocks

TEST(ClockBridge, FollowsADrift) {
  const ClockReading before{1'700'000'000'000'000'000, 5'000, 40};
  ClockReading after = before;
  after.device += 1'000'000'000;
  after.host += 1'000'100'000;  // 100 millionths faster
  const ClockBridge bridge(before, after);
  EXPECT_FALSE(bridge.jumped());
  EXPECT_EQ(bridge.toHost(before.device), before.host);
  EXPECT_EQ(bridge.toHost(after.device), after.host);
  EXPECT_EQ(bridge.toHost(before.device + 500'000'000), before.host + 500'050'000);
  EXPECT_EQ(bridge.toHost(before.device - 10), before.host - 10);
  EXPECT_EQ(bridge.uncertainty(), 20);
}

TEST(ClockBridge, DoesNotFollowAClockThatWasSet) {
  const ClockReading before{1'700'000'000'000'000'000, 5'000, 40};
  const ClockReading after{before.device - 3'000'000'000, before.host + 1'000'000, 60};
  const ClockBridge bridge(before, after);
  EXPECT_TRUE(bridge.jumped());
  EXPECT_EQ(bridge.toHost(before.device + 700), before.host + 700);
}

TEST(ClockBridge, TheTightestReadingCounts) {
  std::int64_t host = 0;
  int reading = 0;
  const ClockReading best = readClocks(
      [&] {
        host += ++reading == 3 ? 10 : 1000;
        return static_cast<std::uint64_t>(reading);
      },
      [&] { return host += 5; });
  EXPECT_EQ(best.device, 3u);
  EXPECT_EQ(best.width, 15);
}

}  // namespace
}  // namespace fusebench::cuda

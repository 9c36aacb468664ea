// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/measure/device_calls.h"
#include "profiler/measure/recorded_anatomy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <random>
#include <vector>

#include "engine/cuda/cupti/cupti_abi.h"
#include "engine/device/backend.h"
#include "profiler/run/device_anatomy.h"
#include "profiler/study/launch_pass.h"
#include "profiler/trace/trace_export.h"
#include "profiler/trace/trace_import.h"
#include "tests/temporary_folder.h"

namespace fusebench {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class NamedExecutable final : public Executable {
 public:
  explicit NamedExecutable(std::string name) : Executable(std::move(name)) {}
};

/// CUPTI's clock when the first mark was made.
constexpr std::uint64_t kStart = 1'700'000'000'000'000'000;
constexpr std::uint32_t kSynchronize = 126, kCopyWithin = 281;

/// Calls that launch `exp` and then `sum`, which takes two executions, as recorder and CUPTI see
/// them. A call takes 10 us on CUPTI's clock, and next to nothing on that of the marks.
class RecordedDeviceWork : public testing::Test {
 protected:
  void call(bool replayed = false) {
    const std::uint64_t at = kStart + 1000 + 10'000 * static_cast<std::uint64_t>(calls++);
    recorder.mark(CallPart::launch);
    const auto execute = [&](const std::shared_ptr<Executable>& executable, int step,
                             const char* name, int place) {
      if (!replayed) {
        recorder.enqueued();
        api(cuda::kCallLaunchKernel, at + 100 * static_cast<std::uint64_t>(place));
      }
      recorder.note(executable.get(), step, -1);
      kernel(name, at + 1000 + 1000 * static_cast<std::uint64_t>(place), replayed ? place + 1 : 0);
    };
    if (replayed) {
      recorder.enqueued();
      api(cuda::kCallGraphLaunch, at);
    }
    execute(exp, 0, "exp", 0);
    execute(sum, 0, "sum", 1);
    execute(sum, 1, "sum_final", 2);
    recorder.mark(CallPart::wait);
    api(kSynchronize, at + 5000);
    recorder.mark(CallPart::outside);
  }
  void api(std::uint32_t function, std::uint64_t start) {
    seen.calls.push_back({start, start + 50, function, false, 1, 2, ++correlation, 0});
  }
  void kernel(const char* name, std::uint64_t start, int node) {
    DeviceWork work;
    work.name = name;
    work.start = start;
    work.end = start + 500;
    work.queued = start - 300;
    work.correlation = correlation;
    work.stream = 7;
    work.grid = {64, 1, 1};
    work.block = {256, 1, 1};
    work.registers = 20;
    work.context = 1;
    if (node > 0) {
      work.graph = 3;
      // The nodes' own numbers run the other way.
      work.graphNode = (std::uint64_t{3} << 32) + static_cast<std::uint64_t>(10 - node);
    }
    seen.work.push_back(work);
  }
  /// `spans`: instead of what the marks say, unless there are none.
  RecordedCalls recorded(const std::vector<CallSpan>& spans = {}) {
    std::mt19937 random(3);
    std::shuffle(seen.calls.begin(), seen.calls.end(), random);
    std::shuffle(seen.work.begin(), seen.work.end(), random);
    RecordedCalls made = recordedCalls(recorder, ticksPerNanosecond, {{0, 1}, {-1}});
    if (!spans.empty()) made.spans = spans;
    const ClockReading before{kStart, 5'000'000, 10};
    const ClockReading after{kStart + 1'000'000, 6'000'000, 10};
    addDeviceWork(made, recorder, ticksPerNanosecond, {recorder.marks(0)[0].ticks, 5'000'000},
                  {seen, ClockBridge(before, after)}, [](const ApiCall& call) {
                    return call.function == kSynchronize ? "cuStreamSynchronize" : "cuLaunch";
                  });
    return made;
  }
  template <class Member>
  static std::vector<int> each(const RecordedCalls& made, Member member) {
    std::vector<int> all;
    for (const DeviceSpan& span : made.device) all.push_back(static_cast<int>(span.*member));
    return all;
  }

  /// So fast that all marks are within the first call on CUPTI's clock.
  static constexpr double ticksPerNanosecond = 1e9;
  Recorder recorder{Recorder::Level::split, 1, 1000, 1000};
  std::shared_ptr<Executable> exp = std::make_shared<NamedExecutable>("exp");
  std::shared_ptr<Executable> sum = std::make_shared<NamedExecutable>("sum");
  Activities seen;
  std::uint32_t correlation = 100;
  int calls = 0;
};

TEST_F(RecordedDeviceWork, AreJoinedWithTheirLaunchesWhateverTheOrderOfRecords) {
  call();
  call();
  const RecordedCalls made = recorded();
  EXPECT_THAT(each(made, &DeviceSpan::launch), ElementsAre(0, 1, 1, 0, 1, 1));
  EXPECT_THAT(each(made, &DeviceSpan::call), ElementsAre(0, 0, 0, 1, 1, 1));
  const DeviceSpan& first = made.device.front();
  EXPECT_EQ(first.start, 2000);
  EXPECT_EQ(first.end, 2500);
  EXPECT_EQ(first.queued, 1700);
  EXPECT_EQ(first.submitted, kNoTime);
  EXPECT_EQ(first.registers, 20u);
  EXPECT_EQ(made.kernels[made.device.back().name], "sum_final");
  ASSERT_EQ(made.driver.size(), 8u);
  EXPECT_EQ(made.driver.front().start, 1000);
  EXPECT_EQ(made.driver.front().correlation, first.correlation);
  EXPECT_EQ(made.deviceNote, "");
}

TEST_F(RecordedDeviceWork, BelongToTheCallThatAskedForThemNotTheOneTheyRunIn) {
  const auto copy = [&](std::uint64_t asked) {
    api(kCopyWithin, kStart + asked);
    kernel("Memcpy DtoD", kStart + 30'000 + asked, 0);
    seen.work.back().kind = DeviceWork::Kind::copy;
  };
  copy(900);  // the clock of the marks says the second call, but the first one's launches follow
  call();
  call();
  copy(16'000);
  const RecordedCalls made = recorded();
  EXPECT_THAT(each(made, &DeviceSpan::call), ElementsAre(0, 0, 0, 1, 1, 1, 0, 1));
}

TEST_F(RecordedDeviceWork, OfAReplayedGraphAreToldApartByTheirNodes) {
  call(/*replayed=*/true);
  call(/*replayed=*/true);
  seen.work.erase(seen.work.begin() + 3);  // the second replay's first kernel is lost
  seen.losses.zero = 1;
  const RecordedCalls made = recorded();
  EXPECT_THAT(each(made, &DeviceSpan::launch), ElementsAre(0, 1, 1, 1, 1));
  EXPECT_THAT(each(made, &DeviceSpan::call), ElementsAre(0, 0, 0, 1, 1));
  EXPECT_EQ(made.zero, 1u);
  EXPECT_EQ(made.deviceNote, "of the device's records 1 without a time");
}

TEST_F(RecordedDeviceWork, OfALibrarysCallMayBeSeveralLaunches) {
  call();
  // The first launch is a library's, by the runtime, and of two kernels.
  for (ApiCall& each : seen.calls)
    if (each.correlation == 101) {
      each.function = cuda::kRuntimeLaunchKernelExC;
      each.runtime = true;
    }
  api(cuda::kRuntimeLaunchKernelExC, kStart + 1060);
  seen.calls.back().runtime = true;
  kernel("reduce", kStart + 2600, 0);
  const auto launching = [](std::int64_t start, std::int64_t end, std::int32_t launch) {
    CallSpan span;
    span.start = start;
    span.end = end;
    span.launch = launch;
    span.part = CallPart::launch;
    return span;
  };
  const std::vector<CallSpan> spans{launching(950, 1090, 0), launching(1090, 1400, 1)};
  RecordedCalls made = recorded(spans);
  EXPECT_THAT(each(made, &DeviceSpan::launch), ElementsAre(0, 0, 1, 1));
  EXPECT_THAT(each(made, &DeviceSpan::step), ElementsAre(0, 1, 0, 1));
  // Not where records are lost: what is missing may be any.
  seen.losses.dropped = 1;
  made = recorded(spans);
  EXPECT_THAT(each(made, &DeviceSpan::launch), testing::Each(-1));
}

TEST_F(RecordedDeviceWork, WithoutAllDriverCallsStandWithoutTheirLaunch) {
  call();
  call();
  seen.calls.erase(seen.calls.begin());
  seen.losses.dropped = 1;
  const RecordedCalls made = recorded();
  EXPECT_THAT(each(made, &DeviceSpan::launch), testing::Each(-1));
  EXPECT_EQ(made.lost, 1u);
}

TEST_F(RecordedDeviceWork, AreLanesOfTheirOwnWithArrowsAndComeBackTheSameFromAFile) {
  call();
  call(/*replayed=*/true);
  DeviceWork copy;
  copy.kind = DeviceWork::Kind::copy;
  copy.name = "Memcpy DtoD";
  copy.start = kStart + 900;
  copy.end = kStart + 950;
  copy.stream = 7;
  copy.bytes = 4096;
  seen.work.push_back(copy);
  seen.losses.inverted = 2;
  const std::vector<CellCalls> cells{{{}, "eager", recorded()}};
  const auto trace = traceOf(cells, "on a device");
  ASSERT_EQ(trace->lanes().size(), 2u);
  EXPECT_EQ(trace->lanes()[1].kind, Lane::Kind::device);
  EXPECT_EQ(trace->lanes()[1].name, "eager, stream 7");
  int kernels = 0, copies = 0, driver = 0;
  for (EventId event = 0; event < trace->size(); ++event) {
    driver += trace->kind(event) == SpanKind::driver;
    if (trace->kind(event) == SpanKind::copy) {
      ++copies;
      EXPECT_EQ(trace->details(event)->bytesRead, 4096);
    }
    if (trace->kind(event) != SpanKind::kernel) continue;
    ++kernels;
    const EventId from = trace->link(event);
    ASSERT_NE(from, kNoEvent) << trace->name(event);
    EXPECT_EQ(trace->kind(from), SpanKind::driver);
    EXPECT_LE(trace->start(from), trace->start(event));
    const LaunchDetails* details = trace->details(event);
    EXPECT_EQ(details->firstStatement, trace->name(event) == "exp" ? 1 : 0);
    EXPECT_THAT(details->grid, ElementsAre(64, 1, 1));
  }
  EXPECT_EQ(kernels, 6);
  EXPECT_EQ(copies, 1);
  EXPECT_EQ(driver, 6);
  EXPECT_EQ(trace->losses().inverted, 2u);
  EXPECT_THAT(trace->partial(), HasSubstr("2 with their end before their start"));

  const test::TemporaryFolder folder;
  const std::string path = folder.path("device.json.gz");
  exportTrace(*trace, path);
  EXPECT_EQ(differenceOf(*trace, *importTrace(path)), "");
}

TEST_F(RecordedDeviceWork, SurviveTheWorkersFile) {
  call();
  call(/*replayed=*/true);
  RecordedCalls made = recorded();
  made.zero = 4;
  made.deviceNote = "a note";
  const test::TemporaryFolder folder;
  const std::string path = folder.path("device-calls");
  writeRecordedCalls(made, path);
  const RecordedCalls read = readRecordedCalls(path);
  EXPECT_EQ(read.driver, made.driver);
  EXPECT_EQ(read.device, made.device);
  EXPECT_EQ(read.zero, 4u);
  EXPECT_EQ(read.deviceNote, "a note");
  for (const auto spoil : {+[](RecordedCalls& c) { c.device[0].name = 999; },
                           +[](RecordedCalls& c) { c.device[0].end = c.device[0].start - 1; },
                           +[](RecordedCalls& c) { c.device[0].kind = SpanKind::guard; },
                           +[](RecordedCalls& c) { c.driver[0].name = 999; }}) {
    RecordedCalls wild = made;
    spoil(wild);
    writeRecordedCalls(wild, path);
    EXPECT_THROW(readRecordedCalls(path), InputError);
  }
}

TEST_F(RecordedDeviceWork, MakesTheDevicesPartOfAnAnatomy) {
  call();
  call();
  call();
  const auto device = deviceAnatomyOf(recorded());
  ASSERT_TRUE(device);
  EXPECT_EQ(device->of(DevicePart::kernels), 1500);
  EXPECT_EQ(device->of(DevicePart::gaps), 1000);  // they start every 1000 ns and take 500
  EXPECT_EQ(device->of(DevicePart::delay), 1000);
  EXPECT_EQ(device->executions, 3);
  EXPECT_EQ(device->calls, 3);
}

TEST_F(RecordedDeviceWork, LeavesCallsOutOfWhichSomethingIsLost) {
  call(/*replayed=*/true);
  call(/*replayed=*/true);
  seen.work.erase(seen.work.begin() + 4);
  EXPECT_EQ(deviceAnatomyOf(recorded())->calls, 1);
  seen.work.clear();
  RecordedCalls none;
  EXPECT_FALSE(deviceAnatomyOf(none));
}

}  // namespace
}  // namespace fusebench

// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/run/device_anatomy.h"
#include "profiler/measure/recorded_anatomy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "profiler/measure/recorded_calls.h"
#include "profiler/run/anatomy_json.h"
#include "profiler/run/cell_json.h"

namespace fusebench {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

constexpr std::uint32_t kExp = 1, kSum = 2;

/// Calls of a microsecond, by hand. Times are counted from each call's begin.
class DeviceAnatomies : public testing::Test {
 protected:
  DeviceAnatomies() {
    calls.kernels = {"", "exp", "sum"};
    calls.statements = {{0, 1}, {-1}};
  }
  void begin() {
    at += 10'000;
    ++call;
    span(0, 300);
    span(300, 1000);
  }
  void span(std::int64_t from, std::int64_t to) {
    CallSpan made;
    made.start = at + from;
    made.end = at + to;
    made.call = call;
    calls.spans.push_back(made);
  }
  /// The driver is asked; what it sets off gets the number that comes back.
  std::uint64_t ask(std::int64_t when) {
    DriverSpan made;
    made.start = at + when;
    made.end = at + when + 10;
    made.correlation = ++asked;
    calls.driver.push_back(made);
    return asked;
  }
  void work(std::uint64_t correlation, std::int64_t from, std::int64_t to, std::int32_t launch,
            SpanKind kind = SpanKind::kernel) {
    DeviceSpan made;
    made.start = at + from;
    made.end = at + to;
    made.correlation = correlation;
    made.launch = launch;
    made.call = call;
    made.kind = kind;
    made.name = launch == 0 ? kExp : kSum;
    calls.device.push_back(made);
  }
  /// exp, then sum in two kernels: 100 ns, a gap of 50, 80, a gap of 20, 40.
  void usualCall(std::int64_t longer = 0) {
    begin();
    const auto exp = ask(100), sum = ask(150);
    work(exp, 200, 300 + longer, 0);
    work(sum, 350 + longer, 430 + longer, 1);
    work(sum, 450 + longer, 490 + longer, 1);
  }
  RecordedCalls calls;
  std::int64_t at = 0;
  std::uint16_t call = 0;
  std::uint64_t asked = 0;
};

TEST_F(DeviceAnatomies, AddUpToTheCall) {
  usualCall();
  const auto device = deviceAnatomyOf(calls);
  ASSERT_TRUE(device);
  EXPECT_EQ(device->of(DevicePart::delay), 100);
  EXPECT_EQ(device->of(DevicePart::copies), 0);
  EXPECT_EQ(device->of(DevicePart::kernels), 220);
  EXPECT_EQ(device->of(DevicePart::gaps), 70);
  EXPECT_EQ(device->of(DevicePart::idle), 100 + 510);
  EXPECT_EQ(device->total(), 1000);
  EXPECT_EQ(device->executions, 3);
}

TEST_F(DeviceAnatomies, CountCopiesThatAKernelWaitsForAsCopies) {
  begin();
  const auto copy = ask(20), exp = ask(100);
  work(copy, 60, 130, -1, SpanKind::copy);  // 30 ns of it while the kernel is waited for
  work(exp, 200, 300, 0);
  work(copy, 310, 330, -1, SpanKind::set);
  work(exp, 350, 400, 0);
  work(copy, 500, 540, -1, SpanKind::copy);
  const auto device = deviceAnatomyOf(calls);
  ASSERT_TRUE(device);
  EXPECT_EQ(device->of(DevicePart::delay), 100 - 30);
  EXPECT_EQ(device->of(DevicePart::copies), 70 + 20 + 40);
  EXPECT_EQ(device->of(DevicePart::kernels), 150);
  EXPECT_EQ(device->of(DevicePart::gaps), 10 + 20);
  EXPECT_EQ(device->total(), 1000);
}

TEST_F(DeviceAnatomies, AreMediansOfCallsAndTellLaunchesKernelsDelaysAndGaps) {
  usualCall();
  usualCall(500);
  usualCall(4);
  const auto device = deviceAnatomyOf(calls);
  ASSERT_TRUE(device);
  EXPECT_EQ(device->calls, 3);
  EXPECT_EQ(device->of(DevicePart::kernels), 224);
  ASSERT_THAT(device->launches, SizeIs(2));
  EXPECT_EQ(device->launches[0].kernel, "exp");
  EXPECT_THAT(device->launches[0].statements, ElementsAre(0, 1));
  EXPECT_EQ(device->launches[0].nanoseconds, 104);
  EXPECT_EQ(device->launches[1].nanoseconds, 120);  // both its kernels
  EXPECT_THAT(device->launches[1].statements, ElementsAre(-1));
  ASSERT_THAT(device->byKernel, SizeIs(2));
  EXPECT_EQ(device->byKernel[0].name, "exp");
  EXPECT_EQ(device->byKernel[0].count, 3);
  EXPECT_EQ(device->byKernel[0].total, 804);
  EXPECT_EQ(device->byKernel[0].least, 100);
  EXPECT_EQ(device->byKernel[0].most, 600);
  EXPECT_EQ(device->byKernel[1].count, 6);
  EXPECT_EQ(device->byKernel[1].mean(), 60);
  EXPECT_EQ(device->delays.count, 9u);
  EXPECT_EQ(device->delays.least, 100);
  EXPECT_EQ(device->gaps.count, 6u);
  EXPECT_EQ(device->gaps.least, 20);
  EXPECT_EQ(device->gaps.most, 50);
}

TEST(DeviceParts, AreNotableWhereTimeIsSpentOnThem) {
  DeviceAnatomy one, other;
  one.nanoseconds = {100, 4, 800, 0, 96};
  other.nanoseconds = {0, 2, 998, 0, 0};
  const DeviceAnatomy* both[] = {&one, &other};
  EXPECT_THAT(notableDeviceParts(both),
              ElementsAre(DevicePart::delay, DevicePart::kernels, DevicePart::idle));
  other.nanoseconds[1] = 20;
  EXPECT_THAT(notableDeviceParts(both), ElementsAre(DevicePart::delay, DevicePart::copies,
                                                    DevicePart::kernels, DevicePart::idle));
  EXPECT_THAT(notableDeviceParts({}), IsEmpty());
}

TEST_F(DeviceAnatomies, ShowNoLaunchesThatCannotBeToldApart) {
  usualCall();
  calls.device[1].launch = calls.device[2].launch = -1;
  const auto device = deviceAnatomyOf(calls);
  ASSERT_TRUE(device);
  EXPECT_THAT(device->launches, IsEmpty());
  EXPECT_EQ(device->of(DevicePart::kernels), 220);
}

TEST_F(DeviceAnatomies, AreNoneWithoutKernelsOrTheirDriverCalls) {
  EXPECT_FALSE(deviceAnatomyOf(calls));
  begin();
  work(ask(20), 60, 130, -1, SpanKind::copy);
  EXPECT_FALSE(deviceAnatomyOf(calls));
  usualCall();
  calls.driver.clear();
  EXPECT_FALSE(deviceAnatomyOf(calls));
}

TEST_F(DeviceAnatomies, SurviveBeingWrittenAndRead) {
  usualCall();
  usualCall(30);
  CallAnatomy anatomy;
  anatomy.device = deviceAnatomyOf(calls);
  anatomy.deviceProblem = "half of it is missing";
  const json written = json::parse(toJson(anatomy).dump());
  const CallAnatomy read = readAnatomy(written);
  ASSERT_TRUE(read.device);
  EXPECT_EQ(toJson(read), written);
  EXPECT_EQ(read.device->nanoseconds, anatomy.device->nanoseconds);
  EXPECT_EQ(read.device->launches[1].kernel, "sum");
  EXPECT_EQ(read.device->byKernel[0].most, anatomy.device->byKernel[0].most);
  EXPECT_EQ(read.device->gaps.bins.size(), anatomy.device->gaps.bins.size());
  EXPECT_EQ(read.deviceProblem, "half of it is missing");
}

TEST_F(DeviceAnatomies, OfTheFirstDaysAreReadAndSenselessOnesRefused) {
  usualCall();
  const json good = json::parse(toJson(*deviceAnatomyOf(calls)).dump());
  const json old = {
      {"kernels_ns", 220}, {"gaps_ns", 70}, {"delay_ns", 100}, {"executions", 3}, {"calls", 10}};
  EXPECT_EQ(readDeviceAnatomy(old).of(DevicePart::gaps), 70);
  EXPECT_EQ(readDeviceAnatomy(old).total(), 390);
  const auto refused = [&](const char* place, const json& value) {
    json bad = good;
    bad[json::json_pointer(place)] = value;
    EXPECT_THROW(readDeviceAnatomy(bad), RecordError) << bad;
  };
  refused("/kernels_ns", "x");
  refused("/idle_ns", nullptr);
  refused("/launches", 3);
  refused("/launches/0/kernels_ns", "x");
  refused("/by_kernel/0/count", -1);
  refused("/each_gap", 7);
  refused("/each_gap/bins/0", json::array({5, 2, 1}));
  refused("/each_gap/bins/0/2", -1);
}

}  // namespace
}  // namespace fusebench

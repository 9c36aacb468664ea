// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cuda/cupti/activity_records.h"

#include <algorithm>
#include <memory>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/cuda/cupti/cupti.h"
#include "tests/engine/cuda/forged_records.h"

namespace fusebench::cuda {
namespace {

using forge::ForgedBuffer;
using forge::forgedKernel;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

DeviceWork wholeKernel() {
  DeviceWork kernel =
      forgedKernel("chain", 1'700'000'000'000'000'000, 1'700'000'000'000'001'500, 4'000'000'001);
  kernel.queued = kernel.start - 900;
  kernel.submitted = kernel.start - 400;
  kernel.device = 3;
  kernel.context = 2;
  kernel.grid = {1024, 65535, 7};
  kernel.block = {256, 2, 1};
  kernel.registers = 255;
  kernel.staticShared = 4096;
  kernel.dynamicShared = 100;
  kernel.graphNode = (std::uint64_t{9} << 32) + 5;
  kernel.graph = 9;
  return kernel;
}

class KernelLayout : public ::testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(FiveToEleven, KernelLayout, ::testing::Range(5, 12));

TEST_P(KernelLayout, IsReadWhole) {
  ForgedBuffer buffer;
  DeviceWork kernel = wholeKernel();
  buffer.kernel(GetParam(), kernel);
  DeviceWork outside = kernel;
  outside.graphNode = outside.graph = 0;
  outside.name = "second";
  buffer.kernel(GetParam(), outside);
  const Activities read = buffer.read();
  if (GetParam() == 5) kernel.graph = 0;  // graphs have numbers from Kernel6 on
  kernel.queued = kernel.submitted = 0;   // a graph's node has those of another launch
  ASSERT_EQ(read.work.size(), 2u);
  EXPECT_EQ(read.work[0], kernel);
  EXPECT_EQ(read.work[1], outside);
  EXPECT_EQ(read.losses, ActivityLosses());
}

TEST_P(KernelLayout, TooShortIsMalformed) {
  ForgedBuffer buffer;
  buffer.kernel(GetParam(), wholeKernel());
  Activities into;
  readRecord(std::span(buffer.bytes()).first(159), into);
  EXPECT_EQ(into.losses.malformed, 1u);
  EXPECT_THAT(into.work, IsEmpty());
}

TEST_P(KernelLayout, WithNoTimesOrTurnedOnesIsCountedAndNotKept) {
  ForgedBuffer buffer;
  buffer.kernel(GetParam(), forgedKernel("a", 0, 20, 1));
  buffer.kernel(GetParam(), forgedKernel("b", 10, 0, 2));
  buffer.kernel(GetParam(), forgedKernel("c", 0, 0, 3));
  buffer.kernel(GetParam(), forgedKernel("d", 20, 10, 4));
  buffer.kernel(GetParam(), forgedKernel("e", 10, 20, 5));
  const Activities read = buffer.read();
  EXPECT_EQ(read.losses.zero, 3u);
  EXPECT_EQ(read.losses.inverted, 1u);
  ASSERT_EQ(read.work.size(), 1u);
  EXPECT_EQ(read.work[0].name, "e");
  EXPECT_EQ(sentenceOf(read.losses), "3 without a time, 1 with their end before their start");
}

TEST(ActivityRecords, QueueTimesThatCannotBeAreNotKnown) {
  ForgedBuffer buffer;
  DeviceWork late = forgedKernel("late", 100, 200, 1);
  late.queued = 150;  // after it started
  late.submitted = 90;
  DeviceWork turned = forgedKernel("turned", 100, 200, 2);
  turned.queued = 80;
  turned.submitted = 70;
  buffer.kernel(10, late);
  buffer.kernel(10, turned);
  const Activities read = buffer.read();
  EXPECT_EQ(read.work[0].queued, 0u);
  EXPECT_EQ(read.work[0].submitted, 90u);
  EXPECT_EQ(read.work[1].queued, 80u);
  EXPECT_EQ(read.work[1].submitted, 0u);
}

TEST(ActivityRecords, AKernelMayHaveNoName) {
  ForgedBuffer buffer;
  buffer.kernel(9, forgedKernel("", 10, 20, 1));
  EXPECT_EQ(buffer.read().work.at(0).name, "");
}

TEST(ActivityRecords, CallsCopiesAndFillsAreRead) {
  ForgedBuffer buffer;
  const ApiCall call{100, 250, kCallLaunchKernel, false, 11, 12, 13, 0};
  const ApiCall runtime{300, 310, 211, true, 11, 12, 14, 2};
  DeviceWork copy = forgedKernel("Memcpy DtoH", 400, 500, 15);
  copy.kind = DeviceWork::Kind::copy;
  copy.bytes = std::uint64_t{5} << 32;
  copy.graph = 3;
  copy.graphNode = (std::uint64_t{3} << 32) + 1;
  DeviceWork fill = forgedKernel("Memset", 600, 700, 16);
  fill.kind = DeviceWork::Kind::fill;
  fill.bytes = 77;
  buffer.call(call);
  buffer.copy(96, copy, 2);
  buffer.call(runtime);
  buffer.copy(64, fill, 0);
  buffer.overhead(800, 900);
  const Activities read = buffer.read();
  EXPECT_THAT(read.calls, ElementsAre(call, runtime));
  EXPECT_THAT(read.work, ElementsAre(copy, fill));
  ASSERT_EQ(read.overheads.size(), 1u);
  EXPECT_EQ(read.overheads[0].end, 900u);
  EXPECT_EQ(read.losses, ActivityLosses());
}

TEST(ActivityRecords, OlderCopiesHaveNoGraph) {
  DeviceWork copy = forgedKernel("Memcpy HtoD", 400, 500, 15);
  copy.kind = DeviceWork::Kind::copy;
  copy.graph = 3;
  copy.graphNode = 99;
  for (const std::size_t bytes : {64, 72, 80, 88, 96}) {
    ForgedBuffer buffer;
    buffer.copy(bytes, copy);
    const DeviceWork read = buffer.read().work.at(0);
    EXPECT_EQ(read.graphNode, bytes >= 72 ? 99u : 0u) << bytes;
    EXPECT_EQ(read.graph, bytes >= 80 ? 3u : 0u) << bytes;
  }
}

TEST(ActivityRecords, OtherKindsArePassedOver) {
  ForgedBuffer buffer;
  buffer.begin(38, 48);  // a synchronization
  buffer.kernel(10, forgedKernel("a", 10, 20, 1));
  buffer.begin(51, 8);
  const Activities read = buffer.read();
  EXPECT_EQ(read.work.size(), 1u);
  EXPECT_EQ(read.losses, ActivityLosses());
}

TEST(ActivityRecords, AStepOutOfTheBufferEndsIt) {
  ForgedBuffer buffer;
  buffer.kernel(10, forgedKernel("a", 10, 20, 1));
  static std::uint8_t elsewhere[8];
  static int steps = 0;
  steps = 0;
  Activities into;
  readBuffer(
      buffer.bytes().data(), buffer.bytes().size(),
      [](std::uint8_t* first, std::size_t, ActivityRecord** record) -> CuptiResult {
        *record = reinterpret_cast<ActivityRecord*>(steps++ == 0 ? first : elsewhere);
        return kCuptiSuccess;
      },
      into);
  EXPECT_EQ(steps, 2);
  EXPECT_EQ(into.losses.malformed, 1u);
  EXPECT_EQ(into.work.size(), 1u);
}

TEST(ActivityRecords, AnEmptyBufferHoldsNothing) {
  ForgedBuffer buffer;
  EXPECT_THAT(buffer.read().work, IsEmpty());
}

TEST(ActivityRecords, BytesThatAreNoRecordsNeverReadOutside) {
  std::mt19937 random(7);
  for (int round = 0; round < 2000; ++round) {
    std::vector<std::uint8_t> bytes(random() % 240);
    for (auto& byte : bytes) byte = static_cast<std::uint8_t>(random() % 24);
    // An invalid address of a name would be CUPTI's fault: it is the only member that is trusted.
    if (bytes.size() >= record::kernel::name + 8)
      std::fill_n(bytes.begin() + record::kernel::name, 8, std::uint8_t{0});
    Activities into;
    readRecord(bytes, into);
    EXPECT_LE(into.work.size() + into.calls.size(), 1u);
  }
}

// ---- which execution of a launch is which

DeviceWork nodeOf(std::uint32_t correlation, std::uint64_t node, std::uint64_t start) {
  DeviceWork kernel = forgedKernel("k", start, start + 5, correlation);
  kernel.graph = 4;
  kernel.graphNode = (std::uint64_t{4} << 32) + node;
  return kernel;
}

TEST(PlacesInLaunch, ALaunchAloneIsTheFirst) {
  const std::vector<DeviceWork> work = {forgedKernel("a", 30, 40, 2), forgedKernel("b", 10, 20, 1)};
  EXPECT_THAT(placesInLaunch(work), ElementsAre(0, 0));
}

TEST(PlacesInLaunch, NodesOfAGraphCountByTheirStart) {
  // Two replays, out of order; the nodes' own numbers say nothing about order.
  const std::vector<DeviceWork> work = {nodeOf(2, 7, 130), nodeOf(1, 5, 20), nodeOf(1, 9, 10),
                                        nodeOf(2, 5, 120), nodeOf(1, 7, 30), nodeOf(2, 9, 110)};
  EXPECT_THAT(placesInLaunch(work), ElementsAre(2, 1, 0, 1, 2, 0));
}

TEST(PlacesInLaunch, ALostNodeShiftsNoOther) {
  const std::vector<DeviceWork> work = {nodeOf(1, 9, 10), nodeOf(1, 5, 20), nodeOf(1, 7, 30),
                                        nodeOf(2, 5, 120), nodeOf(2, 7, 130)};
  EXPECT_THAT(placesInLaunch(work), ElementsAre(0, 1, 2, 1, 2));
}

TEST(PlacesInLaunch, CopiesHaveNone) {
  std::vector<DeviceWork> work = {nodeOf(1, 9, 10), nodeOf(1, 5, 20)};
  work[0].kind = DeviceWork::Kind::copy;
  EXPECT_THAT(placesInLaunch(work), ElementsAre(-1, 0));
}

// ---- the real library's own stepping

TEST(RealCupti, StepsOverForgedRecordsAsTheyAreLaidOut) {
  std::shared_ptr<const Cupti> cupti;
  try {
    cupti = Cupti::open(SearchPlaces::system());
  } catch (const NoCupti& none) {
    GTEST_SKIP() << none.what();
  }
  const int layout = cupti->version() >= 130100 ? 11 : cupti->version() >= 28 ? 10 : 9;
  ForgedBuffer buffer;
  for (std::uint32_t i = 1; i <= 100; ++i) {
    buffer.kernel(layout, forgedKernel("k", 10 * i, 10 * i + 5, i));
    buffer.call({10 * i, 10 * i + 1, kCallLaunchKernel, false, 1, 1, i, 0});
  }
  Activities into;
  readBuffer(buffer.bytes().data(), buffer.bytes().size(), cupti->functions().getNextRecord, into);
  EXPECT_EQ(into.losses, ActivityLosses());
  ASSERT_EQ(into.work.size(), 100u);
  ASSERT_EQ(into.calls.size(), 100u);
  EXPECT_EQ(into.work[99].correlation, 100u);
  EXPECT_EQ(into.calls[99].correlation, 100u);
}

}  // namespace
}  // namespace fusebench::cuda

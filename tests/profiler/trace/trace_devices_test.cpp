// SPDX-License-Identifier: GPL-3.0-or-later
// The work of each of several devices in a trace, and of all of them together.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <random>

#include "profiler/trace/trace_builder.h"
#include "profiler/trace/trace_statistics.h"

namespace fusebench {
namespace {

constexpr int kAtWork = 3;

/// Devices of two streams each, which work at the same times and at others; calls of all on one
/// host.
std::shared_ptr<const Trace> severalAtWork(unsigned seed) {
  std::mt19937 random(seed);
  const auto any = [&](unsigned below) { return static_cast<Nanoseconds>(random() % below); };
  TraceBuilder builder("random");
  const LaneId host = builder.lane({Lane::Kind::host, 9, 1, "program", "main"});
  for (int i = 0; i < 150; ++i) {
    const Nanoseconds device = any(kAtWork);
    const Nanoseconds start = 20 + any(1'900);
    const bool called = any(3) > 0;
    builder.addLaunch(
        {.kind = any(4) == 0 ? SpanKind::copy : SpanKind::kernel,
         .name = any(2) ? "sin" : "mul",
         .hostBegin = called ? start - 1 - any(19) : kNoTime,
         .hostEnd = called ? start : kNoTime,
         .start = start,
         .end = start + 1 + any(15),
         .hostLane = host,
         .deviceLane = builder.lane({Lane::Kind::device, device, any(2), "GPU", ""})});
  }
  return builder.finish();
}

/// The expected statistics of one device, or of all devices together (-1), counted one nanosecond
/// after the other.
struct CountedWork {
  CountedWork(const Trace& trace, TimeRange range, std::int64_t device)
      : busy(static_cast<std::size_t>(range.length()), false) {
    for (EventId e = 0; e < trace.size(); ++e) {
      const Lane& lane = trace.laneOf(e);
      if (!isDeviceWork(trace.kind(e)) || (device >= 0 && lane.process != device)) continue;
      for (Nanoseconds t = trace.start(e); t < trace.end(e); ++t)
        if (t >= range.from && t < range.to) {
          busy[static_cast<std::size_t>(t - range.from)] = true;
          ++totals[std::string(trace.name(e))];
        }
      if (trace.start(e) < range.from || trace.start(e) >= range.to) continue;
      ++launches;
      if (trace.link(e) != kNoEvent) delays.push_back(trace.start(e) - trace.start(trace.link(e)));
    }
    Nanoseconds idle = -1;  // since the last busy moment; -1: there was none
    for (const bool b : busy) {
      if (b && idle > 0) gaps.push_back(idle);
      idle = b ? 0 : idle < 0 ? -1 : idle + 1;
    }
  }
  std::vector<bool> busy;
  std::uint64_t launches = 0;
  std::map<std::string, Nanoseconds> totals;
  std::vector<Nanoseconds> gaps, delays;
};

TEST(TraceDevices, EachHasItsOwnStatistics) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    const auto trace = severalAtWork(seed);
    const auto devices = devicesOf(*trace);
    ASSERT_EQ(devices.size(), std::size_t{kAtWork});
    for (const TimeRange range : {wholeOf(*trace), TimeRange{300, 1'100}})
      for (std::int64_t device = -1; device < kAtWork; ++device) {
        const CountedWork counted(*trace, range, device);
        const OneDevice one = device < 0 ? OneDevice() : OneDevice(device);
        const RangeStatistics found = statisticsOf(*trace, Work::device, range, one);
        EXPECT_EQ(found.busy, std::ranges::count(counted.busy, true));
        EXPECT_EQ(found.idle, std::ranges::count(counted.busy, false));
        EXPECT_EQ(found.launches, counted.launches);
        EXPECT_EQ(found.gaps, counted.gaps.size());
        Nanoseconds sum = 0;
        for (const Nanoseconds gap : counted.gaps) sum += gap;
        EXPECT_NEAR(found.meanGap * static_cast<double>(found.gaps), static_cast<double>(sum),
                    1e-6);
        EXPECT_EQ(gapsOf(*trace, Work::device, range, one), counted.gaps);
        EXPECT_THAT(launchDelaysOf(*trace, range, one).times,
                    testing::UnorderedElementsAreArray(counted.delays));
        std::map<std::string, Nanoseconds> totals;
        double shares = 0;
        for (const SpanTotal& total : totalsByName(*trace, Work::device, range, one)) {
          totals[std::string(trace->nameText(total.name))] += total.total;
          shares += total.share;
        }
        EXPECT_EQ(totals, counted.totals);
        EXPECT_NEAR(shares, 1, 1e-9) << "of this device's time";
      }
  }
}

TEST(TraceDevices, AreThoseThatWorkAndNoTwoHaveOneName) {
  TraceBuilder builder("several");
  const auto kernel = [&](const Lane& lane, Nanoseconds start) {
    builder.addLaunch(
        {.name = "sin", .start = start, .end = start + 5, .deviceLane = builder.lane(lane)});
  };
  builder.addSpan(
      {.lane = builder.lane({Lane::Kind::host, 5, 5, "python", ""}), .start = 0, .end = 9});
  builder.addSpan({.lane = builder.lane({Lane::Kind::device, 4, 7, "GPU 4", ""}),
                   .kind = SpanKind::annotation,
                   .start = 0,
                   .end = 9});
  kernel({Lane::Kind::device, 0, 7, "GPU 0", ""}, 10);
  kernel({Lane::Kind::device, 0, 8, "GPU 0", ""}, 10);
  kernel({Lane::Kind::device, 1, 7, "card", ""}, 10);
  kernel({Lane::Kind::device, 2, 7, "card", ""}, 10);
  EXPECT_EQ(devicesOf(*builder.finish()),
            (std::vector<TraceDevice>{{0, "GPU 0"}, {1, "card (1)"}, {2, "card (2)"}}));
}

}  // namespace
}  // namespace fusebench

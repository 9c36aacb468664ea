// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/trace/trace_statistics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <map>
#include <memory>
#include <random>

#include "profiler/trace/trace_builder.h"

namespace fusebench {
namespace {

/// Kernels on two streams that overlap each other, host spans between them.
std::shared_ptr<const Trace> randomTrace(unsigned seed) {
  std::mt19937 random(seed);
  TraceBuilder builder("random");
  const LaneId host = builder.lane({Lane::Kind::host, 1, 1, "", ""});
  const LaneId streams[] = {builder.lane({Lane::Kind::device, 0, 1, "", ""}),
                            builder.lane({Lane::Kind::device, 0, 2, "", ""})};
  builder.addSpan({host, SpanKind::op, "whole", 0, 2'000});
  for (int i = 0; i < 120; ++i) {
    const auto start = static_cast<Nanoseconds>(20 + random() % 1'900);
    const std::string name = fmt::format("k{}", random() % 5);
    builder.addLaunch({.name = name,
                       .hostBegin = start - 10,
                       .hostEnd = start - 5,
                       .start = start,
                       .end = start + 1 + static_cast<Nanoseconds>(random() % 12),
                       .hostLane = host,
                       .deviceLane = streams[random() % 2]});
  }
  return builder.finish();
}

TEST(TraceStatistics, AgreeWithCountingNanosecondByNanosecond) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    const auto trace = randomTrace(seed);
    for (const TimeRange range : {wholeOf(*trace), TimeRange{300, 1'100}, TimeRange{777, 778}}) {
      for (const Work work : {Work::device, Work::host}) {
        std::vector<bool> busy(static_cast<std::size_t>(range.length()), false);
        std::uint64_t launches = 0;
        struct Found {
          std::uint64_t count = 0;
          Nanoseconds inside = 0;
          std::vector<Nanoseconds> whole;
        };
        std::map<std::pair<std::string, SpanKind>, Found> byName;
        for (EventId e = 0; e < trace->size(); ++e) {
          if (counts(trace->kind(e), work)) {
            Nanoseconds inside = 0;
            for (Nanoseconds t = trace->start(e); t < trace->end(e); ++t)
              if (t >= range.from && t < range.to) {
                busy[static_cast<std::size_t>(t - range.from)] = true;
                ++inside;
              }
            const bool begins = trace->start(e) >= range.from && trace->start(e) < range.to;
            launches += begins;
            if (!begins && inside == 0) continue;
            Found& of = byName[{std::string(trace->name(e)), trace->kind(e)}];
            of.count += begins;
            of.inside += inside;
            of.whole.push_back(trace->duration(e));
          }
        }
        const RangeStatistics found = statisticsOf(*trace, work, range);
        EXPECT_EQ(found.busy, std::ranges::count(busy, true));
        EXPECT_EQ(found.idle, std::ranges::count(busy, false));
        EXPECT_EQ(found.launches, launches);
        std::vector<Nanoseconds> gaps;
        Nanoseconds run = -1;  // idle time since the last busy moment; -1: none yet
        for (const bool b : busy) {
          if (b && run > 0) gaps.push_back(run);
          run = b ? 0 : (run < 0 ? -1 : run + 1);
        }
        EXPECT_EQ(gapsOf(*trace, work, range), gaps);
        EXPECT_EQ(found.gaps, gaps.size());
        const auto totals = totalsByName(*trace, work, range);
        ASSERT_EQ(totals.size(), byName.size());
        for (const SpanTotal& total : totals) {
          const auto& [count, inside, times] =
              byName.at({std::string(trace->nameText(total.name)), total.kind});
          Nanoseconds sum = 0;
          for (const Nanoseconds t : times) sum += t;
          EXPECT_EQ(total.count, count);
          EXPECT_EQ(total.total, inside) << "not whole executions that the range cuts";
          EXPECT_EQ(total.least, std::ranges::min(times));
          EXPECT_EQ(total.most, std::ranges::max(times));
          EXPECT_DOUBLE_EQ(total.mean,
                           static_cast<double>(sum) / static_cast<double>(times.size()));
        }
        EXPECT_TRUE(std::ranges::is_sorted(totals, std::ranges::greater(), &SpanTotal::total));
        if (work == Work::device) {
          Nanoseconds all = 0;
          for (const SpanTotal& total : totals) all += total.total;
          EXPECT_GE(all, found.busy) << "the table has less than the line above it";
        }
      }
    }
  }
}

/// Spans of two threads that nest, overlap, begin and end together, or take no time.
std::shared_ptr<const Trace> nestedTrace(unsigned seed) {
  std::mt19937 random(seed);
  const auto any = [&](unsigned below) { return static_cast<Nanoseconds>(random() % below); };
  TraceBuilder builder("nested");
  for (const std::int64_t thread : {1, 2}) {
    const LaneId lane = builder.lane({Lane::Kind::host, 1, thread, "", ""});
    for (int i = 0; i < 40; ++i) {
      const Nanoseconds start = 10 * any(30);
      builder.addSpan({.lane = lane,
                       .kind = any(6) == 0 ? SpanKind::annotation : SpanKind::op,
                       .name = fmt::format("op{}", any(5)),
                       .start = start,
                       .end = start + 5 * any(30)});
    }
  }
  return builder.finish();
}

TEST(TraceStatistics, SelfTimeAgreesWithAskingAtEachMomentWhoBeganLast) {
  for (unsigned seed = 0; seed < 40; ++seed) {
    const auto trace = nestedTrace(seed);
    for (const TimeRange range : {wholeOf(*trace), TimeRange{95, 205}, TimeRange{100, 101}}) {
      std::map<std::string, Nanoseconds> self;
      for (LaneId lane = 0; lane < trace->lanes().size(); ++lane)
        for (Nanoseconds t = 0; t <= trace->length(); ++t) {
          EventId last = kNoEvent;
          for (const TraceRow& row : trace->rowsOf(lane))
            for (EventId e = row.first; e < row.last; ++e)
              if (trace->kind(e) != SpanKind::annotation && trace->start(e) <= t &&
                  trace->end(e) > t && (last == kNoEvent || trace->start(e) >= trace->start(last)))
                last = e;
          if (last != kNoEvent && t >= range.from && t < range.to)
            ++self[std::string(trace->name(last))];
        }
      Nanoseconds all = 0;
      for (const auto& [name, time] : self) all += time;
      double shares = 0;
      for (const SpanTotal& total : totalsByName(*trace, Work::host, range)) {
        const Nanoseconds expected = self[std::string(trace->nameText(total.name))];
        EXPECT_EQ(total.self, expected) << seed;
        EXPECT_LE(total.self, total.total);
        if (all == 0) continue;
        EXPECT_DOUBLE_EQ(total.share, static_cast<double>(expected) / static_cast<double>(all));
        shares += total.share;
      }
      if (all > 0) {
        EXPECT_NEAR(shares, 1, 1e-12);
      }
    }
  }
}

TEST(TraceStatistics, SharesOfKernelsAddUp) {
  const auto trace = randomTrace(1);
  EXPECT_EQ(workOf(*trace), Work::device);
  double sum = 0;
  for (const SpanTotal& total : totalsByName(*trace, Work::device, wholeOf(*trace)))
    sum += total.share;
  EXPECT_NEAR(sum, 1, 1e-12);
}

TEST(TraceStatistics, BytesAreSummedWhereEveryExecutionKnowsThem) {
  TraceBuilder builder("bytes");
  const LaneId lane = builder.lane({Lane::Kind::device, 0, 7, "GPU 0", "stream 7"});
  const auto add = [&](const char* name, Nanoseconds start, std::int64_t read,
                       std::int64_t written) {
    Launch launch;
    launch.name = name;
    launch.start = start;
    launch.end = start + 10;
    launch.deviceLane = lane;
    launch.bytesRead = read;
    launch.bytesWritten = written;
    builder.addLaunch(launch);
  };
  add("exp", 0, 100, 50);
  add("exp", 20, 30, 7);
  add("sum", 40, 100, 4);
  add("sum", 60, 100, -1);
  const auto trace = builder.finish();
  const auto totals = totalsByName(*trace, Work::device, wholeOf(*trace));
  ASSERT_EQ(totals.size(), 2u);
  for (const SpanTotal& total : totals) {
    const bool exp = trace->nameText(total.name) == "exp";
    EXPECT_EQ(total.bytesRead, exp ? 130 : 200);
    EXPECT_EQ(total.bytesWritten, exp ? 57 : -1);
  }
}

TEST(TraceStatistics, DelaysAreFromTheCallToTheExecution) {
  const auto trace = randomTrace(2);
  const auto delays = launchDelaysOf(*trace, wholeOf(*trace)).times;
  EXPECT_EQ(delays.size(), 120u);
  EXPECT_THAT(delays, testing::Each(10));
}

TEST(TraceStatistics, DistributionAgreesWithSorting) {
  std::mt19937 random(5);
  for (int round = 0; round < 50; ++round) {
    std::vector<Nanoseconds> times;
    for (std::size_t i = 0; i <= random() % 300; ++i)
      times.push_back(static_cast<Nanoseconds>(random() % (1u << (random() % 28))));
    const Distribution found = distributionOf(times);
    std::ranges::sort(times);
    EXPECT_EQ(found.count, times.size());
    EXPECT_EQ(found.least, times.front());
    EXPECT_EQ(found.most, times.back());
    EXPECT_EQ(found.median, times[(times.size() - 1) / 2]);
    std::uint64_t sum = 0;
    for (const Distribution::Bin& bin : found.bins) {
      EXPECT_EQ(bin.count, static_cast<std::uint64_t>(std::ranges::count_if(
                               times, [&](auto t) { return t >= bin.from && t < bin.to; })));
      sum += bin.count;
    }
    EXPECT_EQ(sum, times.size());
  }
  EXPECT_TRUE(distributionOf({}).bins.empty());
  EXPECT_EQ(distributionOf({-5}).most, 0);
}

}  // namespace
}  // namespace fusebench

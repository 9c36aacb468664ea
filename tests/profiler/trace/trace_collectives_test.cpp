// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/trace/trace_collectives.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "profiler/files/files.h"
#include "profiler/trace/trace_builder.h"
#include "profiler/trace/trace_import.h"
#include "profiler/trace/trace_ranks.h"
#include "tests/temporary_folder.h"

namespace fusebench {
namespace {

using testing::SizeIs;

/// As Kineto writes the kernel of a collective: 1,000,000 elements of bfloat16 over 4 ranks.
std::string collectiveTrace(const char* name, int start, int duration, const char* in = "1000000",
                            const char* out = "1000000", int rank = 0) {
  return R"({"traceEvents":[{"ph":"X","cat":"kernel","name":"ncclDevKernel_AllReduce_Sum_bf16",)"
         R"("pid":0,"tid":7,"ts":)" +
         std::to_string(start) + R"(,"dur":)" + std::to_string(duration) +
         R"(,"args":{"stream":7,"device":0,"Collective name":")" + name + R"(","In msg nelems":)" +
         in + R"(,"Out msg nelems":)" + out +
         R"(,"Group size":4,"dtype":"BFloat16","Process Group Name":"0"}}],)"
         R"("distributedInfo":{"rank":)" +
         std::to_string(rank) + "}}";
}

std::shared_ptr<const Trace> traceOf(const std::string& text) {
  const test::TemporaryFolder folder;
  writeFile(folder.path("t.json"), text);
  return importTrace(folder.path("t.json"));
}

TEST(Collectives, HaveBytesAndBandwidthsFromTheirArguments) {
  const auto totals = collectivesOf(*traceOf(collectiveTrace("allreduce", 10, 20)));
  ASSERT_THAT(totals, SizeIs(1));
  EXPECT_EQ(totals[0].name, "allreduce");
  EXPECT_EQ(totals[0].dtype, "bfloat16");
  EXPECT_EQ(totals[0].bytes, 2'000'000);
  EXPECT_EQ(totals[0].ranks, 4);
  EXPECT_EQ(totals[0].met, 0u);
  EXPECT_DOUBLE_EQ(totals[0].algorithmBandwidth, 100);  // 2 MB in 20 us
  EXPECT_DOUBLE_EQ(totals[0].busBandwidth, 150);        // 2 * 3 / 4
}

TEST(Collectives, GatherCountsAllThatIsGathered) {
  const auto totals =
      collectivesOf(*traceOf(collectiveTrace("_allgather_base", 10, 20, "250000", "1000000")));
  EXPECT_EQ(totals.at(0).bytes, 2'000'000);
  EXPECT_DOUBLE_EQ(totals.at(0).busBandwidth, 75);
}

TEST(Collectives, OfARangeAreThePartsThatAreInIt) {
  TraceBuilder builder("t");
  const LaneId stream = builder.lane({Lane::Kind::device, 0, 7, "GPU 0", "stream 7"});
  for (const Nanoseconds start : {0, 100, 200})
    builder.addLaunch({.name = "ncclKernel_AllReduce(int)",
                       .start = start,
                       .end = start + 10 + start / 10,
                       .deviceLane = stream});
  const auto trace = builder.finish();
  EXPECT_EQ(collectivesOf(*trace).at(0).count, 3u);
  const auto some = collectivesOf(*trace, TimeRange{100, 200});
  ASSERT_THAT(some, SizeIs(1));
  EXPECT_EQ(some[0].count, 1u);
  EXPECT_EQ(some[0].total, 20);
  EXPECT_THAT(collectivesOf(*trace, TimeRange{20, 100}), SizeIs(0));
  const auto parts = collectivesOf(*trace, TimeRange{7, 205});
  ASSERT_THAT(parts, SizeIs(1));
  EXPECT_EQ(parts[0].count, 3u);
  EXPECT_EQ(parts[0].total, 3 + 20 + 5);
}

TEST(Collectives, BusFactorsAreThoseOfNcclTests) {
  EXPECT_DOUBLE_EQ(busFactor("all_reduce", 8), 1.75);
  EXPECT_DOUBLE_EQ(busFactor("_reduce_scatter_base", 8), 0.875);
  EXPECT_DOUBLE_EQ(busFactor("all_to_allv", 8), 0.875);
  EXPECT_DOUBLE_EQ(busFactor("broadcast", 8), 1);
  EXPECT_DOUBLE_EQ(busFactor("nothing", 8), 0);
  EXPECT_DOUBLE_EQ(busFactor("allreduce", 1), 0);
}

TEST(Collectives, WithoutArgumentsHaveATimeOnly) {
  TraceBuilder builder("t");
  const LaneId stream = builder.lane({Lane::Kind::device, 0, 7, "GPU 0", "stream 7"});
  builder.addLaunch(
      {.name = "ncclKernel_AllReduce(int)", .start = 0, .end = 10, .deviceLane = stream});
  builder.addLaunch({.name = "sin", .start = 20, .end = 30, .deviceLane = stream});
  const auto totals = collectivesOf(*builder.finish());
  ASSERT_THAT(totals, SizeIs(1));
  EXPECT_EQ(totals[0].name, "ncclKernel_AllReduce");
  EXPECT_EQ(totals[0].bytes, -1);
  EXPECT_EQ(totals[0].busBandwidth, 0);
}

TEST(Collectives, OfAllRanksHaveWaitingApartFromTransfer) {
  // Rank 1 comes 15 us late; both end together.
  const test::TemporaryFolder folder;
  writeFile(folder.path("rank0.json"), collectiveTrace("allreduce", 100, 20));
  writeFile(folder.path("rank1.json"),
            collectiveTrace("allreduce", 115, 5, "1000000", "1000000", 1));
  const auto joined = joinedRanks(importRanks(folder.path("")), "both");
  const auto totals = collectivesOf(*joined);
  ASSERT_THAT(totals, SizeIs(1));
  EXPECT_EQ(totals[0].count, 2u);
  EXPECT_EQ(totals[0].met, 2u);
  EXPECT_EQ(totals[0].total, 25'000);
  EXPECT_EQ(totals[0].waiting, 15'000);
  EXPECT_EQ(totals[0].transfer, 10'000);
  EXPECT_DOUBLE_EQ(totals[0].algorithmBandwidth, 400);  // 2 MB in 5 us
  // A range has its part of the times, and the bandwidth of whole calls.
  const Nanoseconds begin = recordedOf(*joined).from;
  const auto part = collectivesOf(*joined, TimeRange{begin + 10'000, begin + 17'000});
  ASSERT_THAT(part, SizeIs(1));
  EXPECT_EQ(part[0].total, 7'000 + 2'000);
  EXPECT_EQ(part[0].waiting, 5'000);
  EXPECT_EQ(part[0].transfer, 2'000 + 2'000);
  EXPECT_DOUBLE_EQ(part[0].algorithmBandwidth, 400);
}

TEST(Collectives, HostileSizesAreNotKnown) {
  for (const char* elements : {"9223372036854775807", "-5", "\"x\"", "1e30"}) {
    const auto totals =
        collectivesOf(*traceOf(collectiveTrace("allreduce", 10, 20, elements, "-1")));
    EXPECT_LE(totals.at(0).bytes, 2) << elements;  // "1e30" reads as 1
    EXPECT_GE(totals.at(0).bytes, -1) << elements;
  }
}

}  // namespace
}  // namespace fusebench

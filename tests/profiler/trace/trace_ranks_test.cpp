// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/trace/trace_ranks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "profiler/files/files.h"
#include "profiler/files/input_error.h"
#include "profiler/trace/trace_breakdown.h"
#include "tests/temporary_folder.h"

namespace fusebench {
namespace {

using testing::HasSubstr;

std::string work(const std::string& category, const std::string& name, int stream, int from,
                 int duration) {
  return R"({"ph":"X","cat":")" + category + R"(","name":")" + name + R"(","pid":0,"tid":)" +
         std::to_string(stream) + R"(,"ts":)" + std::to_string(from) + R"(,"dur":)" +
         std::to_string(duration) + R"(,"args":{"stream":)" + std::to_string(stream) +
         R"(,"device":0,"correlation":)" + std::to_string(from) + "}}";
}
std::string call(int correlation, int from, int duration) {
  return R"({"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":9,"tid":9,"ts":)" +
         std::to_string(from) + R"(,"dur":)" + std::to_string(duration) +
         R"(,"args":{"correlation":)" + std::to_string(correlation) + "}}";
}

class RanksOfATraining : public testing::Test {
 protected:
  void write(const std::string& name, const std::string& more, const std::string& events) const {
    writeFile(folder_.path(name), "{" + more + "\"traceEvents\":[" + events + "]}");
  }
  test::TemporaryFolder folder_;
};

TEST_F(RanksOfATraining, StandOnOneClockWhereCollectivesEndTogether) {
  // The same two collectives; the second rank's clock is 1,000 us ahead, and it comes 8 us late.
  write("b.pt.trace.json", R"("distributedInfo":{"rank":0},)",
        work("kernel", "gemm", 7, 0, 10) + "," +
            work("kernel", "ncclDevKernel_AllReduce", 8, 10, 30) + "," +
            work("kernel", "ncclDevKernel_AllReduce", 8, 60, 30));
  write("a.pt.trace.json", R"("distributedInfo":{"rank":1},)",
        work("kernel", "gemm", 7, 1'000, 10) + "," +
            work("kernel", "ncclDevKernel_AllReduce", 8, 1'018, 22) + "," +
            work("kernel", "ncclDevKernel_AllReduce", 8, 1'068, 22));
  writeFile(folder_.path("notes.txt"), "not a trace");
  const TraceRanks ranks = importRanks(folder_.path(""));
  ASSERT_EQ(ranks.ranks.size(), 2u);
  EXPECT_EQ(ranks.ranks[0].file, "b.pt.trace.json");
  EXPECT_EQ(ranks.collectives, 2u);
  EXPECT_THAT(ranks.aligned, HasSubstr("2 collectives"));
  EXPECT_EQ(ranks.ranks[0].shift, ranks.ranks[1].shift) << "each counts from its own begin";
  EXPECT_EQ(ranks.ranks[1].last, 2u);
  EXPECT_DOUBLE_EQ(ranks.ranks[1].lateness, 8'000);
  EXPECT_DOUBLE_EQ(ranks.ranks[0].lateness, 0);

  const auto all = joinedRanks(ranks, "training");
  EXPECT_EQ(all->size(), 6u);
  ASSERT_EQ(devicesOf(*all).size(), 2u);
  EXPECT_THAT(devicesOf(*all)[0].name, HasSubstr("rank 0"));
  EXPECT_THAT(all->note(), HasSubstr("2 ranks"));
  EXPECT_EQ(all->length(), 90'000);
}

TEST_F(RanksOfATraining, HaveTheNumbersOfTheirNamesAndTheClocksOfTheirMachines) {
  write("rank_10.json", R"("baseTimeNanoseconds":5000000,)", work("kernel", "k", 7, 0, 10));
  write("rank_2.json", R"("baseTimeNanoseconds":5003000,)", work("kernel", "k", 7, 0, 10));
  const TraceRanks ranks = importRanks(folder_.path(""));
  ASSERT_EQ(ranks.ranks.size(), 2u);
  EXPECT_EQ(ranks.ranks[0].number, 2);
  EXPECT_EQ(ranks.ranks[1].number, 10);
  EXPECT_EQ(ranks.ranks[0].shift, 3'000);
  EXPECT_EQ(ranks.ranks[1].shift, 0);
}

TEST_F(RanksOfATraining, ThatCannotBeReadAreSaidAndTheOthersShown) {
  write("rank0.json", "", work("kernel", "k", 7, 0, 10));
  write("rank1.json", "", "");
  const TraceRanks ranks = importRanks(folder_.path(""));
  EXPECT_EQ(ranks.ranks.size(), 1u);
  ASSERT_EQ(ranks.skipped.size(), 1u);
  EXPECT_THAT(ranks.skipped[0], HasSubstr("rank1.json"));
}

TEST_F(RanksOfATraining, AreNoneInADirectoryWithoutTraces) {
  EXPECT_FALSE(looksLikeRanks(folder_.path("")));
  EXPECT_THROW(importRanks(folder_.path("")), InputError);
}

TEST_F(RanksOfATraining, AreNoneOfTracesThatHaveNothingToDoWithEachOther) {
  write("resnet.json", "", work("kernel", "ampere_sgemm_128x64", 7, 0, 10));
  write("decode.json", "", work("kernel", "add", 7, 0, 10));
  write("prefill.json", "", work("kernel", "ncclDevKernel_AllReduce", 8, 0, 10));
  const TraceRanks ranks = importRanks(folder_.path(""));
  EXPECT_FALSE(ranks.related);
  EXPECT_THAT(ranks.aligned, HasSubstr("not ranks of one run"));
  const auto traces = openTraces(folder_.path(""));
  ASSERT_EQ(traces.size(), 3u);
  EXPECT_EQ(traces[0]->title(), "decode.json");
  EXPECT_EQ(traces[0]->size(), 1u);
}

TEST_F(RanksOfATraining, AreToldByTheirCollectivesWhereNothingIsNumbered) {
  for (const char* name : {"a.json", "b.json"})
    write(name, "", work("kernel", "ncclDevKernel_AllReduce", 8, 0, 10));
  const TraceRanks ranks = importRanks(folder_.path(""));
  EXPECT_TRUE(ranks.related);
  EXPECT_EQ(openTraces(folder_.path("")).size(), 1u);
}

TEST_F(RanksOfATraining, CountCollectivesOfEveryLibraryAsCommunication) {
  const char* const names[] = {
      "void (anonymous namespace)::multimem_all_reduce_kernel<4>(int)",
      "void vllm::cross_device_reduce_1stage<float, 8>(int)", "ncclSymkDevKernel_AllGather_STMC",
      "void deep_ep::intranode::dispatch<8>(int)", "nvshmemi_proxy_barrier_all"};
  std::string events;
  for (int i = 0; i < 5; ++i) events += (i ? "," : "") + work("kernel", names[i], 8, 100 * i, 10);
  write("t.json", "", events);
  const TraceRanks ranks = importRanks(folder_.path(""));
  const auto found = breakdownOf(*ranks.ranks.at(0).trace);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].communication, 50'000);
  EXPECT_EQ(found[0].computing, 0);
}

TEST_F(RanksOfATraining, DivideTheCallOfAGraphAmongItsKernels) {
  // A launch of 10 us that sets off 20 kernels of 2 us each: none is shorter than its share.
  std::string events = call(5, 0, 10);
  for (int i = 0; i < 20; ++i) {
    std::string kernel = work("kernel", "add", 7, 20 + 3 * i, 2);
    kernel.replace(kernel.find("correlation\":") + 13, std::string::npos, "5}}");
    events += "," + kernel;
  }
  write("t.json", "", events);
  const auto found = breakdownOf(*importRanks(folder_.path("")).ranks.at(0).trace);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].kernels, 20u);
  EXPECT_EQ(found[0].shorter, 0u);
}

TEST_F(RanksOfATraining, BreakTheirTimeDown) {
  // Stream 7: two kernels and a copy; stream 8: a collective that overlaps the first kernel.
  write("t.json", "",
        call(10, 5, 2) + "," + work("kernel", "gemm", 7, 10, 20) + "," + call(50, 45, 3) + "," +
            work("kernel", "add", 7, 50, 1) + "," + work("gpu_memcpy", "Memcpy HtoD", 7, 60, 5) +
            "," + call(20, 8, 2) + "," + work("kernel", "ncclDevKernel", 8, 20, 20));
  const TraceRanks ranks = importRanks(folder_.path(""));
  const auto found = breakdownOf(*ranks.ranks.at(0).trace);
  ASSERT_EQ(found.size(), 1u);
  const DeviceBreakdown& one = found[0];
  EXPECT_EQ(one.total, 60'000);  // from the call at 5 to the copy's end at 65
  EXPECT_EQ(one.computing, 21'000);
  EXPECT_EQ(one.communication, 10'000);
  EXPECT_EQ(one.collectives, 20'000);
  EXPECT_EQ(one.overlap, 10'000);
  EXPECT_EQ(one.memory, 5'000);
  EXPECT_EQ(one.idle, 60'000 - 36'000);
  EXPECT_EQ(one.hostWait, 20'000);  // 30 to 50, launched at 45
  EXPECT_EQ(one.otherWait, 9'000);  // 51 to 60, of no call
  EXPECT_EQ(one.kernels, 3u);
  EXPECT_EQ(one.shorter, 1u);
  EXPECT_EQ(one.mostQueued, 1u);
}

}  // namespace
}  // namespace fusebench

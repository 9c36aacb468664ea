// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/trace/trace_savings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "profiler/trace/trace_breakdown.h"
#include "profiler/trace/trace_builder.h"
#include "profiler/trace/trace_import.h"
#include "profiler/trace/trace_parts.h"
#include "tests/support/built_paths.h"

namespace fusebench {
namespace {

using testing::HasSubstr;

/// A host that launches a kernel of 1,000 ns every 5,000 ns.
class SavingsOfATrace : public testing::Test {
 protected:
  void launch(const std::string& kernel, Nanoseconds duration = 1'000) {
    ++number_;
    builder_.addSpan({host_, SpanKind::runtime, "cudaLaunchKernel", at_, at_ + 4'000, number_});
    builder_.addLaunch({.name = kernel,
                        .start = at_ + 4'000,
                        .end = at_ + 4'000 + duration,
                        .deviceLane = stream_,
                        .correlation = number_});
    at_ += std::max<Nanoseconds>(5'000, duration);
  }
  /// A copy of 1,000 ns.
  void copy(const std::string& name) {
    ++number_;
    builder_.addSpan({host_, SpanKind::runtime, "cudaMemcpyAsync", at_, at_ + 4'000, number_});
    builder_.addLaunch({.kind = SpanKind::copy,
                        .name = name,
                        .start = at_ + 4'000,
                        .end = at_ + 5'000,
                        .deviceLane = stream_,
                        .correlation = number_});
    at_ += 5'000;
  }
  void wait() {
    builder_.addSpan(
        {host_, SpanKind::runtime, "cudaDeviceSynchronize", at_, at_ + 900, ++number_});
    at_ += 1'000;
  }

  TraceBuilder builder_{"t"};
  LaneId host_ = builder_.lane({Lane::Kind::host, 1, 1, "p", "t"});
  LaneId stream_ = builder_.lane({Lane::Kind::device, 0, 7, "GPU 0", "stream 7"});
  std::uint64_t number_ = 0;
  Nanoseconds at_ = 0;
};

TEST_F(SavingsOfATrace, AreThoseOfRunsThatComeAgain) {
  for (int step = 0; step < 3; ++step) {
    for (const char* kernel : {"add", "mul", "sin", "exp"}) launch(kernel);
    wait();
  }
  const Savings found = savingsOf(*builder_.finish());
  EXPECT_EQ(found.costs.call, 4'000);
  EXPECT_EQ(found.costs.interval, 5'000);
  EXPECT_EQ(found.costs.least, 1'000);
  ASSERT_EQ(found.ranked.size(), 1u);
  const Saving& saving = found.ranked[0];
  EXPECT_EQ(saving.runs.size(), 3u);
  EXPECT_EQ(saving.count, 4u);
  EXPECT_EQ(saving.kernels, "add, mul, sin and 1 more");
  // Four kernels 5,000 ns apart take 16,000 ns; one takes 1,000.
  EXPECT_EQ(saving.now, 48'000);
  EXPECT_EQ(saving.oneKernel, 3'000);
  EXPECT_EQ(found.total - found.ifKernels, 45'000);
}

TEST_F(SavingsOfATrace, OfARangeAreThoseOfTheWorkInIt) {
  for (int step = 0; step < 3; ++step) {
    for (const char* kernel : {"add", "mul", "sin", "exp"}) launch(kernel);
    wait();
  }
  const auto trace = builder_.finish();
  const TimeRange second{21'000, 42'000};
  const Savings found = savingsOf(*trace, {}, second);
  EXPECT_EQ(found.costs.calls, savingsOf(*trace).costs.calls);
  ASSERT_EQ(found.ranked.size(), 1u);
  EXPECT_EQ(found.ranked[0].runs.size(), 1u);
  EXPECT_EQ(found.ranked[0].now, 16'000);
  EXPECT_EQ(found.ranked[0].oneKernel, 1'000);
  EXPECT_EQ(found.total, 21'000);
  EXPECT_EQ(found.total - found.ifKernels, 15'000);

  const auto devices = breakdownOf(*trace, second);
  ASSERT_EQ(devices.size(), 1u);
  EXPECT_EQ(devices[0].total, 21'000);
  EXPECT_EQ(devices[0].computing, 4'000);
  EXPECT_EQ(devices[0].idle, 17'000);
  EXPECT_EQ(devices[0].kernels, 4u);
  // A kernel that the range cuts counts in part.
  const Nanoseconds cut = trace->start(savingsOf(*trace).ranked[0].runs[0].first) + 400;
  EXPECT_EQ(breakdownOf(*trace, TimeRange{0, cut})[0].computing, 400);
  EXPECT_EQ(breakdownOf(*trace, TimeRange{cut, cut + 600})[0].kernels, 0u);
}

TEST_F(SavingsOfATrace, CountWhatKernelsTakeBeyondTheShortest) {
  launch("add", 1'000);
  launch("mul", 1'500);
  launch("sin", 3'000);
  const Savings found = savingsOf(*builder_.finish());
  ASSERT_EQ(found.ranked.size(), 1u);
  EXPECT_EQ(found.ranked[0].oneKernel, 3'500);
}

TEST_F(SavingsOfATrace, EndARunAtALongKernelAtACopyAndAtAWait) {
  launch("a");
  launch("b");
  launch("long", 20'000);
  launch("c");
  launch("d");
  wait();
  launch("e");
  launch("f");
  EXPECT_TRUE(savingsOf(*builder_.finish()).ranked.empty());
}

TEST_F(SavingsOfATrace, FuseNoProductsButPutThemIntoGraphs) {
  for (int i = 0; i < 40; ++i) launch(i % 4 ? "add" : "ampere_sgemm_128x64");
  const Savings found = savingsOf(*builder_.finish());
  ASSERT_EQ(found.ranked.size(), 1u);
  EXPECT_FALSE(found.ranked[0].fusible);
  EXPECT_EQ(found.ifKernels, found.total);
  EXPECT_LT(found.ifGraphs, found.total);
}

TEST_F(SavingsOfATrace, FuseNothingThatIsUnknownAndSayHowMuchOfTheTimeThatIs) {
  for (int i = 0; i < 40; ++i) launch(i % 4 ? "add" : "some_future_kernel");
  const Savings found = savingsOf(*builder_.finish());
  ASSERT_EQ(found.ranked.size(), 1u);
  EXPECT_FALSE(found.ranked[0].fusible);
  EXPECT_DOUBLE_EQ(found.unknownShare, 0.25);
  EXPECT_THAT(assumptionsOf(found), testing::Contains(HasSubstr("25.0 % of the kernels' time")));
}

TEST_F(SavingsOfATrace, FuseNoProductsByTheNamesOfNewLibraries) {
  for (const char* product :
       {"Cijk_Alik_Bljk_BBS_BH_Bias_HA_S_SAV_UserArgs_MT128x256x32_MI16x16x1",
        "nvjet_tst_192x8_64x8_4x1_v_bz_TNT", "attn_fwd", "_matmul_ogs_NNT_bf16xbf16xmxfp4"}) {
    for (const char* name : {"add", product, "mul", "add"}) launch(name);
    wait();
  }
  for (const Saving& one : savingsOf(*builder_.finish()).ranked)
    EXPECT_FALSE(one.fusible) << one.kernels;
}

TEST_F(SavingsOfATrace, FuseWhatIsOnlyCalledLikeAConvolution) {
  for (const char* name :
       {"triton_poi_fused_convolution_relu_3", "triton_poi_fused_convert_element_type_0",
        "std::enable_if<8, void>::type vllm::fused_add_rms_norm_kernel<vllm::_typeConvert>(int)"})
    launch(name);
  const Savings found = savingsOf(*builder_.finish());
  ASSERT_EQ(found.ranked.size(), 1u);
  EXPECT_TRUE(found.ranked[0].fusible);
}

TEST_F(SavingsOfATrace, TakeAWholeStepAsOneGraphWithCopiesAndLongKernels) {
  for (int step = 0; step < 2; ++step) {
    for (int i = 0; i < 20; ++i) {
      launch("add");
      launch("ampere_sgemm_128x64", 20'000);
      copy("Memcpy DtoD (Device -> Device)");
    }
    wait();
  }
  const Savings found = savingsOf(*builder_.finish());
  EXPECT_TRUE(found.ranked.empty()) << "no run of small kernels";
  EXPECT_EQ(found.ifGraphs, found.total);
  EXPECT_EQ(found.steps, 2u);
  // A step lasts from its first call at 0 to the end of its last copy at 20 * 30,000; one graph
  // takes its 60 nodes' 22,000 each three, 59 gaps of 500 and 15,000 + 60 * 580 of launching.
  const Nanoseconds now = 20 * 30'000, graph = 20 * 22'000 + 59 * 500 + 15'000 + 60 * 580;
  EXPECT_EQ(found.total - found.ifStepGraphs, 2 * (now - graph));
}

TEST_F(SavingsOfATrace, EndAStepOnlyWhereTheHostReadsAResult) {
  for (int i = 0; i < 10; ++i) {
    for (int k = 0; k < 3; ++k) launch("add");
    copy("Memcpy HtoD (Pageable -> Device)");
    wait();  // for the copy, of which nothing is read
  }
  EXPECT_EQ(savingsOf(*builder_.finish()).steps, 1u);
}

TEST_F(SavingsOfATrace, AreNotThereWhereTheDeviceIsBusyAnyway) {
  // Kernels that take longer than their launches hide them.
  for (int i = 0; i < 10; ++i) launch("big", 50'000);
  EXPECT_TRUE(savingsOf(*builder_.finish()).ranked.empty());
}

TEST_F(SavingsOfATrace, AreUnknownWithoutCalls) {
  builder_.addLaunch({.name = "k", .start = 0, .end = 100, .deviceLane = stream_});
  const Savings found = savingsOf(*builder_.finish());
  EXPECT_TRUE(found.ranked.empty());
  EXPECT_THAT(assumptionsOf(found)[0], HasSubstr("is unknown"));
}

TEST(SavingsOfTheRecording, AreAsExactAsTheyAreSaidToBe) {
  for (const char* name : {"h100_launches", "h200_launches"}) {
    const auto parts = partsOf(
        importTrace(fusebench::test::sourcePath("/resources/recordings/") + name + ".json.gz"));
    const auto recorded = [&](const char* title) -> const Trace& {
      for (const auto& part : parts)
        if (part->title() == title) return *part;
      throw std::runtime_error(title);
    };
    const Savings found = savingsOf(recorded("eager"));
    const auto errorOf = [](Nanoseconds estimate, Nanoseconds measured) {
      return std::abs(static_cast<double>(estimate) / static_cast<double>(measured) - 1);
    };
    const double fused = errorOf(found.ifKernels, recordedOf(recorded("static")).length());
    const double graphs = errorOf(found.ifGraphs, recordedOf(recorded("replay")).length());
    EXPECT_LE(fused, kFusedError) << name << ": " << found.ifKernels;
    EXPECT_LE(graphs, kGraphError) << name << ": " << found.ifGraphs;
    // The estimate is of something: eager takes several times as long.
    EXPECT_GT(recordedOf(recorded("eager")).length(), 3 * found.ifKernels / 2) << name;
    EXPECT_THAT(assumptionsOf(found).back(),
                HasSubstr("for one kernel is within 15 %, and that for a graph within 12 %"));
  }
}

}  // namespace
}  // namespace fusebench

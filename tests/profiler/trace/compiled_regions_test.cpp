// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/trace/compiled_regions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "profiler/trace/compiles_within.h"
#include "profiler/trace/trace_builder.h"
#include "profiler/trace/trace_import.h"
#include "tests/support/built_paths.h"

namespace fusebench {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(CompiledRegionsOfATrace, DivideTheHostsTimeOfACall) {
  TraceBuilder builder("compiled");
  const LaneId host = builder.lane({Lane::Kind::host, 1, 1, "python", "main"});
  const LaneId gpu = builder.lane({Lane::Kind::device, 0, 7, "GPU 0", "stream 7"});
  const auto op = [&](const char* name, Nanoseconds from, Nanoseconds to) {
    builder.addSpan({host, SpanKind::op, name, from, to});
  };
  for (const Nanoseconds at : {0, 1000}) {
    op("TorchDynamo Cache Lookup", at, at + 80);
    op("Torch-Compiled Region: 0/0", at + 90, at + 390);
    op("AOTDispatcher Runtime Wrapper Prologue", at + 100, at + 110);
    op("## Call CompiledFxGraph abc ##", at + 150, at + 350);
    op("aten::addmm", at + 160, at + 200);
    const auto correlation = static_cast<std::uint64_t>(at + 1);
    builder.addSpan({host, SpanKind::runtime, "cudaLaunchKernel", at + 210, at + 225, correlation});
    builder.addSpan(
        {host, SpanKind::runtime, "cudaGraphLaunch", at + 240, at + 270, correlation + 1});
    builder.addLaunch({.name = "triton_poi_fused_relu_0",
                       .start = at + 300,
                       .end = at + 307,
                       .deviceLane = gpu,
                       .correlation = correlation});
    builder.addLaunch({.name = "gemm",
                       .start = at + 310,
                       .end = at + 350,
                       .deviceLane = gpu,
                       .correlation = correlation + 1});
    op("aten::add", at + 500, at + 600);  // not compiled
  }
  const auto made = compiledRegionsOf(*builder.finish());
  ASSERT_TRUE(made);
  EXPECT_EQ(made->calls, 2u);
  EXPECT_EQ(made->graphs, 2u);
  EXPECT_EQ(made->lookup, 2 * 80);
  EXPECT_EQ(made->wrapper, 2 * (300 - 200));
  // Each call launches a CUDA graph: what the compiled graph does besides are checks.
  EXPECT_EQ(made->checks, 2 * (200 - 40 - 15 - 30));
  EXPECT_EQ(made->code, 0);
  EXPECT_EQ(made->operators, 2 * 40);
  EXPECT_EQ(made->launches, 2 * 15);
  EXPECT_EQ(made->graphLaunch, 2 * 30);
  EXPECT_EQ(made->kernels, 2 * (7 + 40));
  EXPECT_EQ(made->total, 2 * (80 + 300));
  Nanoseconds sum = 0;
  for (const auto& [part, time] : partsOf(*made)) sum += time;
  EXPECT_EQ(sum, made->total);
}

TEST(CompiledRegionsOfATrace, SayWhatACallCostsBesidesItsLaunches) {
  const CompiledRegions regions{.calls = 2,
                                .graphs = 2,
                                .total = 20'000,
                                .lookup = 4'000,
                                .wrapper = 6'000,
                                .checks = 5'000,
                                .launches = 1'000,
                                .graphLaunch = 4'000,
                                .kernels = 6'000};
  const std::string cost = costSentence(regions);
  EXPECT_THAT(cost,
              HasSubstr("2 calls of torch.compile take 10.0 us each on the host, 7.50 us of it"));
  EXPECT_THAT(cost, HasSubstr("cache lookup and guards 20.0%"));
  EXPECT_THAT(cost, HasSubstr("checks of the CUDA graph tree 25.0%"));
  EXPECT_THAT(cost, HasSubstr("CUDA graph launches 20.0%"));
  EXPECT_THAT(cost, Not(HasSubstr("code of the compiled graph")));
}

TEST(CompiledRegionsOfATrace, SayWhenCompilingHelpsOnTopOfACudaGraph) {
  CompiledRegions regions{
      .calls = 2, .graphs = 2, .total = 20'000, .graphLaunch = 4'000, .kernels = 6'000};
  // The slower side of a call has to be beaten: here the host.
  EXPECT_THAT(graphSentence(regions), HasSubstr("The host sets the time of a call"));
  EXPECT_THAT(graphSentence(regions), HasSubstr("only the launch of the graph, 2.00 us per call"));
  EXPECT_THAT(graphSentence(regions), HasSubstr("take more than 10.0 us per call without"));
  regions.kernels = 50'000;
  EXPECT_THAT(graphSentence(regions), HasSubstr("The kernels set the time of a call"));
  EXPECT_THAT(graphSentence(regions), HasSubstr("take more than 25.0 us per call without"));
  regions.graphs = 0;
  EXPECT_THAT(graphSentence(regions), HasSubstr("mode=\"reduce-overhead\" records one"));
  regions.kernels = 0;
  EXPECT_THAT(graphSentence(regions), HasSubstr("is unknown: no kernels"));
}

TEST(CompiledRegionsOfATrace, KeepTheCodeApartFromTheChecksOfCudaGraphs) {
  TraceBuilder builder("compiled");
  const LaneId host = builder.lane({Lane::Kind::host, 1, 1, "python", "main"});
  const auto span = [&](SpanKind kind, const char* name, Nanoseconds from, Nanoseconds to) {
    builder.addSpan({host, kind, name, from, to});
  };
  span(SpanKind::op, "Torch-Compiled Region: 0/0", 0, 300);
  span(SpanKind::op, "## Call CompiledFxGraph a ##", 0, 100);  // runs its code
  span(SpanKind::op, "## Call CompiledFxGraph b ##", 100, 300);
  span(SpanKind::other, "cudagraph_trees.py(1): run", 120, 280);
  span(SpanKind::runtime, "cudaGraphLaunch", 200, 250);
  const auto made = compiledRegionsOf(*builder.finish());
  ASSERT_TRUE(made);
  EXPECT_EQ(made->code, 100);
  EXPECT_EQ(made->checks, 200 - 50);
  EXPECT_EQ(made->graphLaunch, 50);
  EXPECT_EQ(made->total, 300);
}

TEST(CompiledRegionsOfATrace, AreThoseThatPyTorchRecords) {
  const auto trace =
      importTrace(test::sourcePath("/tests/profiler/traces/torch_2_15_compiled.json.gz"));
  const auto made = compiledRegionsOf(*trace);
  ASSERT_TRUE(made);
  EXPECT_EQ(made->calls, 4u);
  Nanoseconds lookups = 0, regions = 0;
  for (EventId e = 0; e < trace->size(); ++e) {
    if (trace->name(e) == "TorchDynamo Cache Lookup") lookups += trace->duration(e);
    if (trace->name(e).starts_with("Torch-Compiled Region")) regions += trace->duration(e);
  }
  EXPECT_EQ(made->lookup, lookups);
  EXPECT_EQ(made->total, lookups + regions);
  EXPECT_GT(made->code, 0);
  EXPECT_GT(made->operators, 0);
}

TEST(CompiledRegionsOfATrace, AreNoneWithoutTorchCompile) {
  EXPECT_FALSE(compiledRegionsOf(
      *importTrace(test::sourcePath("/tests/profiler/traces/torch_2_15_modules.json.gz"))));
}

TEST(CompilesWithinATrace, AreItsOutermostPhases) {
  TraceBuilder builder("compiles");
  const LaneId host = builder.lane({Lane::Kind::host, 1, 1, "python", "main"});
  const LaneId other = builder.lane({Lane::Kind::host, 1, 2, "python", "backward"});
  const auto op = [&](LaneId lane, const char* name, Nanoseconds from, Nanoseconds to) {
    builder.addSpan({lane, SpanKind::op, name, from, to});
  };
  op(host, "aten::add", 0, 100);
  op(host, "_compile.compile_inner (dynamo_timed)", 1'000, 5'000);
  op(host, "entire_frame_compile (dynamo_timed)", 1'000, 5'000);
  op(host, "backend_compile (dynamo_timed)", 2'000, 4'000);
  op(host, "_compile.compile_inner (dynamo_timed)", 6'000, 7'000);
  op(other, "entire_backward_compile (dynamo_timed)", 6'500, 7'500);
  op(host, "aten::add", 9'000, 10'000);
  const auto made = compilesWithin(*builder.finish());
  ASSERT_TRUE(made);
  EXPECT_EQ(made->count, 3u);
  EXPECT_EQ(made->total, 4'000 + 1'000 + 1'000);
  EXPECT_EQ(made->recorded, 10'000);
  EXPECT_EQ(made->longest, (TimeRange{1'000, 5'000}));
  EXPECT_THAT(compilesSentence(*made),
              HasSubstr("within this trace: 3, which take 6.00 us, 60.0% of it; "
                        "the longest is at 1.00 us."));
}

TEST(CompilesWithinATrace, AreNotThereWithoutPhases) {
  TraceBuilder builder("eager");
  const LaneId host = builder.lane({Lane::Kind::host, 1, 1, "python", "main"});
  builder.addSpan({host, SpanKind::op, "aten::add", 0, 100});
  EXPECT_FALSE(compilesWithin(*builder.finish()));
}

}  // namespace
}  // namespace fusebench

// SPDX-License-Identifier: GPL-3.0-or-later
// How kernels are launched: grids, blocks and scratch memory by size.
#include <bit>

#include <gtest/gtest.h>

#include "engine/cuda/codegen/codegen.h"
#include "tests/engine/cuda/kernels.h"
#include "tests/engine/support/engine_fixture.h"

namespace fusebench::cuda {
namespace {

using test::CudaKernels;

std::int64_t threadsOf(const LaunchStep& step) {
  return std::int64_t{1} * step.blocksX * step.blocksY * step.threadsX * step.threadsY;
}

Source eager(const char* text, int rank = 1) {
  return generate(CudaKernels::one(
      "eager", text, {rank == 1 ? CudaKernels::Input{{64}} : CudaKernels::Input{{8, 16}}}));
}

TEST(LaunchPlan, SmallPointwiseKernelsHaveAThreadForEachElement) {
  const Source source = eager("return torch.sin(x)");
  for (const std::int64_t elements : {1, 31, 32, 128, 257, 10'000, 132 * 1024}) {
    const LaunchPlan plan = source.plan(&elements, 132);
    ASSERT_TRUE(plan.launches);
    EXPECT_GE(threadsOf(plan.step), elements);
    EXPECT_LT(threadsOf(plan.step), elements + 256);
    EXPECT_EQ(plan.step.threadsX % 32, 0u);
    EXPECT_EQ(plan.scratchBytes, 0u);
  }
}

TEST(LaunchPlan, LargePointwiseKernelsHaveSomeBlocksForEachMultiprocessor) {
  const Source source = eager("return torch.sin(x)");
  for (const std::int64_t elements :
       {std::int64_t{1} << 20, std::int64_t{1} << 28, std::int64_t{1} << 40}) {
    const LaunchPlan plan = source.plan(&elements, 100);
    EXPECT_LT(threadsOf(plan.step), elements);
    EXPECT_LE(plan.step.blocksX, 3200u);
    EXPECT_GE(plan.step.blocksX, 100u);
  }
}

TEST(LaunchPlan, WithoutALoopThereAreThreadsForAllOnEveryDevice) {
  const Source source = generate(CudaKernels::one("static", "return torch.sin(x)", {{{128, 128}}}));
  ASSERT_TRUE(source.loops.oneElementAThread);
  EXPECT_GE(threadsOf(source.plan(nullptr, 1).step), 128 * 128);
}

TEST(LaunchPlan, NothingToComputeIsNoLaunch) {
  const std::int64_t none = 0;
  EXPECT_FALSE(eager("return torch.sin(x)").plan(&none, 10).launches);
  const std::int64_t noRows[] = {0, 16, 16};
  EXPECT_FALSE(eager("return x.sum(dim=1)", 2).plan(noRows, 10).launches);
  // A sum of nothing is 0 and must be written.
  const std::int64_t empty[] = {8, 0, 16};
  EXPECT_TRUE(eager("return x.sum(dim=1)", 2).plan(empty, 10).launches);
}

TEST(LaunchPlan, AFullReductionTakesOneBlockWhenSmallAndSeveralWhenLarge) {
  const Source source = eager("return x.sum()");
  for (const std::int64_t elements : {1, 100, 16384}) {
    const LaunchPlan plan = source.plan(&elements, 132);
    ASSERT_TRUE(plan.launches) << elements;
    EXPECT_EQ(plan.parts, 1);
    EXPECT_EQ(plan.step.blocksX * plan.step.blocksY, 1u);
    EXPECT_EQ(plan.scratchBytes, 0u);
  }
  for (const std::int64_t elements : {20'000, 1 << 20, 1 << 30}) {
    const LaunchPlan plan = source.plan(&elements, 132);
    ASSERT_GT(plan.parts, 1) << elements;
    EXPECT_LE(plan.parts, 1024);
    EXPECT_EQ(plan.step.blocksY, static_cast<std::uint32_t>(plan.parts));
    EXPECT_EQ(plan.scratchBytes, 8u * static_cast<std::size_t>(plan.parts));
  }
}

TEST(LaunchPlan, WhatIsStoredAndReducedInOneLoopIsCutIntoPartsToo) {
  const Source source = generate(CudaKernels::one(
      "static", "y = torch.relu(x)\nreturn y, (y.amax() - x.amin()) / 255", {{{64, 1024}}}));
  ASSERT_FALSE(source.loops.wholeRows);
  const LaunchPlan plan = source.plan(nullptr, 132);
  EXPECT_GE(plan.step.blocksY, 16u);
  EXPECT_EQ(plan.scratchBytes, plan.step.blocksY * source.loops.partialBytes);
}

TEST(LaunchPlan, DearElementsAreDealtOutToMoreThreadsAndBlocks) {
  const Source cheap = eager("return x.sum()");
  const Source dear = generate(CudaKernels::one("dynamic", studyProgram(), {{{64}}}));
  EXPECT_GT(dear.loops.weight, 100 * cheap.loops.weight);
  for (const std::int64_t elements : {128, 4096, 65'536})
    EXPECT_GE(threadsOf(dear.plan(&elements, 132).step),
              4 * threadsOf(cheap.plan(&elements, 132).step))
        << elements;
  const std::int64_t large = 65'536;
  EXPECT_GE(dear.plan(&large, 132).parts, 100);
}

TEST(LaunchPlan, SeveralShortRowsShareAWarp) {
  const std::int64_t integers[] = {100'000, 40, 40};
  const LaunchPlan plan = eager("return x.sum(dim=1)", 2).plan(integers, 132);
  EXPECT_EQ(plan.parts, 1);
  EXPECT_EQ(plan.step.threadsX, 8u);
  EXPECT_EQ(plan.step.threadsY, 32u);
  // Even if there are few of them, their block is whole warps.
  const std::int64_t few[] = {3, 16, 16};
  const LaunchPlan small = eager("return x.sum(dim=1)", 2).plan(few, 132);
  EXPECT_EQ(small.step.threadsX * small.step.threadsY % 32, 0u);
}

TEST(LaunchPlan, FewLongRowsAreCutIntoParts) {
  const std::int64_t integers[] = {8, 1 << 20, 1 << 20};
  const Source source = eager("return x.var(dim=1)", 2);
  const LaunchPlan plan = source.plan(integers, 132);
  EXPECT_GT(plan.parts, 1);
  EXPECT_GE(plan.step.blocksX * plan.step.blocksY, 132u);
  EXPECT_EQ(plan.scratchBytes, 24u * 8u * static_cast<std::size_t>(plan.parts));
}

TEST(LaunchPlan, KeepsToWhatEntriesAndGridsAllow) {
  const Source rows = eager("return x.std(dim=1)", 2), columns = eager("return x.std(dim=0)", 2);
  for (const Source* source : {&rows, &columns})
    for (const std::int64_t a : {1, 2, 7, 32, 100, 5000, 1 << 22})
      for (const std::int64_t b : {1, 3, 31, 64, 1000, 70'000, 1 << 22})
        for (const int multiprocessors : {1, 46, 132, 5000}) {
          const std::int64_t integers[] = {a, b, b};
          const LaunchPlan plan = source->plan(integers, multiprocessors);
          const LaunchStep& step = plan.step;
          const Entry& entry = source->entries[step.entry];
          const unsigned threads = step.threadsX * step.threadsY;
          EXPECT_LE(threads, static_cast<unsigned>(entry.maxThreads));
          EXPECT_EQ(threads % 32, 0u);
          // Folding halves rows and columns of threads.
          EXPECT_TRUE(std::has_single_bit(step.threadsX));
          EXPECT_TRUE(std::has_single_bit(step.threadsY));
          if (entry.role == Role::columns) {
            EXPECT_EQ(step.threadsX, 32u);
          }
          EXPECT_LE(step.blocksY, 1024u);
          if (plan.parts > 1) {
            EXPECT_LE(step.blocksX, static_cast<unsigned>(kArrivalCounters));
          }
        }
}

TEST(LaunchPlan, RowsThatAreKeptInRegistersHaveAWarpOrABlock) {
  const Source source =
      generate(CudaKernels::one("dynamic", "return torch.softmax(x, -1)", {{{64, 512}}}));
  ASSERT_EQ(source.loops.keptElements, 16);
  const auto stepOf = [&](std::int64_t rows, std::int64_t length) {
    const std::int64_t integers[] = {rows, length, length, length};
    const LaunchPlan plan = source.plan(integers, 132);
    EXPECT_EQ(plan.parts, 1);
    EXPECT_EQ(plan.step.threadsX * plan.step.threadsY % 32, 0u);
    EXPECT_GE(std::int64_t{plan.step.blocksX} * plan.step.threadsY, rows);
    return plan.step;
  };
  EXPECT_EQ(stepOf(8192, 512).threadsX, 32u);
  EXPECT_EQ(stepOf(8192, 512).threadsY, 8u);
  EXPECT_EQ(stepOf(256, 512).threadsY, 1u);  // blocks for all multiprocessors
  EXPECT_EQ(stepOf(8192, 8192).threadsX, 512u);
  EXPECT_EQ(stepOf(100, 16).threadsX, 4u);
}

TEST(LaunchPlan, RowsOfEveryFloatAreKept) {
  for (const DType dtype : {DType::float64, DType::float32, DType::float16, DType::bfloat16}) {
    const Source source =
        generate(CudaKernels::one("dynamic", "return torch.softmax(x, -1)", {{{64, 512}, dtype}}));
    EXPECT_EQ(source.loops.keptElements, dtype == DType::float64 ? 8 : 16) << info(dtype).name;
  }
}

TEST(LaunchPlan, EachThreadHasAVector) {
  for (const auto& [dtype, width] : {std::pair(DType::float64, 2), std::pair(DType::float16, 8)}) {
    const Source source =
        generate(CudaKernels::one("dynamic", "return x * 2", {{{1 << 20}, dtype}}));
    const std::int64_t integers[] = {1 << 20};
    EXPECT_EQ(std::int64_t{source.plan(integers, 132).step.blocksX} * 256 * width, 1 << 20)
        << info(dtype).name;
  }
}

TEST(LaunchPlan, IsTheSameForTheSameSizes) {
  const Source source = eager("return x.sum()");
  const std::int64_t elements = 123'456;
  const LaunchPlan a = source.plan(&elements, 80), b = source.plan(&elements, 80);
  EXPECT_EQ(a.parts, b.parts);
  EXPECT_EQ(a.step.threadsX, b.step.threadsX);
}

}  // namespace
}  // namespace fusebench::cuda

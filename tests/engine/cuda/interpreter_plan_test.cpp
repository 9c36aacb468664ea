// SPDX-License-Identifier: GPL-3.0-or-later
// How op lists are launched: blocks, threads and scratch memory by size, on devices small and
// large.
#include <bit>

#include <gtest/gtest.h>

#include "engine/cuda/codegen/kernel_facts.h"
#include "engine/cuda/instant/interpreter_source.h"
#include "engine/cuda/instant/interpreter_walk.h"

namespace fusebench::cuda {
namespace {

OpListLaunch walkOf(std::int64_t results, std::int64_t length, bool byRows = true) {
  OpListLaunch walk;
  walk.results = results;
  walk.length = length;
  walk.byRows = byRows;
  return walk;
}

bool isFour(const LaunchStep& step) {
  return step.entry == static_cast<std::uint32_t>(InterpreterEntry::four);
}

std::int64_t threadsIn(const LaunchStep& step) {
  return std::int64_t{1} * step.blocksX * step.blocksY * step.threadsX * step.threadsY;
}

TEST(InterpreterPlan, SmallOpListsHaveAThreadForEachElementAndLargeOnesForFour) {
  for (const std::int64_t length : {1, 31, 33, 128, 4096, 132 * 1024}) {
    const LaunchPlan plan = planInterpreted(walkOf(1, length), {30, 0, 0}, 132);
    ASSERT_TRUE(plan.launches);
    EXPECT_FALSE(isFour(plan.step));
    EXPECT_GE(threadsIn(plan.step), length);
    EXPECT_LT(threadsIn(plan.step), length + kInterpreterThreads);
    EXPECT_EQ(plan.scratchBytes, 0u);
  }
  const LaunchPlan large = planInterpreted(walkOf(1, 132 * 1024 + 1), {30, 0, 0}, 132);
  EXPECT_TRUE(isFour(large.step));
  EXPECT_GE(4 * threadsIn(large.step), 132 * 1024 + 1);
  const LaunchPlan huge = planInterpreted(walkOf(1, std::int64_t{1} << 40), {30, 0, 0}, 132);
  EXPECT_LE(huge.step.blocksX, 132u * 32);
}

TEST(InterpreterPlan, NothingToComputeIsNoLaunchButASumOfNothingIsOne) {
  EXPECT_FALSE(planInterpreted(walkOf(1, 0), {3, 0, 0}, 10).launches);
  EXPECT_FALSE(planInterpreted(walkOf(0, 5), {3, 0, 1}, 10).launches);
  EXPECT_TRUE(planInterpreted(walkOf(5, 0), {3, 0, 1}, 10).launches);
}

TEST(InterpreterPlan, ReductionsKeepToWhatTheirEntriesTake) {
  for (const std::int64_t results : {1, 2, 7, 100, 5000, 1 << 20})
    for (const std::int64_t length : {0, 1, 5, 33, 1000, 70'000, 1 << 24})
      for (const bool byRows : {false, true})
        for (const int instructions : {2, 36, 500})
          for (const int processors : {1, 40, 132, 5000}) {
            const LaunchPlan plan =
                planInterpreted(walkOf(results, length, byRows), {instructions, 0, 1}, processors);
            const LaunchStep& step = plan.step;
            ASSERT_TRUE(plan.launches);
            EXPECT_TRUE(std::has_single_bit(step.threadsX) && std::has_single_bit(step.threadsY));
            EXPECT_EQ(step.threadsX * step.threadsY % 32, 0u);
            EXPECT_LE(step.threadsX * step.threadsY, byRows ? 512u : 256u);
            EXPECT_TRUE(byRows || step.threadsX == 32);
            EXPECT_EQ(step.blocksY, static_cast<std::uint32_t>(plan.parts));
            EXPECT_LE(plan.parts, 1024);
            if (plan.parts > 1) {
              EXPECT_LE(step.blocksX, static_cast<unsigned>(kArrivalCounters));
            }
            EXPECT_EQ(plan.scratchBytes,
                      plan.parts > 1 ? static_cast<std::size_t>(results * plan.parts) * 32 : 0u);
          }
}

TEST(InterpreterPlan, WhatWaitsInMemoryHasRoomForEveryThreadAndPartsLieBeforeIt) {
  for (const std::int64_t length : {1000, 1 << 22}) {
    const OpListDemand demand{100, kRegisterSlots + 3, 4};
    const LaunchPlan plan = planInterpreted(walkOf(1, length), demand, 8);
    const LaunchStep& step = plan.step;
    const auto threads = static_cast<std::size_t>(threadsIn(step));
    const std::size_t partials =
        plan.parts > 1 ? 4 * static_cast<std::size_t>(plan.parts) * 32 : 0u;
    const std::size_t gathered = 3 * threads * 32;
    const std::size_t values = 3 * threads * 4 * (isFour(step) ? 4 : 1);
    EXPECT_EQ(plan.scratchBytes, partials + gathered + values);
    EXPECT_LE(step.blocksX, 8u * 4);
    std::vector<std::byte> scratch(16);
    OpListLaunch launch = walkOf(1, length);
    placeScratch(launch, demand, plan, scratch.data());
    EXPECT_EQ(launch.partials, scratch.data());
    EXPECT_EQ(static_cast<std::byte*>(launch.gathered) - scratch.data(),
              static_cast<std::ptrdiff_t>(partials));
    EXPECT_EQ(reinterpret_cast<std::byte*>(launch.values) - scratch.data(),
              static_cast<std::ptrdiff_t>(partials + gathered));
    EXPECT_EQ(launch.parts, plan.parts);
    EXPECT_EQ(launch.instructions, 100);
  }
}

Kernel kernelOf(const Dims& extents, std::uint32_t reduced, const std::vector<Dims>& strides) {
  Kernel kernel;
  kernel.extents = extents;
  kernel.reducedMask = reduced;
  for (const Dims& each : strides) kernel.inputs.push_back({DType::float32, each});
  return kernel;
}

TEST(InterpreterWalk, FindsTensorsThatAreEvenAndThoseThatAreReadFourAtATime) {
  const std::int64_t none = 0;
  OpListLaunch walk;
  // Dense, one row repeated, transposed, every second column.
  setWalk(walk, kernelOf({6, 8}, 0, {{8, 1}, {0, 1}, {1, 6}, {16, 2}}), false, &none);
  EXPECT_EQ(walk.length, 48);
  EXPECT_EQ(walk.results, 1);
  const std::uint32_t even = kOuterEven | kInnerEven | kGroupEven;
  EXPECT_EQ(walk.tensors[0].how, even | kOneAccess);
  EXPECT_EQ(walk.tensors[1].how, kOuterEven | kGroupEven | kOneAccess);
  EXPECT_EQ(walk.tensors[2].how, kOuterEven | kGroupEven);
  EXPECT_EQ(walk.tensors[2].step, 6);
  EXPECT_EQ(walk.tensors[3].how, even);
  EXPECT_EQ(walk.tensors[3].step, 2);
  // The rows' length is not a multiple of four, so groups cross their ends.
  setWalk(walk, kernelOf({6, 7}, 0, {{7, 1}, {0, 1}}), false, &none);
  EXPECT_EQ(walk.tensors[0].how, even | kOneAccess);
  EXPECT_EQ(walk.tensors[1].how, kOuterEven);
}

TEST(InterpreterWalk, PutsThreadsSideBySideWhereNeighboursAre) {
  const std::int64_t none = 0;
  OpListLaunch walk;
  setWalk(walk, kernelOf({6, 8}, 0b10, {{8, 1}}), false, &none);
  EXPECT_TRUE(walk.byRows);
  EXPECT_EQ(walk.results, 6);
  EXPECT_EQ(walk.tensors[0].outerStep, 8);
  EXPECT_TRUE(walk.tensors[0].how & kOneAccess);
  setWalk(walk, kernelOf({6, 8}, 0b01, {{8, 1}}), false, &none);
  EXPECT_FALSE(walk.byRows);
  EXPECT_EQ(walk.results, 8);
  EXPECT_EQ(walk.tensors[0].step, 8);
  // All of a transposed tensor, in the order of memory; places stay those of the program.
  setWalk(walk, kernelOf({6, 8}, 0b11, {{1, 6}}), true, &none);
  EXPECT_EQ(walk.tensors[0].step, 1);
  EXPECT_EQ(walk.extents[1], 6);
  EXPECT_FALSE(walk.tensors[1].how & kInnerEven);
  EXPECT_EQ(walk.steps[walk.tensors[1].steps], 1);
  EXPECT_EQ(walk.steps[walk.tensors[1].steps + 1], 8);
}

TEST(InterpreterWalk, TakesExtentsAndStridesOfTheLaunch) {
  const std::int64_t integers[] = {10, 12, 20};
  OpListLaunch walk;
  setWalk(walk, kernelOf({kAtLaunch, kAtLaunch}, 0b10, {{kAtLaunch, 1}}), false, integers);
  EXPECT_EQ(walk.results, 10);
  EXPECT_EQ(walk.length, 12);
  EXPECT_EQ(walk.tensors[0].outerStep, 20);
}

}  // namespace
}  // namespace fusebench::cuda

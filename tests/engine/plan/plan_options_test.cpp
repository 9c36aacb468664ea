// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/plan/plan_options.h"

#include <gtest/gtest.h>

namespace fusebench {
namespace {

using Grouping = PlanOptions::Grouping;
using StepCode = PlanOptions::StepCode;

constexpr PlanOptions kPerOp{.grouping = Grouping::perOp};
constexpr PlanOptions kFused{};
constexpr PlanOptions kOpLists{.specialize = Specialize::symbolic, .code = StepCode::opList};

PlanTraits processor() {
  PlanTraits traits;
  traits.isSynchronous = true;
  traits.shipsOps = true;
  traits.runsPhases = true;
  traits.runsTotals = true;
  traits.takesTails = Tails::kernels;
  traits.listsNarrowFloats = true;
  return traits;
}

PlanTraits card() {
  PlanTraits traits;
  traits.hasOwnMemory = true;
  traits.shipsOps = true;
  traits.runsPhases = true;
  traits.rowLimits = {.few = 132, .ofCall = true};
  traits.takesTails = Tails::epilogues;
  traits.listCosts = ListCosts();
  return traits;
}

TEST(PlanOptionsFor, KeepWhatTheExecutorsRowStates) {
  for (const PlanTraits& traits : {PlanTraits(), processor(), card()}) {
    PlanOptions replayed = kPerOp;
    replayed.keepsMemory = true;
    EXPECT_EQ(planOptionsFor(replayed, traits, {}).grouping, Grouping::perOp);
    EXPECT_TRUE(planOptionsFor(replayed, traits, {}).keepsMemory);
    EXPECT_EQ(planOptionsFor(kOpLists, traits, {}).code, StepCode::opList);
    EXPECT_EQ(planOptionsFor(kOpLists, traits, {}).specialize, Specialize::symbolic);
    EXPECT_EQ(planOptionsFor(kFused, traits, {}).specialize, Specialize::exact);
  }
}

TEST(PlanOptionsFor, FuseOnlyWhatTheDeviceRuns) {
  const PlanOptions none = planOptionsFor(kFused, PlanTraits(), {});
  EXPECT_FALSE(none.phases);
  EXPECT_FALSE(none.totals);
  EXPECT_EQ(none.tails, Tails::none);
  EXPECT_FALSE(none.narrowPieces);
  const PlanOptions onProcessor = planOptionsFor(kFused, processor(), {});
  EXPECT_TRUE(onProcessor.phases);
  EXPECT_TRUE(onProcessor.totals);
  EXPECT_EQ(onProcessor.tails, Tails::kernels);
  const PlanOptions onCard = planOptionsFor(kFused, card(), {});
  EXPECT_TRUE(onCard.phases);
  EXPECT_FALSE(onCard.totals);
  EXPECT_EQ(onCard.tails, Tails::epilogues);
  EXPECT_EQ(onCard.rowLimits.few, 132);
  EXPECT_TRUE(onCard.rowLimits.ofCall);
}

TEST(PlanOptionsFor, FoldNormsOnlyIntoKernelsThatAreFused) {
  for (const PlanTraits& traits : {PlanTraits(), processor(), card()}) {
    EXPECT_TRUE(planOptionsFor(kFused, traits, {}).foldsNorms);
    EXPECT_FALSE(planOptionsFor(kPerOp, traits, {}).foldsNorms);
    EXPECT_FALSE(planOptionsFor(kOpLists, traits, {}).foldsNorms);
  }
}

TEST(PlanOptionsFor, LeaveOpListsAlongRowsOnlyWhereEagersKernelsAreCheap) {
  EXPECT_TRUE(planOptionsFor(kOpLists, processor(), {}).phases);
  EXPECT_FALSE(planOptionsFor(kOpLists, card(), {}).phases) << "a launch costs there";
  PlanTraits bare = processor();
  bare.shipsOps = false;
  EXPECT_FALSE(planOptionsFor(kOpLists, bare, {}).phases) << "none ships";
}

TEST(PlanOptionsFor, CopyBetweenMemoriesOnlyWhereThereAreTwo) {
  for (const PlanOptions& row : {kPerOp, kFused, kOpLists}) {
    EXPECT_FALSE(planOptionsFor(row, processor(), {}).ownMemory);
    EXPECT_TRUE(planOptionsFor(row, card(), {}).ownMemory);
  }
}

TEST(PlanOptionsFor, ApplyTheVariantsChoicesToFusedKernelsAlone) {
  const PlanChoices all{.overlap = true, .contract = true, .fastMath = true};
  for (const PlanOptions& row : {kPerOp, kFused, kOpLists}) {
    const PlanOptions options = planOptionsFor(row, card(), all);
    const bool fusedKernels = row.grouping == Grouping::fused && row.code == StepCode::kernel;
    EXPECT_TRUE(options.overlap);
    EXPECT_EQ(options.contract, fusedKernels);
    EXPECT_EQ(options.fastMath, fusedKernels);
  }
}

}  // namespace
}  // namespace fusebench

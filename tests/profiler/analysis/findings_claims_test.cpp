// SPDX-License-Identifier: GPL-3.0-or-later
// Compares published claims with measurements.
#include <gtest/gtest.h>

#include "profiler/analysis/findings.h"
#include "profiler/analysis/paired_samples.h"
#include "profiler/analysis/wording.h"
#include "profiler/catalogue/catalogue.h"

namespace fusebench {
namespace {

/// Two variants at two places; the second takes `ratios` as long as the first, and its samples are
/// that but for `noise`.
Run measured(const Claim& claim, std::vector<double> ratios, double noise = 0.0004) {
  Run run;
  for (const char* name : {"plain", "moved"}) {
    Variant variant;
    variant.name = name;
    run.experiment.variants.push_back(variant);
  }
  run.experiment.baseline = "plain";
  run.experiment.axes = {{"n", "rows", {16, 64}}};
  run.experiment.claims = {claim};
  for (const CellKey& key : cells(run.experiment)) {
    Cell cell;
    cell.key = key;
    const double level = key.variant == 0 ? 100 : 100 * ratios[key.at[0] == 16 ? 0 : 1];
    for (int i = 0; i < 40; ++i)
      cell.samples.push_back(
          {i, level * (1 + (key.variant == 0 ? 0 : noise / 2 * ((i * 7) % 5 - 2)))});
    cell.stop = Stop::converged;
    cell.peakBytes = key.variant == 0 ? 1000 : 500;
    run.cells.push_back(cell);
  }
  return run;
}

Finding claimOf(const Run& run) {
  for (const Finding& finding : findingsOf(run, findCrossings(run)))
    if (finding.kind == Finding::Kind::claim) return finding;
  ADD_FAILURE() << "nothing is said of the claim";
  return {};
}

Claim about(double ratio) {
  Claim claim;
  claim.text = "moving takes longer";
  claim.variant = "moved";
  claim.against = "plain";
  claim.ratio = ratio;
  return claim;
}

TEST(Claims, ThatHoldEverywhereAreSaidToHold) {
  const Finding finding = claimOf(measured(about(2.5), {2.5, 2.4}));
  EXPECT_EQ(finding.headline, "Claim: moving takes longer: holds here");
  EXPECT_NE(finding.text.find("2.5×"), std::string::npos) << finding.text;
}

TEST(Claims, ThatHoldAtSomePlacesSayAtWhich) {
  const Finding finding = claimOf(measured(about(2.5), {1.0, 2.5}));
  EXPECT_EQ(finding.headline, "Claim: moving takes longer: holds at some points");
  EXPECT_NE(finding.text.find("This run confirms it at 64 rows, but not at 16 rows."),
            std::string::npos)
      << finding.text;
  EXPECT_EQ(finding.at, 16);
}

TEST(Claims, ThatAnIntervalIsTooWideForAreLeftOpen) {
  const Finding open = claimOf(measured(about(2.5), {2.5, 1.9}, 0.9));
  EXPECT_EQ(open.headline, "Claim: moving takes longer: cannot be answered by this run");
  EXPECT_NE(open.text.find("There are too few samples to confirm or refute it."), std::string::npos)
      << open.text;
  // 2.5 with a tolerance of 15% ends at 2.875: an interval around that has both in it.
  const Finding partly = claimOf(measured(about(2.5), {2.5, 2.875}, 0.01));
  EXPECT_EQ(partly.headline, "Claim: moving takes longer: holds here");
  EXPECT_NE(partly.text.find(
                "This run confirms it at 16 rows. At 64 rows there are too few samples to tell."),
            std::string::npos)
      << partly.text;
  const Finding fails = claimOf(measured(about(2.5), {1, 2.875}, 0.01));
  EXPECT_EQ(fails.headline, "Claim: moving takes longer: does not hold here");
  EXPECT_NE(fails.text.find(
                "This run does not confirm it at 16 rows. At 64 rows there are too few samples"),
            std::string::npos)
      << fails.text;
}

TEST(Claims, AreBoundsWhereTheySaySo) {
  Claim least = about(2);
  least.relation = Claim::Relation::atLeast;
  EXPECT_NE(claimOf(measured(least, {3, 4})).headline.find("holds here"), std::string::npos);
  EXPECT_NE(claimOf(measured(least, {1, 1})).headline.find("does not hold"), std::string::npos);
}

TEST(Claims, OfMemoryCompareBytes) {
  Claim half = about(0.5);
  half.metric = Claim::Metric::peakBytes;
  const Finding finding = claimOf(measured(half, {1, 1}));
  EXPECT_NE(finding.text.find("as much memory"), std::string::npos) << finding.text;
  EXPECT_NE(finding.headline.find("holds here"), std::string::npos);
}

/// Two ways on one thread and on two; what both do takes `work`, the first does `extra` besides.
/// Places are 16 and 64.
Run onTwoThreads(std::vector<double> extra, double work, double workOnTwo, double noise = 0.001) {
  Run run;
  for (const char* name : {"slow", "quick", "slow on two", "quick on two"}) {
    Variant variant;
    variant.name = name;
    run.experiment.variants.push_back(variant);
  }
  run.experiment.baseline = "slow";
  run.experiment.axes = {{"n", "rows", {16, 64}}};
  Claim claim = about(0.98);
  claim.text = "threads shrink the gap";
  claim.variant = "quick on two";
  claim.against = "slow on two";
  claim.than = {"quick", "slow"};
  claim.relation = Claim::Relation::atMost;
  run.experiment.claims = {claim};
  for (const CellKey& key : cells(run.experiment)) {
    Cell cell;
    cell.key = key;
    const bool two = key.variant >= 2, slow = key.variant % 2 == 0;
    const double level = (two ? workOnTwo : work) + (slow ? extra[key.at[0] == 16 ? 0 : 1] : 0.0);
    for (int i = 0; i < 40; ++i)
      cell.samples.push_back({i, level * (1 + noise / 2 * ((i * (7 + key.variant)) % 5 - 2))});
    cell.stop = Stop::converged;
    run.cells.push_back(cell);
  }
  return run;
}

TEST(Claims, OfAGapSayWhetherItIsNarrowerThanAnother) {
  // A difference of 10 from 100, then from 50: the gap grows from 1.1 to 1.2.
  const Finding grows = claimOf(onTwoThreads({10, 10}, 100, 50));
  EXPECT_EQ(grows.headline, "Claim: threads shrink the gap: does not hold here");
  EXPECT_NE(grows.text.find("the gap between quick on two and slow on two is at most 0.98× as "
                            "wide as that between quick and slow. Here it is 1.09×"),
            std::string::npos)
      << grows.text;
  const Finding shrinks = claimOf(onTwoThreads({10, 10}, 50, 100));
  EXPECT_EQ(shrinks.headline, "Claim: threads shrink the gap: holds here");
  // Whichever of the two is the slower one.
  EXPECT_EQ(claimOf(onTwoThreads({-10, -10}, 50, 100)).headline, shrinks.headline);
}

TEST(Claims, OfAGapSayWhereThereIsNoneToCompareWith) {
  const Finding partly = claimOf(onTwoThreads({10, 0}, 100, 50));
  EXPECT_EQ(partly.headline, "Claim: threads shrink the gap: does not hold here");
  EXPECT_NE(
      partly.text.find("At 64 rows both take the same time, so there is no gap to measure against"),
      std::string::npos)
      << partly.text;
  const Finding nowhere = claimOf(onTwoThreads({0, 0}, 100, 50));
  EXPECT_EQ(nowhere.headline, "Claim: threads shrink the gap: cannot be answered by this run");
  EXPECT_EQ(nowhere.text.find("too few samples to confirm"), std::string::npos) << nowhere.text;
}

TEST(Claims, NameTheirSourceAndPlace) {
  Claim claim = about(2.5);
  claim.source = "a write-up";
  claim.at = {{"n", 64}};
  const Finding finding = claimOf(measured(claim, {1, 2.5}));
  EXPECT_EQ(finding.headline, "Published: moving takes longer: holds here");
  EXPECT_TRUE(finding.text.starts_with(
      "Published in a write-up at 64 rows: moved takes 2.5× as long as plain. Here it is 2.50×"))
      << finding.text;
}

TEST(Claims, AboutAnotherKindOfDeviceAreNotJudged) {
  Claim claim = about(2.5);
  claim.device = Claim::Device::cpu;
  auto run = measured(claim, {2.5, 2.5});
  EXPECT_EQ(claimOf(run).headline, "Claim: moving takes longer: holds here");
  for (const char* device : {"cuda:0", "sim:h100"}) {
    run.device = device;
    const Finding finding = claimOf(run);
    EXPECT_EQ(finding.headline, "Claim: moving takes longer: not judged here") << device;
    EXPECT_NE(finding.text.find("The figure is for CPUs, but this run measured a GPU."),
              std::string::npos)
        << finding.text;
    EXPECT_EQ(finding.text.find("Here it is"), std::string::npos) << finding.text;
  }
  run.device = "sim:one-core";
  EXPECT_EQ(claimOf(run).headline, "Claim: moving takes longer: holds here");
  run.experiment.claims[0].device = Claim::Device::gpu;
  EXPECT_EQ(claimOf(run).headline, "Claim: moving takes longer: not judged here");
}

TEST(Claims, AboutThreadsAreNotJudgedWhereThereAreNone) {
  auto run = onTwoThreads({10, 10}, 50, 100);
  run.experiment.variants[2].threads = run.experiment.variants[3].threads = 2;
  EXPECT_EQ(claimOf(run).headline, "Claim: threads shrink the gap: holds here");
  run.device = "cuda:0";
  EXPECT_EQ(claimOf(run).headline, "Claim: threads shrink the gap: not judged here");
}

TEST(Claims, GetNoVerdictFromAModelThatLacksWhatDecidesThem) {
  auto run = measured(about(2.5), {2.5, 2.5});
  run.device = "sim:h100";
  for (Cell& cell : run.cells)
    if (cell.key.variant == 1) cell.notModeled = {"element_order"};
  const Finding finding = claimOf(run);
  EXPECT_EQ(finding.headline, "Claim: moving takes longer: not modeled");
  EXPECT_NE(finding.text.find("does not model what determines this: memory order of operands."),
            std::string::npos)
      << finding.text;
  EXPECT_EQ(finding.text.find("Here it is"), std::string::npos) << finding.text;
  // Memory is counted, not modeled.
  run.experiment.claims[0].metric = Claim::Metric::peakBytes;
  run.experiment.claims[0].ratio = 0.5;
  EXPECT_EQ(claimOf(run).headline, "Claim: moving takes longer: holds here");
}

TEST(Claims, AreOpenWithTooFewSamplesInsteadOfVanishing) {
  auto run = measured(about(2.5), {2.5, 2.5});
  for (Cell& cell : run.cells) cell.samples.resize(3);
  EXPECT_EQ(claimOf(run).headline, "Claim: moving takes longer: cannot be answered by this run");
  for (Cell& cell : run.cells) cell.samples.clear();
  const Finding finding = claimOf(run);
  EXPECT_EQ(finding.headline, "Claim: moving takes longer: not measured");
  EXPECT_NE(finding.text.find("This run has no measurement of it."), std::string::npos);
}

TEST(Claims, OfADifferenceCompareNanoseconds) {
  Claim claim = about(150);
  claim.metric = Claim::Metric::latencyDifference;
  const Finding holds = claimOf(measured(claim, {2.5, 2.5}));
  EXPECT_EQ(holds.headline, "Claim: moving takes longer: holds here");
  EXPECT_NE(holds.text.find("moved takes " + wording::time(150) +
                            " longer than plain. Here it is " + wording::time(150)),
            std::string::npos)
      << holds.text;
  EXPECT_EQ(claimOf(measured(claim, {1.2, 1.2})).headline,
            "Claim: moving takes longer: does not hold here");
}

TEST(Claims, OfABreakEvenCompareWhereTheCurvesCross) {
  Claim claim = about(43);
  claim.metric = Claim::Metric::breakEven;
  claim.tolerance = 0.3;
  const Finding holds = claimOf(measured(claim, {1.4, 0.7}));
  EXPECT_EQ(holds.headline, "Claim: moving takes longer: holds here");
  EXPECT_NE(holds.text.find("Claim: moved becomes faster than plain at 43 rows. Here, this happens "
                            "at 43.4 rows."),
            std::string::npos)
      << holds.text;
  EXPECT_NEAR(*holds.at, 43.4, 0.2);
  claim.ratio = 30;
  EXPECT_EQ(claimOf(measured(claim, {1.4, 0.7})).verdict, "does not hold");
  const Finding always = claimOf(measured(claim, {0.8, 0.7}));
  EXPECT_EQ(always.verdict, "does not hold");
  EXPECT_NE(always.text.find("moved is faster at every point measured"), std::string::npos);
  EXPECT_EQ(claimOf(measured(claim, {1.4, 1.2})).verdict, "does not hold");
  // The figure was measured on another kind of device: it is compared and not judged.
  claim.device = Claim::Device::gpu;
  const Finding elsewhere = claimOf(measured(claim, {1.4, 0.7}));
  EXPECT_EQ(elsewhere.verdict, "other device");
  EXPECT_NE(elsewhere.text.find("this run measured a CPU. Here, this happens at 43.4 rows"),
            std::string::npos)
      << elsewhere.text;
}

/// A third variant that is compared with the second.
TEST(SpeedUps, AreOverWhatAVariantIsComparedWith) {
  auto run = measured(about(2.5), {2.5, 2.5});
  Variant third;
  third.name = "moved, tuned";
  third.against = "moved";
  run.experiment.variants.push_back(third);
  std::vector<Cell> all;
  for (const CellKey& key : cells(run.experiment)) {
    const Cell* const like = run.find({std::min(key.variant, 1), key.at});
    Cell cell = *like;
    cell.key = key;
    if (key.variant == 2)
      for (Sample& sample : cell.samples) sample.nanoseconds /= 5;  // half of the first's time
    all.push_back(cell);
  }
  run.cells = all;
  EXPECT_NEAR(speedUpOf(run, run.cells[2])->value, 5, 1e-9);
  EXPECT_FALSE(speedUpOf(run, run.cells[0]));
  EXPECT_EQ(wording::baselines(run.experiment), "plain (moved, tuned: moved)");
  std::vector<std::string> sentences;
  for (const Finding& finding : findingsOf(run, findCrossings(run)))
    if (finding.kind == Finding::Kind::speedUp) sentences.push_back(finding.headline);
  EXPECT_EQ(sentences, (std::vector<std::string>{"moved: 0.400× at 64 rows",
                                                 "moved, tuned: 5.00× at 64 rows"}));
  // The model of what it is compared with lacks something.
  run.device = "sim:h100";
  run.cells[1].notModeled = {"product_dtype"};
  EXPECT_TRUE(lacksModel(run, run.cells[2]));
  EXPECT_FALSE(speedUpOf(run, run.cells[2]));
  for (const Crossing& crossing : findCrossings(run))
    ADD_FAILURE() << crossing.variant << " against " << crossing.baseline;
}

TEST(Claims, NameSeveralPlacesInTheChosenLanguage) {
  auto run = onTwoThreads({0, 0}, 100, 50);
  run.experiment.axes[0].unit = "images";
  setLanguage("zh_CN");
  const Finding finding = claimOf(run);
  setLanguage("en");
  EXPECT_NE(finding.text.find("16 和 64 张图"), std::string::npos) << finding.text;
}

}  // namespace
}  // namespace fusebench

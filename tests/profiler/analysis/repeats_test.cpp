// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/analysis/repeats.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "tests/profiler/run/sample_data.h"

namespace fusebench {
namespace {

using testing::HasSubstr;

/// Every time off by this share, in runs of `count` rounds.
fusebench::Run runAt(const Experiment& experiment, double off, std::uint64_t seed) {
  fusebench::Run run = emptyRun(experiment);
  fillSamples(run, 64, 0.02, seed, [&](const CellKey&) { return 100 * (1 + off); });
  return run;
}

TEST(Repeats, CountMediansOfOtherRunsInEachInterval) {
  const Experiment experiment = withTwin(smallExperiment({1, 2}));
  ASSERT_EQ(experiment.variants.size(), 3u);
  EXPECT_EQ(experiment.variants[2].name, "eager, again");
  EXPECT_EQ(withTwin(experiment).variants.size(), 3u);  // it has its twin
  const std::vector<fusebench::Run> alike = {runAt(experiment, 0, 1), runAt(experiment, 0, 2),
                                             runAt(experiment, 0, 3)};
  const RepeatFigures same = repeatFigures(alike);
  EXPECT_EQ(same.cases, 6u * 6u);  // cells, ordered pairs of runs
  EXPECT_GE(same.held, 30u);
  EXPECT_EQ(same.compared, 6u);
  EXPECT_LE(same.different, 1u);
  EXPECT_THAT(sentence(same), HasSubstr("eager and eager, again, which are equal"));

  const std::vector<fusebench::Run> apart = {runAt(experiment, 0, 1), runAt(experiment, 0.1, 2)};
  EXPECT_EQ(repeatFigures(apart).held, 0u);
}

TEST(Repeats, SpeedUpsHoldThoughTheMachineIsSlowerInOneRun) {
  const Experiment experiment = withTwin(smallExperiment({1, 2}));
  const std::vector<fusebench::Run> apart = {runAt(experiment, 0, 1), runAt(experiment, 0.5, 2)};
  const RepeatFigures figures = repeatFigures(apart);
  EXPECT_EQ(figures.held, 0u);
  EXPECT_EQ(figures.ratioCases, 2u * 2u * 2u);  // ordered pairs of runs, variants, places
  EXPECT_GE(figures.ratiosHeld, 6u);
  EXPECT_NEAR(figures.drift, 1.5, 0.02);
  EXPECT_THAT(sentence(figures), HasSubstr("speedups over eager"));
  EXPECT_THAT(sentence(figures), HasSubstr("all times changed by"));

  // One variant alone is slower in the repeat: its speedup differs, but the machine does not.
  fusebench::Run other = emptyRun(experiment);
  fillSamples(other, 64, 0.02, 3,
              [](const CellKey& key) { return key.variant == 1 ? 150.0 : 100.0; });
  const RepeatFigures changed = repeatFigures(std::vector{apart[0], other});
  EXPECT_LE(changed.ratiosHeld, 4u);
  EXPECT_LT(changed.drift, 1.05);
  EXPECT_THAT(sentence(changed), testing::Not(HasSubstr("all times changed by")));
}

TEST(Repeats, CallEqualVariantsDifferentWhereTheyAre) {
  const Experiment experiment = withTwin(smallExperiment({1, 2}));
  fusebench::Run run = emptyRun(experiment);
  fillSamples(run, 64, 0.02, 4,
              [](const CellKey& key) { return key.variant == 2 ? 105.0 : 100.0; });
  const RepeatFigures figures = repeatFigures(std::vector{run});
  EXPECT_EQ(figures.different, 2u);
  EXPECT_EQ(figures.cases, 0u);
}

}  // namespace
}  // namespace fusebench

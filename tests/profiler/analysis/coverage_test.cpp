// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/analysis/coverage.h"

#include <gtest/gtest.h>

#include <cmath>

namespace fusebench {
namespace {

/// 93%, less three standard deviations of as many draws: a right interval fails once in a thousand
/// seeds, and one that takes rounds for independent holds 60 to 90%.
double leastShare(int cases) {
  return 0.93 - 3 * std::sqrt(0.93 * 0.07 / cases);
}

/// The short form of what `fusebench-cli check-statistics` prints.
TEST(IntervalsOfSimulatedStudies, HoldTheTruthForEachReasonOfStopping) {
  CoverageSettings settings;
  settings.studies = 30;
  const std::vector<Coverage> rows = simulateCoverage(settings);
  ASSERT_EQ(rows.size(), 3 * simulatedNoises().size());
  std::vector<Coverage> all = bySessions(rows);
  ASSERT_EQ(all.size(), 3u);
  all.insert(all.end(), rows.begin(), rows.end());
  int judged = 0;
  for (const Coverage& row : all) {
    for (std::size_t what = 0; what < kCovered; ++what)
      for (const CoverageCount& count : row.counts[what]) {
        if (count.cases < 60) continue;
        ++judged;
        EXPECT_GE(count.share(), leastShare(count.cases))
            << name(static_cast<Covered>(what)) << " in " << row.sessions << " sessions, "
            << row.noise << ", " << count.held << " of " << count.cases;
      }
  }
  EXPECT_GE(judged, 200);
}

TEST(IntervalsOfSimulatedStudies, AreDrawnAlikeForASeed) {
  CoverageSettings settings;
  settings.studies = 1;
  EXPECT_EQ(coverageText(simulateCoverage(settings)), coverageText(simulateCoverage(settings)));
}

}  // namespace
}  // namespace fusebench

// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/statistics/fast_ends.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace fusebench {
namespace {

using testing::ElementsAre;

std::vector<double> upTo(int count) {
  std::vector<double> values;
  for (int i = count; i >= 1; --i) values.push_back(i);
  return values;
}

TEST(FastEnds, SplitTimesBySession) {
  EXPECT_THAT(timesBySession(std::vector<double>{1, 2, 3, 4}, std::vector<int>{0, 0, 2, 2}),
              ElementsAre(ElementsAre(1, 2), ElementsAre(3, 4)));
}

TEST(FastEnds, InterpolateTheMedianUnbiasedQuantile) {
  // Place (n + 1/3) q + 1/3 among n sorted values.
  EXPECT_NEAR(quantileAt(upTo(25), 0.1), 25.0 / 10 + 1.0 / 30 + 1.0 / 3, 1e-12);
  EXPECT_NEAR(quantileAt(upTo(25), 0.5), 13, 1e-12);
  EXPECT_EQ(quantileAt({7}, 0.1), 7);
  EXPECT_TRUE(std::isnan(quantileAt({}, 0.1)));
}

using Runs = std::vector<TimesBySession>;

TEST(FastEnds, TakeAShareThatTheSmallestSessionHas) {
  EXPECT_EQ(fastShare(Runs{{upTo(25), upTo(25), upTo(25)}}), kFastShare);
  const double share = fastShare(Runs{{upTo(5), upTo(8), upTo(8)}});
  EXPECT_NEAR(share, 0.125, 1e-12);
  EXPECT_NEAR(quantileAt(upTo(5), share), 1, 1e-12) << "its minimum";
}

TEST(FastEnds, LeaveOutSessionsThatAreTooShort) {
  const Runs runs = {{upTo(20), upTo(20)}, {upTo(20), upTo(1)}};
  EXPECT_EQ(leastSamples(runs), 10u);
  EXPECT_EQ(fastShare(runs), kFastShare);
  EXPECT_EQ(sessionLogs(runs[1], 0.5, leastSamples(runs)).size(), 1u);
  EXPECT_NEAR(sessionLogs(runs[1], 0.5, leastSamples(runs))[0], std::log(10.5), 1e-12);
  EXPECT_EQ(leastSamples(Runs{{upTo(4), upTo(4), upTo(4), upTo(6)}}), 1u)
      << "too few would be left";
}

}  // namespace
}  // namespace fusebench

// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/study/study_schedule.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "tests/profiler/run/sample_data.h"

namespace fusebench {
namespace {

using testing::ElementsAre;

Run mapRun(const std::vector<std::int64_t>& statements, const std::vector<std::int64_t>& elements) {
  Experiment experiment = smallExperiment({1});
  experiment.axes = {{"statements", "", statements}, {"elements", "", elements}};
  return emptyRun(experiment);
}

std::vector<std::vector<std::int64_t>> placesInOrder(const Run& run) {
  std::vector<std::vector<std::int64_t>> places;
  for (const std::size_t index : fillOrder(run.experiment, run.cells))
    if (places.empty() || places.back() != run.cells[index].key.at)
      places.push_back(run.cells[index].key.at);
  return places;
}

TEST(Bisection, ReachesTheEndsThenTheMiddleThenTheMiddlesOfTheHalves) {
  EXPECT_THAT(bisectionLevels(9), ElementsAre(0, 3, 2, 3, 1, 3, 2, 3, 0));
  EXPECT_THAT(bisectionLevels(6), ElementsAre(0, 2, 1, 2, 3, 0));
  EXPECT_THAT(bisectionLevels(2), ElementsAre(0, 0));
  EXPECT_THAT(bisectionLevels(1), ElementsAre(0));
  EXPECT_TRUE(bisectionLevels(0).empty());
}

TEST(TimeShare, ANearEndThatWasOnlyThoughtOfIsNotHeldOnTo) {
  TimeShare share(100);
  EXPECT_NEAR(share.at(101, 1), 0.5, 1e-9);  // it seemed to be half over
  double last = share.at(102, 58);           // it is not
  for (int second = 103; second <= 159; ++second) {
    const double now = share.at(second, 160 - second);
    EXPECT_GT(now, last) << "stands still at " << second;
    last = now;
  }
  EXPECT_GT(last, 0.95);
  EXPECT_LT(last, 1);
}

TEST(TimeShare, IsTheShareOfTheTimeWhereTheGuessesAreRight) {
  TimeShare share(0);
  for (int second = 1; second < 10; ++second)
    EXPECT_NEAR(share.at(second, 10 - second), second / 10.0, 1e-9);
  EXPECT_LT(share.at(10, 0), 1) << "only the end is all of it";
}

TEST(FillOrder, TakesCornersThenTheCenterThenTheMiddlesOfTheEdges) {
  const fusebench::Run run = mapRun({1, 2, 3}, {10, 20, 30});
  using Place = std::vector<std::int64_t>;
  EXPECT_THAT(placesInOrder(run),
              ElementsAre(Place{1, 10}, Place{1, 30}, Place{3, 10}, Place{3, 30}, Place{2, 20},
                          Place{1, 20}, Place{2, 10}, Place{2, 30}, Place{3, 20}));
}

TEST(FillOrder, NamesEveryRunningCellOnceAndKeepsThePlacesVariantsTogether) {
  fusebench::Run run = mapRun({1, 2, 3, 5, 8, 13}, {1, 4, 16, 64});
  run.cells[7].stop = Stop::converged;
  const auto order = fillOrder(run.experiment, run.cells);
  EXPECT_EQ(std::set<std::size_t>(order.begin(), order.end()).size(), run.cells.size() - 1);
  EXPECT_EQ(order.size(), run.cells.size() - 1);
  std::set<std::vector<std::int64_t>> left;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const CellKey& key = run.cells[order[i]].key;
    EXPECT_FALSE(left.contains(key.at)) << "a place is come back to";
    if (i > 0 && run.cells[order[i - 1]].key.at == key.at) {
      EXPECT_LT(run.cells[order[i - 1]].key.variant, key.variant);
    }
    if (i + 1 < order.size() && run.cells[order[i + 1]].key.at != key.at) left.insert(key.at);
  }
}

// Then a map of the places so far has no gaps of uneven size, and its contour can be drawn.
TEST(FillOrder, LeavesAGridOfPlacesAfterEachLevel) {
  const std::vector<std::int64_t> statements{1, 2, 3, 4, 5, 6, 7, 8}, elements{1, 2, 3, 4, 5};
  const fusebench::Run run = mapRun(statements, elements);
  const auto places = placesInOrder(run);
  const auto across = bisectionLevels(8), down = bisectionLevels(5);
  std::size_t reached = 0;
  for (int level = 0; level <= 3; ++level) {
    const auto upTo = [&](const std::vector<int>& levels) {
      return static_cast<std::size_t>(
          std::count_if(levels.begin(), levels.end(), [&](int l) { return l <= level; }));
    };
    const std::size_t grid = upTo(across) * upTo(down);
    for (; reached < grid; ++reached) {
      EXPECT_LE(across[static_cast<std::size_t>(places[reached][0] - 1)], level);
      EXPECT_LE(down[static_cast<std::size_t>(places[reached][1] - 1)], level);
    }
  }
  EXPECT_EQ(reached, places.size());
}

TEST(FillOrder, AlongOneAxisTakesBothEndsFirst) {
  const fusebench::Run run = emptyRun(smallExperiment({1, 2, 3, 4, 5}));
  using Place = std::vector<std::int64_t>;
  EXPECT_THAT(placesInOrder(run), ElementsAre(Place{1}, Place{5}, Place{3}, Place{2}, Place{4}));
}

}  // namespace
}  // namespace fusebench

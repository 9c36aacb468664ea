// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/analysis/cell_spreads.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "profiler/run/cell_json.h"

namespace fusebench {
namespace {

constexpr int kSessions = 8, kEach = 20;

/// Samples around 1000 ns, with relative deviations between sessions and within a session.
Cell cellOfSessions(double apart, double within, int seed) {
  std::mt19937 engine(static_cast<unsigned>(seed));
  std::normal_distribution<double> noise(0, 1);
  Cell cell;
  for (int s = 0; s < kSessions; ++s) {
    const double middle = 1 + apart * noise(engine);
    for (int i = 0; i < kEach; ++i)
      cell.samples.push_back({s * kEach + i, 1000 * (middle + within * noise(engine)), {}, 0, s});
  }
  return cell;
}

StoppingRule inSessions() {
  StoppingRule rule;
  rule.sessions = kSessions;
  return rule;
}

TEST(CellSpreads, TellAnAccidentFromAPreciseCell) {
  std::vector<Cell> cells = {cellOfSessions(0.006, 0.01, 1)};
  ASSERT_TRUE(CellSpreads().suffice(inSessions(), cells, 0)) << "precise by itself";
  // All others differ much, and alike: that this one does not is an accident.
  for (int i = 0; i < 7; ++i) cells.push_back(cellOfSessions(0.02, 0.01, i + 2));
  CellSpreads spreads;
  EXPECT_FALSE(spreads.suffice(inSessions(), cells, 0));
  EXPECT_EQ(spreads.judge(inSessions(), cells, 0, {kSessions - 1, kEach + 10}), Verdict::cap);
}

TEST(CellSpreads, LeaveAPreciseCellAmongPreciseOnes) {
  std::vector<Cell> cells;
  for (int i = 0; i < 8; ++i) cells.push_back(cellOfSessions(0.002, 0.01, i + 1));
  CellSpreads spreads;
  for (std::size_t i = 0; i < cells.size(); ++i)
    EXPECT_TRUE(spreads.suffice(inSessions(), cells, i)) << i;
}

/// Samples that are close by chance do not make an interval narrower than the other cells support.
TEST(CellSpreads, WidenTheIntervalOfThoseThatLieTogetherByChance) {
  std::vector<Cell> cells = {cellOfSessions(0.0005, 0.01, 1)};
  const Estimate alone = cells[0].latency();
  for (int i = 0; i < 7; ++i) cells.push_back(cellOfSessions(0.003, 0.01, i + 2));
  CellSpreads spreads;
  ASSERT_TRUE(spreads.suffice(inSessions(), cells, 0));
  const double least = cells[0].leastPrecision;
  EXPECT_LE(least, inSessions().precision);
  const Estimate beside = cells[0].latency();
  EXPECT_EQ(beside.value, alone.value);
  EXPECT_LT(beside.high - beside.low, 1.001 * 2 * least * beside.value);
  EXPECT_GT(beside.high - beside.low, 1.2 * (alone.high - alone.low));
  // A file preserves this value.
  Cell read;
  readMeasured(measuredJson(cells[0]), read);
  EXPECT_EQ(read.leastPrecision, least);
}

TEST(CellSpreads, LetCellsOfTheirOwnKindBePrecise) {
  std::vector<Cell> cells;
  for (int i = 0; i < 16; ++i)
    cells.push_back(i % 2 == 0 ? cellOfSessions(0.001, 0.004, i + 1)
                               : cellOfSessions(0.05, 0.05, i + 1));
  CellSpreads spreads;
  for (std::size_t i = 0; i < cells.size(); i += 2)
    EXPECT_TRUE(spreads.suffice(inSessions(), cells, i)) << i;
}

/// One process, samples that follow each other slowly in this share of the noise.
Cell cellOfOneProcess(double correlation, int seed) {
  std::mt19937 engine(static_cast<unsigned>(seed));
  std::normal_distribution<double> noise(0, 1);
  Cell cell;
  double drift = noise(engine);
  for (int i = 0; i < 60; ++i) {
    drift = correlation * drift + std::sqrt(1 - correlation * correlation) * noise(engine);
    cell.samples.push_back({i, 1000 * (1 + 0.002 * drift), {}, 0, 0});
  }
  return cell;
}

TEST(CellSpreads, HoldSlowMovementOfTheOtherCellsAgainstACellThatStoodStill) {
  std::vector<Cell> cells = {cellOfOneProcess(0, 1)};
  StoppingRule rule;
  ASSERT_TRUE(CellSpreads().suffice(rule, cells, 0));
  for (int i = 0; i < 7; ++i) cells.push_back(cellOfOneProcess(0.95, i + 2));
  EXPECT_FALSE(CellSpreads().suffice(rule, cells, 0));
  for (std::size_t i = 1; i < cells.size(); ++i)
    cells[i] = cellOfOneProcess(0, static_cast<int>(i));
  EXPECT_TRUE(CellSpreads().suffice(rule, cells, 0));
}

}  // namespace
}  // namespace fusebench

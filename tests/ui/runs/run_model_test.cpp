// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/results/run_model.h"

#include <gtest/gtest.h>

#include <QSignalSpy>
#include <QTest>

#include "tests/ui/synthetic.h"
#include "ui/models/results/analysis_model.h"
#include "ui/models/runs/results_table_model.h"

namespace fusebench {
namespace {

class CompleteRun : public testing::Test {
 protected:
  CompleteRun() { run.show(test::syntheticRun(3), false); }
  fusebench::Run ended() {
    fusebench::Run whole = test::syntheticRun(31);
    whole.startedAt = run.run()->startedAt;
    return whole;
  }
  RunModel run;
};

TEST_F(CompleteRun, KeepsWhatShowsItAndTellsOfEveryCell) {
  QSignalSpy resets(&run, &RunModel::runReset), changes(&run, &RunModel::cellsChanged),
      ends(&run, &RunModel::completed);
  run.complete(ended());
  EXPECT_EQ(resets.count(), 0);
  ASSERT_EQ(changes.count(), 1);
  EXPECT_EQ(changes[0][0].value<std::vector<int>>().size(), 21u);
  EXPECT_EQ(ends.count(), 1);
  EXPECT_EQ(run.run()->cells[5].samples.size(), 31u);
  EXPECT_EQ(run.summaries().at(5).latency.kind, Estimate::Kind::interval);
  EXPECT_TRUE(run.unsaved());
}

TEST_F(CompleteRun, ShowsAnotherRunInstead) {
  fusebench::Run other = ended();
  other.startedAt = "another time";
  QSignalSpy resets(&run, &RunModel::runReset), ends(&run, &RunModel::completed);
  run.complete(other);
  EXPECT_EQ(resets.count(), 1);
  EXPECT_EQ(ends.count(), 1);
}

TEST_F(CompleteRun, IsSharedAsItIsAndLeftAloneByLaterChanges) {
  const std::shared_ptr<const fusebench::Run> before = run.shared();
  EXPECT_EQ(before.get(), run.run());
  fusebench::Cell changed = run.run()->cells[5];
  changed.samples.resize(1);
  run.update({{5, changed}});
  EXPECT_EQ(before->cells[5].samples.size(), 3u);
  EXPECT_EQ(run.run()->cells[5].samples.size(), 1u);
  const fusebench::Run* own = run.run();
  run.update({{6, changed}});
  EXPECT_EQ(run.run(), own);  // nobody else holds it: changed in place
  const std::shared_ptr<const fusebench::Run> held = run.shared();
  run.interrupt();
  EXPECT_FALSE(held->interrupted);
}

/// A run explored before, and the header of a run of the same experiment.
class LentByExploring : public testing::Test {
 protected:
  LentByExploring() {
    fusebench::Run explored = test::syntheticRun(12);
    explored.explored = true;
    explored.startedAt = "before";
    run.show(explored, false);
    run.show(test::syntheticHeader(), false);
  }
  static fusebench::Cell cellOf(const fusebench::Run& run, std::size_t index, int samples) {
    return test::syntheticCell(run.cells[index].key, samples);
  }
  RunModel run;
};

TEST_F(LentByExploring, CellsStayUntilThereIsBetter) {
  EXPECT_EQ(run.lent(), 21u);
  EXPECT_EQ(run.run()->cells[5].samples.size(), 12u);
  EXPECT_EQ(run.run()->cells[5].stop, Stop::running);
  EXPECT_FALSE(run.unsaved());
  fusebench::Cell few = cellOf(*run.run(), 5, 2);
  few.stop = Stop::running;
  run.update({{5, few}});
  EXPECT_EQ(run.run()->cells[5].samples.size(), 12u);
  EXPECT_EQ(run.measured()->cells[5].samples.size(), 2u);
  EXPECT_TRUE(run.unsaved());
  run.update({{5, cellOf(*run.run(), 5, 6)}});
  EXPECT_EQ(run.run()->cells[5].samples.size(), 6u);
  EXPECT_EQ(run.lent(), 20u);
}

TEST_F(LentByExploring, TheTableSaysWhoMeasuredThem) {
  ResultsTableModel table(run);
  const auto ended = [&](int row, int role) {
    return table.index(row, table.columnCount() - 1).data(role).toString();
  };
  EXPECT_EQ(ended(5, Qt::DisplayRole), "from Explore · 12");
  EXPECT_TRUE(ended(5, Qt::ToolTipRole).contains("Measured by Explore"));
  fusebench::Cell own = cellOf(*run.run(), 5, 6);
  own.stop = Stop::running;
  run.update({{5, own}});
  EXPECT_EQ(ended(5, Qt::DisplayRole), "measuring · 6");
  EXPECT_EQ(ended(4, Qt::DisplayRole), "from Explore · 12");
}

TEST_F(LentByExploring, ARunThatWasStoppedIsKeptWithoutThem) {
  fusebench::Run ended = test::syntheticRun(2);
  ended.startedAt = run.run()->startedAt;
  ended.interrupted = true;
  ended.cells[3] = cellOf(ended, 3, 8);
  run.complete(ended);
  EXPECT_EQ(run.lent(), 20u);
  EXPECT_EQ(run.run()->cells[4].samples.size(), 12u);
  EXPECT_EQ(run.measured()->cells[4].samples.size(), 2u);
  EXPECT_EQ(run.run()->cells[3].samples.size(), 8u);
  EXPECT_TRUE(run.run()->interrupted);
}

TEST_F(LentByExploring, NothingIsLeftOfThemOnceAllIsMeasured) {
  fusebench::Run ended = test::syntheticRun(31);
  ended.startedAt = run.run()->startedAt;
  run.complete(ended);
  EXPECT_EQ(run.lent(), 0u);
  EXPECT_EQ(run.measured().get(), run.run());
}

TEST_F(LentByExploring, AnotherExperimentGetsNone) {
  fusebench::Run other = test::syntheticHeader();
  other.experiment.axes[0].values.pop_back();
  other.cells.clear();
  run.show(other, false);
  EXPECT_EQ(run.lent(), 0u);
  EXPECT_TRUE(run.run()->cells[5].samples.empty());
}

TEST_F(CompleteRun, IsAnalysedAtOnce) {
  AnalysisModel analysis(run);
  ASSERT_TRUE(QTest::qWaitFor([&] { return analysis.upToDate(); }, 20'000));
  QSignalSpy analysed(&analysis, &AnalysisModel::changed);
  run.complete(ended());
  EXPECT_FALSE(analysis.upToDate());
  ASSERT_TRUE(QTest::qWaitFor([&] { return analysis.upToDate(); }, 20'000));
  EXPECT_GE(analysed.count(), 1);
}

}  // namespace
}  // namespace fusebench

// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <cmath>
#include <memory>

#include "tests/ui/synthetic.h"
#include "ui/models/chart/curves.h"
#include "ui/models/results/comparison.h"
#include "ui/models/runs/results_table_model.h"
#include "ui/models/setup/documents.h"
#include "ui/models/setup/presets_model.h"
#include "ui/models/window/settings.h"

namespace fusebench {
namespace {

using Mode = QAbstractItemModelTester::FailureReportingMode;

TEST(Comparison, SpeedUpPairsOnlyRoundsThatBothHave) {
  Cell baseline, variant;
  baseline.samples = {{0, 100}, {1, 1000}, {2, 100}};
  variant.samples = {{0, 50}, {2, 50}, {3, 7}};
  const auto ratio = speedUp(baseline, variant);
  ASSERT_TRUE(ratio);
  EXPECT_NEAR(ratio->value, 2.0, 1e-12);
  variant.samples = {{9, 50}};
  EXPECT_FALSE(speedUp(baseline, variant));
}

TEST(Comparison, ARunIsUnfinishedUntilEveryCellStoppedByItself) {
  fusebench::Run run = test::syntheticRun();
  EXPECT_FALSE(hasUnfinishedCells(run));
  run.cells[3].stop = Stop::interrupted;
  EXPECT_TRUE(hasUnfinishedCells(run));
}

class ResultsTable : public testing::Test {
 protected:
  QString at(int row, int column) { return model.index(row, column).data().toString(); }
  RunModel run;
  ResultsTableModel model{run};
  QAbstractItemModelTester tester{&model, Mode::Fatal};
};

TEST(ResultsTableModel, WhoeverHearsOfAnotherRunFirstFindsNoRowOfTheOneThatIsGone) {
  RunModel run;
  run.show(test::syntheticRun(), true);
  std::unique_ptr<ResultsTableModel> model;
  int rowsSeen = -1;
  QObject::connect(&run, &RunModel::runReset, &run, [&] { rowsSeen = model->rowCount(); });
  model = std::make_unique<ResultsTableModel>(run);
  ASSERT_EQ(model->rowCount(), 21);
  Experiment shorter = test::syntheticExperiment();
  shorter.axes[0].values.resize(1);
  run.show(test::syntheticHeader(shorter), true);
  EXPECT_EQ(rowsSeen, 0);
  EXPECT_EQ(model->rowCount(), 3);
}

TEST_F(ResultsTable, TellsOnlyOfThePlacesThatChanged) {
  run.show(test::syntheticRun(), true);
  QSignalSpy changes(&model, &ResultsTableModel::dataChanged);
  // Cell 4 is the second of three at its place; 12 and 14 are of one place, 15 of the next.
  run.update({{4, run.run()->cells[4]},
              {12, run.run()->cells[12]},
              {14, run.run()->cells[14]},
              {15, run.run()->cells[15]}});
  ASSERT_EQ(changes.count(), 2);
  const auto rows = [&](int change) {
    return std::pair{changes[change][0].toModelIndex().row(),
                     changes[change][1].toModelIndex().row()};
  };
  EXPECT_EQ(rows(0), (std::pair{3, 5}));
  EXPECT_EQ(rows(1), (std::pair{12, 17}));
}

constexpr int kStop = 1 + ResultsTableModel::stopColumn;

TEST_F(ResultsTable, HasARowForEveryCellWithTheBaselineNamed) {
  run.show(test::syntheticRun(), true);
  ASSERT_EQ(model.rowCount(), 21);
  ASSERT_EQ(model.columnCount(), 1 + ResultsTableModel::kColumns);
  EXPECT_EQ(at(3, 0), "5");
  EXPECT_EQ(at(4, 1), "static");
  EXPECT_EQ(at(3, 4), "baseline");
  EXPECT_EQ(at(18, 5), "31");  // eager launches at 30 statements: one each, and the sum
  EXPECT_TRUE(model.index(3, 0).data(ResultsTableModel::GroupStartRole).toBool());
  EXPECT_FALSE(model.index(4, 0).data(ResultsTableModel::GroupStartRole).toBool());
  EXPECT_EQ(model.firstRowAt(10), 6);
  EXPECT_EQ(model.firstRowAt(11), -1);
}

TEST_F(ResultsTable, SpeedUpsAreThoseOfTheSyntheticMachine) {
  run.show(test::syntheticRun(), true);
  const double speed = model.index(19, 4).data(ResultsTableModel::RawRole).toDouble();
  EXPECT_NEAR(speed, 1900.0 / 460.0, 0.05);
}

TEST_F(ResultsTable, CellsWithoutSamplesShowDashesAndWait) {
  run.show(test::syntheticHeader(), false);
  EXPECT_EQ(at(0, 2), QString::fromUtf8("–"));
  EXPECT_EQ(at(0, kStop), "waiting");
}

TEST_F(ResultsTable, AnUpdateChangesRowsWithoutAReset) {
  run.show(test::syntheticHeader(), false);
  QSignalSpy resets(&model, &QAbstractItemModel::modelReset);
  run.update({{0, test::syntheticCell({0, {1}})}, {99, Cell{}}});
  EXPECT_EQ(resets.count(), 0);
  EXPECT_TRUE(at(0, 2).startsWith("1"));
  EXPECT_TRUE(at(0, kStop).startsWith("converged"));
}

TEST_F(ResultsTable, HeadsAndFiguresExplainThemselvesOnPointing) {
  fusebench::Run uneven = test::syntheticRun();
  // The two latencies divide to 2; round by round the variant is three times as fast.
  for (Cell& cell : uneven.cells) {
    if (cell.key.at[0] != 1 || cell.key.variant > 1) continue;
    const double each[] = {300, 600, 900};
    cell.samples.clear();
    for (int round = 0; round < 30; ++round)
      cell.samples.push_back({round, cell.key.variant == 0 ? each[round % 3]
                                     : round % 3 == 1      ? 300
                                                           : each[round % 3] / 3});
  }
  run.show(uneven, true);
  for (int column = 0; column < model.columnCount(); ++column)
    EXPECT_FALSE(model.headerData(column, Qt::Horizontal, Qt::ToolTipRole).toString().isEmpty())
        << model.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString().toStdString();
  const int speedUp = 1 + ResultsTableModel::speedUpColumn;
  int starred = -1;
  for (int row = 0; row < model.rowCount() && starred < 0; ++row)
    if (at(row, speedUp).endsWith(" *")) starred = row;
  ASSERT_GE(starred, 0);
  EXPECT_TRUE(at(starred, speedUp).startsWith("3")) << at(starred, speedUp).toStdString();
  EXPECT_TRUE(model.index(starred, speedUp)
                  .data(Qt::ToolTipRole)
                  .toString()
                  .contains("The ratio of the two latencies is 2"))
      << model.index(starred, speedUp).data(Qt::ToolTipRole).toString().toStdString();
  EXPECT_TRUE(model.index(0, kStop).data(Qt::ToolTipRole).toString().contains("Stopped because"));
}

TEST_F(ResultsTable, FailedCellsTellTheirReason) {
  fusebench::Run broken = test::syntheticHeader();
  broken.cells[0].stop = Stop::unavailable;
  broken.cells[0].error = "needs 9 GiB of 4";
  run.show(broken, true);
  EXPECT_EQ(at(0, kStop), "unavailable");
  EXPECT_EQ(model.index(0, kStop).data(Qt::ToolTipRole).toString(), "needs 9 GiB of 4");
}

TEST_F(ResultsTable, TextHasAHeaderAndALineForEveryRow) {
  run.show(test::syntheticRun(), true);
  const QStringList lines = model.toText().split('\n');
  EXPECT_EQ(lines.size(), 1 + 21 + 1);
  EXPECT_TRUE(lines[0].startsWith("statements\tvariant\tlatency"));
  EXPECT_EQ(lines[1].count('\t'), lines[0].count('\t'));
}

TEST(Curves, HoldOnlyPlacesWithSamplesInAscendingOrder) {
  fusebench::Run run = test::syntheticRun();
  run.cells[4].samples.clear();  // static at 5
  const auto curves = curvesOf(run);
  ASSERT_EQ(curves.size(), 3u);
  EXPECT_EQ(curves[0].points.size(), 7u);
  ASSERT_EQ(curves[1].points.size(), 6u);
  EXPECT_EQ(curves[1].points[1].x, 10);
}

TEST(Lessons, AnExperimentWithoutOneGetsThePageOnTheWorkbench) {
  Experiment experiment = test::syntheticExperiment();
  experiment.lesson = "fusion_study";
  EXPECT_TRUE(lessonFor(experiment).startsWith("# When does fusion pay off?"));
  for (const char* none : {"", "no_such_lesson", "../README"}) {
    experiment.lesson = none;
    EXPECT_TRUE(lessonFor(experiment).startsWith("# The workbench")) << none;
  }
}

TEST(Curves, PublishedOnesWearTheColorsOfTheVariantsOfTheirName) {
  Reference reference;
  reference.axis = "statements";
  reference.curves = {{"dynamic", {1, 5}, {10, 20}}, {"other", {1, 5}, {10, 20}}};
  const auto curves = curvesOf(reference, test::syntheticExperiment());
  EXPECT_EQ(curves[0].variant, 2);
  EXPECT_EQ(curves[1].variant, 3);
  EXPECT_TRUE(fits(reference, test::syntheticExperiment()));
  reference.axis = "batch";
  EXPECT_FALSE(fits(reference, test::syntheticExperiment()));
}

TEST(Curves, TheValueRangeCoversTheBandsAndTheObservations) {
  Curve curve;
  curve.points = {{1, {100, 90, 130, Estimate::Kind::interval}, true}};
  curve.observations = {{1, 150}};
  const ValueRange range = valueRange({curve});
  EXPECT_EQ(range.low, 90);
  EXPECT_EQ(range.high, 150);
  EXPECT_EQ(valueRange({}).high, 0);
}

TEST(Settings, AreRememberedAndSignalOnlyChanges) {
  QTemporaryDir folder;
  const QString file = folder.filePath("settings.ini");
  {
    Settings settings(file);
    QSignalSpy changes(&settings, &Settings::changed);
    EXPECT_TRUE(settings.dark());
    settings.setDark(false);
    settings.setDark(false);
    EXPECT_EQ(changes.count(), 1);
  }
  EXPECT_FALSE(Settings(file).dark());
}

TEST(Presets, EveryStudyHasItsPlaceInTheCourse) {
  const PresetsModel presets;
  ASSERT_GT(presets.rowCount(), 40);
  for (int row = 0; row < presets.rowCount(); ++row)
    EXPECT_NE(presets.index(row).data(PresetsModel::SectionRole).toString(), "More")
        << presets.index(row).data(PresetsModel::NameRole).toString().toStdString();
}

}  // namespace
}  // namespace fusebench

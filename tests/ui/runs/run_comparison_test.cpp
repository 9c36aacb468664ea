// SPDX-License-Identifier: GPL-3.0-or-later
// Two runs against each other, and the view of it.
#include "ui/models/runs/run_comparison.h"

#include <gtest/gtest.h>
#include <qcustomplot.h>

#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QContextMenuEvent>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>
#include <algorithm>
#include <set>
#include <string>

#include "tests/ui/chart/map_run.h"
#include "tests/ui/events.h"
#include "tests/ui/synthetic.h"
#include "ui/views/runs/compare_view.h"

namespace fusebench {
namespace {

using test::syntheticRun;

/// The synthetic run with the variant's times multiplied.
fusebench::Run scaled(int variant, double factor) {
  auto run = syntheticRun();
  for (Cell& cell : run.cells)
    if (cell.key.variant == variant)
      for (Sample& sample : cell.samples) sample.nanoseconds *= factor;
  return run;
}

const ComparedCell* find(const RunComparison& comparison, const QString& variant,
                         const std::vector<std::int64_t>& at) {
  for (const ComparedCell& cell : comparison.cells)
    if (cell.variant == variant && cell.at == at) return &cell;
  return nullptr;
}

std::string difference(const RunComparison& comparison, const QString& what) {
  for (const RunDifference& each : comparison.differences)
    if (each.what == what) return (each.a + " | " + each.b).toStdString();
  return "(none)";
}

TEST(RunComparison, FindsWhatGotFasterSlowerAndWhatDidNotChange) {
  auto b = scaled(1, 0.5);
  for (Cell& cell : b.cells)
    if (cell.key.variant == 2)
      for (Sample& sample : cell.samples) sample.nanoseconds *= 1.5;
  const RunComparison comparison = compareRuns(syntheticRun(), b);
  EXPECT_EQ(comparison.cells.size(), 21u);
  const ComparedCell* cell = find(comparison, "static", {30});
  ASSERT_TRUE(cell);
  EXPECT_NEAR(cell->ratio.value, 0.5, 1e-9);
  EXPECT_LT(cell->ratio.low, 0.5);
  EXPECT_GT(cell->ratio.high, 0.5);
  EXPECT_EQ(cell->verdict(), RunVerdict::faster);
  EXPECT_EQ(find(comparison, "dynamic", {1})->verdict(), RunVerdict::slower);
  EXPECT_EQ(find(comparison, "eager", {1})->verdict(), RunVerdict::withinNoise);
  EXPECT_EQ(summaryOf(comparison),
            "B is faster at 7 of 21 data points, slower at 7, within noise at 7.");
}

TEST(RunComparison, OfARunWithItselfIsAllNoiseAndNoDifferences) {
  const RunComparison comparison = compareRuns(syntheticRun(), syntheticRun());
  EXPECT_EQ(comparison.count(RunVerdict::withinNoise), 21u);
  EXPECT_TRUE(comparison.differences.empty());
}

TEST(RunComparison, MatchesByNameAndValueWhateverTheOrder) {
  const auto a = test::mapRun({1, 2}, {16, 64, 256}, [](double x, double y) { return x * y; });
  auto b = a;
  std::swap(b.experiment.axes[0], b.experiment.axes[1]);
  std::swap(b.experiment.variants[0], b.experiment.variants[2]);
  for (Cell& cell : b.cells) {
    std::swap(cell.key.at[0], cell.key.at[1]);
    cell.key.variant = 2 - cell.key.variant;
  }
  std::reverse(b.cells.begin(), b.cells.end());
  const RunComparison comparison = compareRuns(a, b);
  EXPECT_EQ(comparison.cells.size(), 18u);
  EXPECT_EQ(comparison.onlyInA() + comparison.onlyInB(), 0u);
  for (const ComparedCell& cell : comparison.cells) EXPECT_NEAR(cell.ratio.value, 1, 1e-12);
}

TEST(RunComparison, ListsCellsThatOnlyOneRunHas) {
  auto a = syntheticRun(), b = syntheticRun();
  a.cells[0].samples.clear();
  b.experiment.variants[2].name = "dynamic (2 threads)";
  const RunComparison comparison = compareRuns(a, b);
  EXPECT_EQ(comparison.onlyInA(), 7u);
  EXPECT_EQ(comparison.onlyInB(), 8u);
  const ComparedCell* cell = find(comparison, "dynamic", {5});
  ASSERT_TRUE(cell);
  EXPECT_EQ(cell->ratio.kind, Estimate::Kind::none);
  EXPECT_EQ(cell->samplesB, 0u);
  EXPECT_TRUE(summaryOf(comparison).contains("7 only in A, 8 only in B"));
}

TEST(RunComparison, WithFewSamplesGivesNoVerdict) {
  const RunComparison comparison = compareRuns(syntheticRun(), syntheticRun(4));
  EXPECT_EQ(comparison.count(RunVerdict::unknown), 21u);
  EXPECT_EQ(comparison.cells[0].ratio.kind, Estimate::Kind::range);
}

TEST(RunComparison, RefusesRunsOverDifferentAxesInWords) {
  auto b = syntheticRun();
  b.experiment.axes[0].name = "threads";
  const RunComparison comparison = compareRuns(syntheticRun(), b);
  EXPECT_TRUE(comparison.cells.empty());
  EXPECT_TRUE(summaryOf(comparison).contains("A statements, B threads"));
}

TEST(RunDifferences, NameMachineSettingsProgramAndOptions) {
  auto a = syntheticRun(), b = syntheticRun();
  a.environment = {{"cpu", {{"model", "Big"}, {"governor", "performance"}, {"cores", 8}}},
                   {"load", {0.1, 0.2, 0.3}},
                   {"memory", {{"available_bytes", 1}}}};
  b.environment = {{"cpu", {{"model", "Small"}, {"cores", 8}}},
                   {"load", {3.25, 0.2, 0.3}},
                   {"memory", {{"available_bytes", 2}}}};
  b.device = "cuda";
  b.quick = true;
  b.experiment.measure.precision = 0.05;
  b.experiment.variants[1].threads = 4;
  b.experiment.inputSets[0].count = 10;
  b.experiment.programText += "# other\n";
  const RunComparison comparison = compareRuns(a, b);
  EXPECT_EQ(difference(comparison, "processor"), "Big | Small");
  EXPECT_EQ(difference(comparison, "frequency governor"), "performance | ");
  EXPECT_EQ(difference(comparison, "load of the machine"), "0.1 | 3.3");
  EXPECT_EQ(difference(comparison, "device"), "cpu | cuda");
  EXPECT_EQ(difference(comparison, "quick or full"), "full | quick");
  EXPECT_EQ(difference(comparison, "requested precision"), "0.01 | 0.05");
  EXPECT_EQ(difference(comparison, "inputs varying: count"), "300 | 10");
  EXPECT_EQ(difference(comparison, "program"), "20 statements | 20 statements, other ones");
  EXPECT_NE(difference(comparison, "variant static: threads"), "(none)");
  EXPECT_EQ(difference(comparison, "cores"), "(none)");
  EXPECT_EQ(comparison.differences.size(), 9u);  // and free memory is none
}

TEST(RunDifferences, OfAColorAreNone) {
  auto b = syntheticRun();
  b.experiment.variants[1].series = 5;
  EXPECT_TRUE(differencesOf(syntheticRun(), b).empty());
}

TEST(NumberedNames, CountAmongEqualsOnly) {
  EXPECT_EQ(numberedNames({"a", "run", "b", "run"}),
            (std::vector<QString>{"a", "run 1", "b", "run 2"}));
  EXPECT_EQ(numberedNames({"run"}), std::vector<QString>{"run"});
}

class Compare : public testing::Test {
 protected:
  void compare(fusebench::Run a, fusebench::Run b) {
    view.setRuns({{"before", std::make_shared<fusebench::Run>(std::move(a))},
                  {"after", std::make_shared<fusebench::Run>(std::move(b))}});
    ASSERT_TRUE(QTest::qWaitFor([this] { return !view.model().busy(); }, 10'000));
    view.resize(640, 720);
    view.show();
  }
  QString cell(int row, int column) {
    return view.table().model()->index(row, column).data().toString();
  }
  CompareView view;
};

TEST_F(Compare, ShowsBothRunsTheirDifferencesAndEveryCell) {
  auto b = scaled(1, 0.5);
  b.device = "cuda";
  compare(syntheticRun(), std::move(b));
  EXPECT_TRUE(view.header().text().contains("before"));
  EXPECT_TRUE(view.header().text().contains("after"));
  EXPECT_TRUE(view.differences().text().contains("device"));
  EXPECT_TRUE(view.differences().text().contains("cuda"));
  EXPECT_TRUE(view.summary().text().contains("faster at 7 of 21"));
  ASSERT_EQ(view.table().model()->rowCount(), 21);
  EXPECT_EQ(cell(1, 1), "static");
  EXPECT_EQ(cell(1, 4), "0.500×");
  EXPECT_EQ(cell(1, 6), "faster");
  EXPECT_FALSE(view.slice().isVisible());
}

/// The menu of the view offers to export the comparison: its texts have none of their own.
TEST_F(Compare, HasOneContextMenuEverywhere) {
  compare(syntheticRun(), scaled(1, 0.5));
  view.setContextMenuPolicy(Qt::CustomContextMenu);
  QSignalSpy asked(&view, &QWidget::customContextMenuRequested);
  QList<QWidget*> parts = {view.table().viewport(), view.findChild<QCustomPlot*>()};
  for (QLabel* label : view.findChildren<QLabel*>())
    if (label->isVisible()) parts << label;
  ASSERT_GE(parts.size(), 5);
  int places = 0;
  for (QWidget* part : parts) {
    QContextMenuEvent event(QContextMenuEvent::Mouse, QPoint(3, 3),
                            part->mapToGlobal(QPoint(3, 3)));
    QApplication::sendEvent(part, &event);
    EXPECT_EQ(asked.count(), ++places) << part->metaObject()->className();
  }
}

TEST_F(Compare, TheLegendCoversNothing) {
  view.resize(420, 560);
  view.show();
  compare(syntheticRun(), scaled(0, 12));
  auto& plot = *view.findChild<QCustomPlot*>();
  plot.replot(QCustomPlot::rpImmediateRefresh);
  ASSERT_EQ(plot.legend->itemCount(), 3);
  EXPECT_TRUE(plot.legend->visible());
  EXPECT_LE(plot.legend->outerRect().bottom(), plot.axisRect()->top());
  EXPECT_LE(plot.legend->outerRect().right(), plot.width());
}

/// A row of the legend that is not full has places without an entry.
TEST_F(Compare, TheLegendIsWrappedAnewAtEveryWidthAndLeavesRoomForThePlot) {
  fusebench::Run many = syntheticRun();
  Experiment experiment = many.experiment;
  while (experiment.variants.size() < 10) {
    experiment.variants.push_back(experiment.variants.back());
    experiment.variants.back().name = "torch-dynamic " + std::to_string(experiment.variants.size());
  }
  many = test::syntheticHeader(experiment);
  for (Cell& cell : many.cells) {
    const int variant = cell.key.variant;
    cell = test::syntheticCell({std::min(variant, 2), cell.key.at});
    cell.key.variant = variant;
  }
  view.show();
  compare(many, many);
  auto& plot = *view.findChild<QCustomPlot*>();
  std::set<int> wraps;
  for (int width = 900; width >= 300; width -= 60) {
    view.resize(width, 430);
    test::handleEvents();
    plot.replot(QCustomPlot::rpImmediateRefresh);
    wraps.insert(plot.legend->wrap());
    EXPECT_GE(plot.axisRect()->height(), 70) << width;
    EXPECT_LE(plot.legend->outerRect().bottom(), plot.axisRect()->top()) << width;
  }
  EXPECT_GT(wraps.size(), 2u);
}

TEST_F(Compare, RatiosLabelsHaveRoomHoweverLowThePlotIs) {
  compare(syntheticRun(), scaled(0, 1.35));
  auto& plot = *view.findChild<QCustomPlot*>();
  for (const int height : {360, 420, 520, 720, 1300}) {
    view.resize(640, height);
    test::handleEvents();
    plot.replot(QCustomPlot::rpImmediateRefresh);
    QVector<double> ticks;
    QVector<QString> labels;
    plot.yAxis->ticker()->generate(plot.yAxis->range(), QLocale::c(), QChar('f'), 6, ticks, nullptr,
                                   &labels);
    EXPECT_GE(ticks.size(), 2) << height;
    EXPECT_TRUE(ticks.contains(1)) << height;
    for (qsizetype i = 0; i + 1 < ticks.size(); ++i)
      EXPECT_GE(plot.yAxis->coordToPixel(ticks[i]) - plot.yAxis->coordToPixel(ticks[i + 1]),
                QFontMetrics(plot.yAxis->tickLabelFont()).ascent())
          << height;
  }
}

TEST_F(Compare, SortsByNumberNotByText) {
  compare(syntheticRun(), scaled(0, 12));
  view.table().sortByColumn(4, Qt::DescendingOrder);
  EXPECT_EQ(cell(0, 1), "eager");
  EXPECT_EQ(cell(0, 4), "12.0×");
  view.table().sortByColumn(0, Qt::AscendingOrder);
  EXPECT_EQ(cell(0, 0), "1");
  EXPECT_EQ(cell(3, 0), "5");
}

TEST_F(Compare, OffersTheSecondAxisValuesOfAMap) {
  const auto run = test::mapRun({1, 2}, {16, 64}, [](double, double) { return 2; });
  compare(run, run);
  EXPECT_EQ(view.slice().count(), 2);
  EXPECT_EQ(view.slice().itemText(1), "elements = 64");
}

TEST_F(Compare, WritesPlacesAsTheOtherTablesDo) {
  const auto run = test::mapRun({1, 2}, {2048, 65536}, [](double, double) { return 2; });
  compare(run, run);
  EXPECT_EQ(view.slice().itemText(0), "elements = 2Ki");
  std::set<std::string> places;
  for (int row = 0; row < view.model().rowCount(); ++row)
    places.insert(view.model().index(row, 1).data().toString().toStdString());
  EXPECT_EQ(places, (std::set<std::string>{"2Ki", "64Ki"}));
}

TEST_F(Compare, ANewerPairReplacesOneThatIsStillCompared) {
  view.setRuns({{"x", std::make_shared<fusebench::Run>(scaled(0, 3))},
                {"y", std::make_shared<fusebench::Run>(syntheticRun())}});
  compare(syntheticRun(), scaled(0, 12));
  test::handleEvents();
  EXPECT_EQ(view.model().comparison().count(RunVerdict::slower), 7u);
  view.setRuns({});
  EXPECT_EQ(view.model().rowCount(), 0);
}

TEST_F(Compare, OneOfSeveralStandsAgainstTheFirst) {
  compare(syntheticRun(), scaled(0, 12));
  EXPECT_FALSE(view.other().isVisible());
  view.setRuns({{"first", std::make_shared<fusebench::Run>(syntheticRun())},
                {"second", std::make_shared<fusebench::Run>(scaled(0, 2))},
                {"third", std::make_shared<fusebench::Run>(scaled(1, 3))}});
  ASSERT_TRUE(QTest::qWaitFor([this] { return !view.model().busy(); }, 10'000));
  EXPECT_TRUE(view.other().isVisible());
  EXPECT_EQ(cell(0, 4), "2.00×");
  view.other().setCurrentIndex(1);
  ASSERT_TRUE(QTest::qWaitFor([this] { return !view.model().busy(); }, 10'000));
  EXPECT_TRUE(view.header().text().contains("third"));
  EXPECT_EQ(cell(0, 4), "1.00×");
  EXPECT_EQ(cell(1, 4), "3.00×");
  QSignalSpy exported(&view, &CompareView::exportRequested);
  view.exportButton().click();
  ASSERT_EQ(exported.size(), 1);
  EXPECT_EQ(exported[0][1].toString(), "third");
}

TEST(ComparisonTable, KeepsTheRulesOfAModel) {
  RunComparisonModel model;
  const QAbstractItemModelTester tester(&model,
                                        QAbstractItemModelTester::FailureReportingMode::Fatal);
  model.setRuns(std::make_shared<fusebench::Run>(syntheticRun()),
                std::make_shared<fusebench::Run>(syntheticRun()));
  EXPECT_TRUE(QTest::qWaitFor([&] { return !model.busy(); }, 10'000));
  EXPECT_EQ(model.rowCount(), 21);
}

}  // namespace
}  // namespace fusebench

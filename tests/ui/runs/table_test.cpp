// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include <QAbstractItemModelTester>
#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>

#include "tests/ui/synthetic.h"
#include "ui/models/runs/results_filter_model.h"
#include "ui/views/runs/results_view.h"

namespace fusebench {
namespace {

class Table : public testing::Test {
 protected:
  Table() { run.show(test::syntheticRun(), true); }
  QString at(int row, int column) { return shown.index(row, column).data().toString(); }
  int rowsWith(const char* filter) {
    shown.setFilterText(filter);
    return shown.rowCount();
  }
  RunModel run;
  ResultsTableModel model{run};
  ResultsFilterModel shown{model};
  QAbstractItemModelTester tester{&shown, QAbstractItemModelTester::FailureReportingMode::Fatal};
  const int latency = 1 + ResultsTableModel::latencyColumn;
};

TEST_F(Table, SortsByValueAndNotByText) {
  shown.sort(latency, Qt::AscendingOrder);
  double before = 0;
  for (int row = 0; row < shown.rowCount(); ++row) {
    const double value = shown.index(row, latency).data(ResultsTableModel::RawRole).toDouble();
    EXPECT_LE(before, value);
    before = value;
  }
}

TEST_F(Table, HeadsStatementsByWhatTheyAre) {
  fusebench::Run network = test::syntheticRun();
  const auto head = [&] { return model.headerData(0, Qt::Horizontal, Qt::DisplayRole).toString(); };
  EXPECT_EQ(head(), "statements");
  network.experiment.axes[0].unit = "layers";
  run.show(network, true);
  EXPECT_EQ(head(), "layers") << "as in the chart";
}

/// Values that arrive during a study fit before the columns' widths are computed again.
TEST_F(Table, ATimeIsWholeFromItsFirstSampleOn) {
  fusebench::Run waiting = test::syntheticRun();
  for (Cell& cell : waiting.cells) cell.samples.clear();
  run.show(waiting, false);
  ResultsView view(model);
  view.resize(900, 300);
  view.show();
  fusebench::Cell first = test::syntheticRun().cells[0];
  for (auto& sample : first.samples) sample.nanoseconds = 99'300 / 1'000.0;
  run.update({{0, first}});
  const QTableView& table = *view.findChild<QTableView*>();
  const QModelIndex time = table.model()->index(0, latency);
  EXPECT_EQ(time.data().toString().size(), 7);  // 99.3 ns
  EXPECT_GE(table.columnWidth(latency), table.itemDelegate()->sizeHint({}, time).width());
}

TEST_F(Table, RowsWithoutAValueAreLastEitherWay) {
  fusebench::Run part = test::syntheticRun();
  part.cells[0].samples.clear();
  run.show(part, true);
  for (const auto order : {Qt::AscendingOrder, Qt::DescendingOrder}) {
    shown.sort(latency, order);
    EXPECT_FALSE(
        shown.index(shown.rowCount() - 1, latency).data(ResultsTableModel::RawRole).isValid());
  }
}

TEST_F(Table, ARatioThatMayBeOneIsMarked) {
  fusebench::Run close = test::syntheticRun();
  const int speedUp = 1 + ResultsTableModel::speedUpColumn;
  run.show(close, true);
  EXPECT_FALSE(model.index(1, speedUp).data().toString().contains(u'≈'));
  // As long as the baseline, give or take a fifth from round to round.
  for (Cell& cell : close.cells)
    for (Sample& sample : cell.samples)
      sample.nanoseconds = 1000 + 20 * (sample.round * (cell.key.variant == 0 ? 7 : 3) % 11);
  run.show(close, true);
  EXPECT_TRUE(model.index(1, speedUp).data().toString().startsWith(u'≈'));
  EXPECT_TRUE(model.index(1, speedUp).data(Qt::ToolTipRole).toString().contains("within noise"));
}

TEST_F(Table, HowACellEndedSaysHowItWasCompiled) {
  fusebench::Run divided = test::syntheticRun();
  divided.cells[0].graphs = 2;
  divided.cells[0].memoryShare = 0.4;
  run.show(divided, true);
  const QModelIndex ended = model.index(0, 1 + ResultsTableModel::stopColumn);
  EXPECT_TRUE(ended.data(Qt::ToolTipRole).toString().contains(QStringLiteral("in 2 pieces")));
  EXPECT_TRUE(ended.data(Qt::ToolTipRole)
                  .toString()
                  .contains(QStringLiteral("activation_memory_budget of 0.4")));
  EXPECT_FALSE(model.index(1, 1 + ResultsTableModel::stopColumn)
                   .data(Qt::ToolTipRole)
                   .toString()
                   .contains(QStringLiteral("pieces")));
}

TEST_F(Table, FiltersByWordsValuesAndConditions) {
  EXPECT_EQ(rowsWith(""), 21);
  EXPECT_EQ(rowsWith("static"), 7);
  EXPECT_EQ(rowsWith("static 30"), 1);
  EXPECT_EQ(at(0, 1), "static");
  EXPECT_EQ(rowsWith("n>=10"), 15);
  EXPECT_EQ(rowsWith("statements<5 dynamic"), 1);
  EXPECT_EQ(rowsWith("converged"), 21);
  EXPECT_EQ(rowsWith("budget"), 0);
  EXPECT_EQ(rowsWith("batch>1"), 0);
}

TEST_F(Table, APlaceIsWrittenOnceForItsGroupAndOnEveryRowWhenSortedOtherwise) {
  EXPECT_FALSE(shown.index(1, 0).data(ResultsTableModel::GroupStartRole).toBool());
  shown.setFilterText("static");
  EXPECT_TRUE(shown.index(1, 0).data(ResultsTableModel::GroupStartRole).toBool());
  shown.setFilterText("");
  shown.sort(latency, Qt::AscendingOrder);
  for (int row = 0; row < shown.rowCount(); ++row)
    EXPECT_TRUE(shown.index(row, 0).data(ResultsTableModel::GroupStartRole).toBool());
}

TEST_F(Table, ForSpreadsheetsUnitsAreInTheHeaderAndNumbersArePlain) {
  const QStringList lines = model.toText().split('\n');
  const QStringList header = lines[0].split('\t');
  const QStringList row = lines[2].split('\t');  // static at 1
  EXPECT_EQ(header.indexOf("latency [ns]"), 2);
  bool number = false;
  EXPECT_NEAR(row[2].toDouble(&number), 402, 5);
  EXPECT_TRUE(number);
  const double low = row[header.indexOf("latency low [ns]")].toDouble();
  const double high = row[header.indexOf("latency high [ns]")].toDouble();
  EXPECT_LT(low, row[2].toDouble());
  EXPECT_GT(high, row[2].toDouble());
  EXPECT_TRUE(lines[1].split('\t')[header.indexOf("speedup")].isEmpty());  // the baseline
}

TEST(ResultsTableView, CopiesTheSelectedRowsInTheOrderShown) {
  RunModel run;
  run.show(test::syntheticRun(), true);
  ResultsTableModel model(run);
  ResultsView view(model);
  view.show();
  view.table().sortByColumn(1 + ResultsTableModel::latencyColumn, Qt::DescendingOrder);
  view.table().selectRow(0);
  QTest::keyClick(&view.table(), Qt::Key_C, Qt::ControlModifier);
  QStringList lines = QApplication::clipboard()->text().split('\n', Qt::SkipEmptyParts);
  ASSERT_EQ(lines.size(), 2);
  EXPECT_TRUE(lines[1].startsWith("30\teager\t"));
  view.table().clearSelection();
  view.filter().setText("dynamic");
  QTest::keyClick(&view.table(), Qt::Key_C, Qt::ControlModifier);
  lines = QApplication::clipboard()->text().split('\n', Qt::SkipEmptyParts);
  EXPECT_EQ(lines.size(), 1 + 7);
}

TEST(ResultsTableView, AHeadsThirdClickBringsBackTheMeasuredOrder) {
  RunModel run;
  run.show(test::syntheticRun(), true);
  ResultsTableModel model(run);
  ResultsView view(model);
  view.resize(900, 400);
  view.show();
  QHeaderView& head = *view.table().horizontalHeader();
  const int latency = 1 + ResultsTableModel::latencyColumn;
  const QPoint place(head.sectionViewportPosition(latency) + 20, head.height() / 2);
  for (int click = 0; click < 3; ++click)
    QTest::mouseClick(head.viewport(), Qt::LeftButton, {}, place);
  EXPECT_EQ(view.shown().sortColumn(), -1);
  EXPECT_EQ(view.shown().index(4, 1).data().toString(), "static");
}

TEST(ResultsTableView, EnterShowsTheRowsPlaceAndCtrlFGoesToTheFilter) {
  RunModel run;
  run.show(test::syntheticRun(), true);
  ResultsTableModel model(run);
  ResultsView view(model);
  view.show();
  view.activateWindow();
  ASSERT_TRUE(QTest::qWaitForWindowActive(&view));
  QSignalSpy picks(&view, &ResultsView::picked);
  view.table().setCurrentIndex(view.shown().index(7, 0));
  QTest::keyClick(&view.table(), Qt::Key_Return);
  ASSERT_EQ(picks.count(), 1);
  EXPECT_EQ(picks[0][0].toDouble(), 10.0);
  QTest::keyClick(&view.table(), Qt::Key_F, Qt::ControlModifier);
  EXPECT_TRUE(view.filter().hasFocus());
}

}  // namespace
}  // namespace fusebench

// SPDX-License-Identifier: GPL-3.0-or-later
// Queries in SQL under the timeline.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QMenu>
#include <QPlainTextEdit>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>
#include <QToolButton>
#include <QTreeWidget>

#include "profiler/trace/trace_import.h"
#include "tests/support/built_paths.h"
#include "tests/ui/events.h"
#include "ui/views/base/elided_label.h"
#include "ui/views/timeline/query_panel.h"
#include "ui/views/timeline/timeline_view.h"

namespace fusebench {
namespace {

constexpr int kLongMs = 60'000;  // for what happens within milliseconds

class QueryPanelTest : public testing::Test {
 protected:
  QueryPanelTest() : view(model), panel(view.figures().query()) {
    view.resize(1100, 800);
    view.setTheme(darkTheme());
    view.show();
    model.setTraces(
        {importTrace(test::sourcePath("/tests/profiler/traces/torch_2_11_h100_eager.json.gz"))});
    QComboBox& subject = view.figures().subject();
    subject.setCurrentIndex(subject.findText(QStringLiteral("Query (SQL)")));
    test::handleEvents();
  }
  void ask(const char* sql) {
    panel.editor().setPlainText(QString::fromLatin1(sql));
    panel.runButton().click();
    ASSERT_TRUE(QTest::qWaitFor([this] { return !panel.query().busy(); }, kLongMs));
    test::handleEvents();
  }
  QString cell(int row, int column) {
    return panel.table().model()->index(row, column).data().toString();
  }
  std::string line() const { return panel.line().text().toStdString(); }

  TimelineModel model;
  TimelineView view;
  QueryPanel& panel;
};

TEST_F(QueryPanelTest, TheQueryThatIsThereAnswers) {
  EXPECT_TRUE(panel.isVisible());
  EXPECT_FALSE(view.table().isVisible());
  ask(savedQueries().front().sql);
  const auto expected = queryTrace(model.shown()[0].trace, savedQueries().front().sql);
  ASSERT_EQ(panel.table().model()->rowCount(), int(expected.rows.size()));
  EXPECT_EQ(cell(0, 0).toStdString(), textOf(expected.rows[0][0]));
  EXPECT_THAT(line(), testing::StartsWith(std::to_string(expected.rows.size()) + " rows, "));
}

TEST_F(QueryPanelTest, CtrlEnterRunsIt) {
  panel.editor().setPlainText(QStringLiteral("select count(*) as n from kernels"));
  QTest::keyClick(&panel.editor(), Qt::Key_Return, Qt::ControlModifier);
  ASSERT_TRUE(QTest::qWaitFor([this] { return !panel.query().busy(); }, kLongMs));
  EXPECT_EQ(cell(0, 0), QStringLiteral("27"));
  EXPECT_EQ(panel.editor().toPlainText(), QStringLiteral("select count(*) as n from kernels"));
}

TEST_F(QueryPanelTest, AMistakeIsSaidInOneLine) {
  ask("select absent\nfrom kernels");
  EXPECT_EQ(line(), "the query is wrong: no such column: absent");
  EXPECT_EQ(panel.table().model()->rowCount(), 0);
  EXPECT_FALSE(panel.csvButton().isEnabled());
  ask("attach database 'x' as y");
  EXPECT_THAT(line(), testing::HasSubstr("use SELECT alone"));
  ask("select 1");
  EXPECT_THAT(line(), testing::StartsWith("1 row, "));
}

TEST_F(QueryPanelTest, ColumnsSortAsNumbersAndKeepTheSelection) {
  ask("select event, dur_ns from kernels");
  QTableView& table = panel.table();
  const auto duration = [&](int row) {
    const QueryRows& rows = panel.query().rows();
    return std::get<std::int64_t>(rows.result()->rows[rows.placeOf(row)][1]);
  };
  table.selectionModel()->select(table.model()->index(3, 0),
                                 QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
  ASSERT_EQ(table.selectionModel()->selectedRows().size(), 1);
  const std::size_t chosen = panel.query().rows().placeOf(3);
  table.sortByColumn(1, Qt::DescendingOrder);
  for (int row = 1; row < 27; ++row) EXPECT_GE(duration(row - 1), duration(row));
  ASSERT_EQ(table.selectionModel()->selectedRows().size(), 1);
  const int now = table.selectionModel()->selectedRows().front().row();
  EXPECT_EQ(panel.query().rows().placeOf(now), chosen);
  table.sortByColumn(1, Qt::AscendingOrder);
  for (int row = 1; row < 27; ++row) EXPECT_LE(duration(row - 1), duration(row));
}

TEST_F(QueryPanelTest, ARowShowsItsEventOrItsTime) {
  ask("select name, event from kernels order by dur_ns desc");
  QTableView& table = panel.table();
  table.sortByColumn(0, Qt::AscendingOrder);
  const QModelIndex third = table.model()->index(2, 0);
  QTest::mouseClick(table.viewport(), Qt::LeftButton, {}, table.visualRect(third).center());
  ASSERT_TRUE(model.current());
  EXPECT_TRUE(
      model.shown()[0].trace->name(model.current()->event).starts_with(cell(2, 0).toStdString()));

  ask("select 1000 as from_ns, 500 as gap_ns");
  EXPECT_TRUE(panel.query().goTo(0));
  EXPECT_EQ(model.selection(), (TimeRange{1000, 1500}));
  // Places outside of the trace are ignored.
  ask("select -5 as event, 99999999999999 as start_ns");
  EXPECT_FALSE(panel.query().goTo(0));
  EXPECT_FALSE(panel.query().goTo(7));
}

TEST_F(QueryPanelTest, RowsAreCopiedAndSavedAsCsv) {
  ask("select 1 as a, '=x' as b union select 2, 'y, z'");
  panel.table().sortByColumn(0, Qt::DescendingOrder);
  QSignalSpy saved(&panel, &QueryPanel::csvWanted);
  panel.csvButton().click();
  ASSERT_EQ(saved.size(), 1);
  EXPECT_EQ(saved[0][1].toString(), QStringLiteral("a,b\n2,\"y, z\"\n1,'=x\n"));
  panel.table().selectionModel()->select(
      panel.table().model()->index(1, 0),
      QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
  QTest::keyClick(&panel.table(), Qt::Key_C, Qt::ControlModifier);
  EXPECT_EQ(QApplication::clipboard()->text(), QStringLiteral("a,b\n1,'=x\n"));
}

TEST_F(QueryPanelTest, ALongQueryIsCanceled) {
  panel.editor().setPlainText(
      QStringLiteral("with recursive n(i) as (select 1 union all select i + 1 from n) "
                     "select max(i) from n"));
  panel.runButton().click();
  EXPECT_TRUE(panel.query().busy());
  EXPECT_EQ(panel.runButton().text(), QStringLiteral("Cancel"));
  panel.runButton().click();
  EXPECT_FALSE(panel.query().busy());
  ask("select 7 as seven");  // the thread is free
  EXPECT_EQ(cell(0, 0), QStringLiteral("7"));
}

TEST_F(QueryPanelTest, TablesAndColumnsAreInView) {
  QTreeWidget& schema = panel.schema();
  ASSERT_EQ(schema.topLevelItemCount(), int(querySchemas().size()));
  for (int i = 0; i < schema.topLevelItemCount(); ++i) {
    const QuerySchema& table = querySchemas()[std::size_t(i)];
    EXPECT_EQ(schema.topLevelItem(i)->text(0).toStdString(), table.name);
    EXPECT_EQ(schema.topLevelItem(i)->childCount(), int(table.columns.size()));
  }
  panel.editor().clear();
  emit schema.itemActivated(schema.topLevelItem(2)->child(2), 0);
  EXPECT_EQ(panel.editor().toPlainText(), QStringLiteral("short_name"));
}

TEST_F(QueryPanelTest, KeptQueriesComeFirstInTheMenu) {
  QSignalSpy changed(&panel, &QueryPanel::keptChanged);
  QMenu& menu = panel.queriesMenu();
  const auto entries = [&] {
    emit menu.aboutToShow();
    QStringList texts;
    for (const QAction* action : menu.actions())
      if (!action->isSeparator()) texts << action->text();
    return texts;
  };
  EXPECT_EQ(entries().size(), qsizetype(savedQueries().size()) + 1);
  panel.editor().setPlainText(QStringLiteral("-- Mine & yours\nselect 1"));
  entries();
  menu.actions().back()->trigger();
  ASSERT_EQ(changed.size(), 1);
  EXPECT_EQ(entries().front(), QStringLiteral("Mine && yours"));
  panel.editor().clear();
  menu.actions().front()->trigger();
  EXPECT_EQ(panel.editor().toPlainText(), QStringLiteral("-- Mine & yours\nselect 1"));
  entries();
  menu.actions().back()->trigger();  // it is known: removed
  EXPECT_TRUE(panel.kept().isEmpty());
}

TEST_F(QueryPanelTest, OtherTracesForgetTheAnswer) {
  ask("select event from kernels");
  model.setTraces({});
  EXPECT_EQ(panel.table().model()->rowCount(), 0);
  EXPECT_FALSE(panel.query().goTo(0));
}

}  // namespace
}  // namespace fusebench

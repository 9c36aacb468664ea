// SPDX-License-Identifier: GPL-3.0-or-later
// The search above the timeline, with its matches as a table, and the views before and after.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QTest>
#include <QToolButton>
#include <utility>

#include "profiler/trace/trace_import.h"
#include "tests/support/built_paths.h"
#include "tests/ui/events.h"
#include "ui/models/base/format.h"
#include "ui/views/timeline/matches_panel.h"
#include "ui/views/timeline/timeline_canvas.h"
#include "ui/views/timeline/timeline_view.h"

namespace fusebench {
namespace {

class MatchesPanelTest : public testing::Test {
 protected:
  MatchesPanelTest() : view(model), panel(view.figures().matches()) {
    view.resize(1100, 800);
    view.setTheme(darkTheme());
    view.show();
    model.setTraces(
        {importTrace(test::sourcePath("/tests/profiler/traces/torch_2_11_h100_eager.json.gz"))});
    test::handleEvents();
  }
  const Trace& trace() const { return *model.shown()[0].trace; }
  QString cell(int row, int column) {
    return panel.table().model()->index(row, column).data().toString();
  }
  /// Counted without the code under test.
  std::pair<std::int64_t, Nanoseconds> countOf(const std::string& part) const {
    std::pair<std::int64_t, Nanoseconds> found;
    for (EventId e = 0; e < trace().size(); ++e)
      if (trace().name(e).find(part) != std::string_view::npos) {
        ++found.first;
        found.second += trace().duration(e);
      }
    return found;
  }
  TimelineModel model;
  TimelineView view;
  MatchesPanel& panel;
};

TEST_F(MatchesPanelTest, AClickOnTheCountListsMatchesWithTheirSums) {
  EXPECT_FALSE(view.foundButton().isVisible());
  view.searchField().setText(QStringLiteral("aten::cos"));
  ASSERT_TRUE(view.foundButton().isVisible());
  view.foundButton().click();
  test::handleEvents();
  ASSERT_TRUE(panel.isVisible());
  const auto [count, time] = countOf("aten::cos");
  ASSERT_GT(count, 0);
  EXPECT_EQ(cell(0, 2), formatCount(count));
  EXPECT_EQ(cell(0, 1), formatTime(double(time)));
  EXPECT_EQ(cell(1, 0), QStringLiteral("aten::cos"));
  panel.table().clicked(panel.table().model()->index(1, 0));
  ASSERT_TRUE(model.current());
  EXPECT_EQ(trace().name(model.current()->event), "aten::cos");
}

TEST_F(MatchesPanelTest, ARegularExpressionFindsSeveralNames) {
  view.foundButton().click();
  view.searchField().setText(QStringLiteral("^aten::(cos|sin)$"));
  EXPECT_EQ(model.matches(), 0u);
  view.regularButton().click();
  EXPECT_EQ(std::int64_t(model.matches()), countOf("aten::cos").first + countOf("aten::sin").first);
  EXPECT_EQ(panel.table().model()->rowCount(), 3);  // all of them, and each
  view.searchField().setText(QStringLiteral("aten::(cos"));
  EXPECT_EQ(model.matches(), 0u);
  EXPECT_THAT(panel.note().text().toStdString(), testing::StartsWith("not a regular expression: "));
  EXPECT_EQ(view.foundButton().text(), QStringLiteral("error"));
  view.regularButton().click();
  EXPECT_TRUE(model.searchError().isEmpty());
}

TEST_F(MatchesPanelTest, AnExpressionThatTakesForeverIsCut) {
  view.regularButton().click();
  view.searchField().setText(QStringLiteral("^(.*.*.*.*.*.*.*.*)*%$"));
  EXPECT_EQ(model.matches(), 0u);
}

TEST_F(MatchesPanelTest, ASelectionClipsThem) {
  view.searchField().setText(QStringLiteral("aten::"));
  view.foundButton().click();
  EXPECT_GT(panel.table().model()->rowCount(), 2);
  model.select(TimeRange{0, 1});
  EXPECT_EQ(panel.table().model()->rowCount(), 0);
  EXPECT_TRUE(panel.note().isVisible());
}

TEST_F(MatchesPanelTest, ViewsComeBackAndForward) {
  const auto shown = [this] { return std::pair(model.from(), model.to()); };
  const auto whole = shown();
  EXPECT_FALSE(view.stepButton(true).isEnabled());
  model.setView(1000, 2000);
  const auto near = shown();
  // A series of zooms and pans is one step.
  for (int i = 0; i < 5; ++i) model.zoom(1500, 0.9);
  model.pan(10);
  const auto nearer = shown();
  EXPECT_TRUE(view.stepButton(true).isEnabled());
  view.stepButton(true).click();
  EXPECT_EQ(shown(), near);
  QTest::keyClick(&view.canvas(), Qt::Key_Left, Qt::AltModifier);
  EXPECT_EQ(shown(), whole);
  EXPECT_FALSE(model.canStep(true));
  QTest::keyClick(&view.canvas(), Qt::Key_Right, Qt::AltModifier);
  view.stepButton(false).click();
  EXPECT_EQ(shown(), nearer);
  EXPECT_FALSE(view.stepButton(false).isEnabled());
  QTest::mouseClick(view.canvas().viewport(), Qt::BackButton, {}, QPoint(300, 100));
  EXPECT_EQ(shown(), near);
  // Another view after a step back ends the list.
  model.setView(3000, 4000);
  EXPECT_FALSE(model.canStep(false));
  model.setTraces({model.shown()[0].trace});
  EXPECT_FALSE(model.canStep(true));
}

}  // namespace
}  // namespace fusebench

// SPDX-License-Identifier: GPL-3.0-or-later
// A window on a screen that is smaller than its parts side by side.
#include <gtest/gtest.h>

#include <QAbstractButton>
#include <QAction>
#include <QApplication>
#include <QTabBar>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>

#include "tests/ui/events.h"
#include "tests/ui/synthetic.h"
#include "ui/models/window/window_size.h"
#include "ui/views/canvas/canvas_view.h"
#include "ui/views/chart/chart_view.h"
#include "ui/views/runs/results_view.h"
#include "ui/views/window/main_window.h"
#include "ui/views/window/top_bar.h"
#include "ui/views/window/workbench.h"

namespace fusebench {
namespace {

using Region = Workbench::Region;

class NarrowWindow : public testing::Test {
 protected:
  NarrowWindow() {
    window.openMainStudy();
    window.show();
    EXPECT_TRUE(QTest::qWaitForWindowExposed(&window));
    window.activateWindow();
  }
  ~NarrowWindow() override { study->rounds = 0; }
  void resize(QSize size) {
    window.resize(size);
    test::handleEvents();
    ASSERT_EQ(window.size(), size);
  }
  bool inSight(QWidget& part) {
    const QRect place(part.mapTo(&window, QPoint(0, 0)), part.size());
    return part.isVisible() && window.rect().contains(place);
  }
  bool chain() { return inSight(window.workbench().view<CanvasView>()); }
  bool side() {
    for (QTabBar* tabs : window.findChildren<QTabBar*>())
      if (tabs->accessibleName().startsWith("Findings")) return inSight(*tabs);
    return false;
  }
  /// Controls that are beyond the window's edge or too small for their texts.
  QStringList beyond() {
    QStringList names;
    for (QWidget* widget : window.findChildren<QWidget*>()) {
      const bool control = qobject_cast<QAbstractButton*>(widget) || qobject_cast<QTabBar*>(widget);
      // Controls inside of something that scrolls can be reached by scrolling.
      bool scrolls = false;
      for (QWidget* over = widget->parentWidget(); over; over = over->parentWidget())
        scrolls = scrolls || qobject_cast<QAbstractScrollArea*>(over);
      if (!control || scrolls || !widget->isVisible() || widget->size().isEmpty() ||
          widget->parent()->inherits("QTabBar"))
        continue;
      if (!inSight(*widget)) names << widget->accessibleName();
      if (qobject_cast<QToolButton*>(widget) && widget->width() < widget->sizeHint().width())
        names << widget->accessibleName() + QStringLiteral(", cut");
    }
    return names;
  }

  QTemporaryDir folder;
  Settings settings{folder.filePath("settings.ini")};
  std::shared_ptr<test::FakeStudy> study = std::make_shared<test::FakeStudy>();
  MainWindow window{settings, test::fakeRunner(study), Dialogs{}, folder.filePath("data")};
};

TEST_F(NarrowWindow, FitsOnASmallScreenWithItsTitleBar) {
  for (const QSize screen : {QSize(800, 600), QSize(800, 500), QSize(640, 480)}) {
    const QSize fitted = fittedSize({1280, 800}, window.minimumSize(), screen);
    EXPECT_LT(fitted.width(), screen.width());
    EXPECT_LT(fitted.height(), screen.height());
  }
}

TEST_F(NarrowWindow, NothingIsBeyondItsEdges) {
  window.run();
  ASSERT_TRUE(QTest::qWaitFor([this] { return !window.controller().busy(); }, 10'000));
  for (const QSize size : {QSize(1280, 800), QSize(960, 560), QSize(792, 460), QSize(636, 420)}) {
    resize(size);
    for (const char* key : {"chart", "map", "anatomy", "timeline", "generated", "memory", "compare",
                            "whatif", "scatter", "canvas", "palette", "code", "lesson", "course",
                            "findings", "setup", "runs", "results"}) {
      window.workbench().showView(QLatin1String(key));
      test::handleEvents();
      EXPECT_EQ(beyond().join(u", ").toStdString(), "")
          << key << " at " << size.width() << " x " << size.height();
    }
  }
}

TEST_F(NarrowWindow, ItsColumnsTakeTurns) {
  resize({1280, 800});
  EXPECT_TRUE(chain() && side());
  resize({792, 460});
  EXPECT_FALSE(chain());
  EXPECT_TRUE(side());
  EXPECT_FALSE(window.actions().left->isChecked());
  EXPECT_TRUE(window.actions().right->isChecked());
  window.workbench().showView("canvas");
  EXPECT_TRUE(chain());
  EXPECT_FALSE(side());
  window.actions().right->trigger();
  EXPECT_TRUE(side());
  EXPECT_FALSE(chain());
  window.actions().right->trigger();
  EXPECT_FALSE(side() || chain()) << "the middle may have it all";
  resize({1280, 800});
  EXPECT_TRUE(chain() && side()) << "nobody has hidden them";
}

TEST_F(NarrowWindow, ATableTakesTurnsWithWhatIsAboveItInALowOne) {
  window.run();
  ASSERT_TRUE(QTest::qWaitFor([this] { return !window.controller().busy(); }, 10'000));
  ChartView& chart = window.workbench().view<ChartView>();
  QTableView& table = window.workbench().view<ResultsView>().table();
  resize({1280, 800});
  EXPECT_TRUE(inSight(chart) && inSight(table));
  resize({792, 460});
  EXPECT_TRUE(inSight(chart));
  EXPECT_FALSE(table.isVisible());
  window.workbench().showView("results", true);
  test::handleEvents();
  EXPECT_TRUE(inSight(table));
  EXPECT_FALSE(chart.isVisible());
  EXPECT_GE(table.viewport()->height(), 4 * table.rowHeight(0)) << "with room for its rows";
  window.actions().table->trigger();
  EXPECT_TRUE(chart.isVisible());
  EXPECT_FALSE(table.isVisible());
  window.actions().table->trigger();
  window.workbench().showView("map");
  EXPECT_FALSE(table.isVisible());
  resize({1280, 800});
  EXPECT_TRUE(table.isVisible()) << "nobody has hidden it";
}

TEST_F(NarrowWindow, WhatWasHiddenStaysHiddenWithRoomAgain) {
  resize({1280, 800});
  window.actions().left->trigger();
  resize({792, 460});
  EXPECT_TRUE(side());
  resize({1280, 800});
  EXPECT_FALSE(chain());
  EXPECT_TRUE(side());
}

TEST_F(NarrowWindow, OffersItsColumnsByButtonsAndAllItsPartsByF6) {
  resize({1280, 800});
  const auto columnButtons = [this] {
    int shown = 0;
    for (QToolButton* button : window.findChild<TopBar*>()->findChildren<QToolButton*>())
      if (button->isVisible() && (button->defaultAction() == window.actions().left ||
                                  button->defaultAction() == window.actions().right ||
                                  button->defaultAction() == window.actions().table))
        ++shown;
    return shown;
  };
  EXPECT_EQ(columnButtons(), 0);
  resize({792, 460});
  EXPECT_EQ(columnButtons(), 3);
  ASSERT_TRUE(QTest::qWaitForWindowActive(&window));
  window.workbench().view<ChartView>().setFocus();
  bool chainSeen = false, sideSeen = false, tableSeen = false;
  for (int i = 0; i < 5; ++i) {
    QTest::keyClick(&window, Qt::Key_F6);
    chainSeen = chainSeen || chain();
    sideSeen = sideSeen || side();
    tableSeen = tableSeen || window.workbench().view<ResultsView>().isVisible();
    const QWidget* focused = QApplication::focusWidget();
    ASSERT_TRUE(focused && focused->isVisible());
  }
  EXPECT_TRUE(chainSeen && sideSeen && tableSeen);
}

TEST_F(NarrowWindow, TheColumnWithTheKeyboardIsTheOneThatStays) {
  resize({1280, 800});
  ASSERT_TRUE(QTest::qWaitForWindowActive(&window));
  window.workbench().showView("canvas", true);
  resize({792, 460});
  EXPECT_TRUE(chain());
  EXPECT_FALSE(side());
}

}  // namespace
}  // namespace fusebench

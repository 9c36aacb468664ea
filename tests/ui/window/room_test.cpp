// SPDX-License-Identifier: GPL-3.0-or-later
// Views next to each other, in windows of their own, and the layouts of kinds of files.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QAction>
#include <QApplication>
#include <QMenu>
#include <QSplitter>
#include <QTabBar>
#include <QTest>
#include <QTimer>

#include "profiler/files/resources.h"
#include "tests/ui/window/room_fixture.h"
#include "ui/models/window/window_layout.h"
#include "ui/views/anatomy/anatomy_view.h"
#include "ui/views/canvas/canvas_view.h"
#include "ui/views/chart/chart_view.h"
#include "ui/views/window/command_list.h"
#include "ui/views/window/files_controller.h"
#include "ui/views/window/view_window.h"

namespace fusebench {
namespace {

using Region = Workbench::Region;
using Spot = ViewGroups::Spot;
using test::Room;

TEST_F(Room, AWindowBeginsWithOneGroupAndNoOtherWindow) {
  EXPECT_EQ(groups().beside(), nullptr);
  EXPECT_TRUE(window->findChildren<ViewWindow*>().isEmpty());
}

TEST_F(Room, ASplitShowsTwoViewsRightOfEachOtherOrOneBelow) {
  views().showView("anatomy", true);
  press(Qt::Key_F7);
  auto& anatomy = views().view<AnatomyView>();
  views().showView("chart");
  auto& chart = views().view<ChartView>();
  ASSERT_TRUE(anatomy.isVisible());
  ASSERT_TRUE(chart.isVisible());
  EXPECT_GE(placeOf(anatomy).left(), placeOf(chart).right());
  EXPECT_TRUE(views().shows("anatomy"));
  EXPECT_TRUE(views().shows("chart"));
  EXPECT_FALSE(resultTabs().contains("anatomy"));
  views().showView("anatomy", true);
  press(Qt::Key_F7, Qt::ShiftModifier);
  EXPECT_GE(placeOf(anatomy).top(), placeOf(chart).bottom());
  EXPECT_GT(anatomy.height(), 60);
}

TEST_F(Room, AViewMovesBetweenTheGroupsAndComesBackToItsTab) {
  const QStringList before = resultTabs();
  for (const char* key : {"anatomy", "chart", "timeline"}) {
    views().showView(key, true);
    press(Qt::Key_F8);
    EXPECT_EQ(groups().spotOf(key), Spot::beside) << key;
  }
  EXPECT_EQ(groups().beside()->keys(), QStringList({"anatomy", "chart", "timeline"}));
  views().showView("chart", true);
  press(Qt::Key_F8);
  EXPECT_EQ(groups().spotOf("chart"), Spot::home);
  press(Qt::Key_F8, Qt::ShiftModifier);
  EXPECT_EQ(resultTabs(), before);
  EXPECT_FALSE(groups().besideShown());
  EXPECT_FALSE(groups().beside()->isVisible());
}

TEST_F(Room, TheLastTabOfAGroupStays) {
  for (const QString& key : resultTabs()) groups().putBeside(key, Qt::Horizontal);
  EXPECT_EQ(resultTabs().size(), 1);
  const QString last = resultTabs().front();
  EXPECT_FALSE(groups().mayLeave(last));
  groups().detach(last);
  EXPECT_EQ(groups().spotOf(last), Spot::home);
}

TEST_F(Room, ClosingAWindowGivesItsViewBack) {
  const QStringList before = resultTabs();
  auto* const chart = &views().view<ChartView>();
  views().showView("chart", true);
  press(Qt::Key_F9);
  ViewWindow* const own = groups().windowOf("chart");
  ASSERT_NE(own, nullptr);
  EXPECT_EQ(chart->window(), own);
  EXPECT_TRUE(chart->isVisible());
  EXPECT_TRUE(views().shows("chart"));
  EXPECT_FALSE(resultTabs().contains("chart"));
  // The menu's keys work there, too.
  ASSERT_TRUE(QTest::qWaitForWindowActive(own));
  const bool dark = settings.dark();
  press(Qt::Key_T, Qt::ControlModifier);
  EXPECT_NE(settings.dark(), dark);
  ASSERT_TRUE(own->close());
  test::handleEvents();
  EXPECT_EQ(groups().windowOf("chart"), nullptr);
  EXPECT_EQ(resultTabs(), before);
  EXPECT_EQ(&views().view<ChartView>(), chart);
  EXPECT_EQ(chart->window(), window.get());
  EXPECT_TRUE(chart->isVisible());
}

TEST_F(Room, TheGraphAndTheTableHaveWindowsToo) {
  for (const char* key : {"canvas", "results"}) {
    SCOPED_TRACE(key);
    views().showView(key, true);
    press(Qt::Key_F9);
    ViewWindow* const own = groups().windowOf(key);
    ASSERT_NE(own, nullptr);
    EXPECT_TRUE(own->view().isVisible());
    QWidget* const view = &own->view();
    own->close();
    test::handleEvents();
    EXPECT_EQ(view->window(), window.get());
    EXPECT_TRUE(view->isVisible());
  }
}

TEST_F(Room, AWindowWithDetachedViewsCloses) {
  views().showView("chart", true);
  press(Qt::Key_F9);
  views().showView("map", true);
  press(Qt::Key_F7);
  ASSERT_TRUE(window->close());
  window.reset();
  EXPECT_TRUE(std::ranges::none_of(QApplication::topLevelWidgets(), [](const QWidget* each) {
    return each->objectName() == QLatin1String("viewWindow");
  }));
  open();
}

TEST_F(Room, F11FillsTheScreenAndBack) {
  press(Qt::Key_F11);
  EXPECT_TRUE(window->isFullScreen());
  EXPECT_TRUE(window->actions().fullScreen->isChecked());
  press(Qt::Key_F11);
  EXPECT_FALSE(window->isFullScreen());
  EXPECT_FALSE(window->actions().fullScreen->isChecked());
}

TEST_F(Room, ForATraceTheChainStepsAsideAndComesBackAfterIt) {
  auto& canvas = views().view<CanvasView>();
  ASSERT_TRUE(canvas.isVisible());
  openTrace();
  EXPECT_EQ(views().kind(), FileKind::trace);
  EXPECT_FALSE(canvas.isVisible());
  EXPECT_TRUE(views().hidden(Region::left));
  // It is there as soon as it is asked for.
  views().showView("canvas");
  EXPECT_TRUE(canvas.isVisible());
  window->openMainStudy();
  EXPECT_EQ(views().kind(), FileKind::experiment);
  EXPECT_TRUE(canvas.isVisible());
}

TEST_F(Room, EachKindOfFileKeepsItsLayoutAlsoInTheNextWindow) {
  views().showView("map", true);
  press(Qt::Key_F7);  // next to the others, for experiments
  openTrace();
  groups().putAllHome();
  views().showView("compare", true);
  press(Qt::Key_F7, Qt::ShiftModifier);  // below the timeline, for traces
  views().setHidden(Region::right, true);
  window->openMainStudy();
  EXPECT_EQ(groups().beside()->keys(), QStringList{"map"});
  EXPECT_EQ(groups().orientation(), Qt::Horizontal);
  EXPECT_FALSE(views().hidden(Region::right));
  openTrace();
  EXPECT_EQ(groups().beside()->keys(), QStringList{"compare"});
  EXPECT_EQ(groups().orientation(), Qt::Vertical);
  EXPECT_TRUE(views().hidden(Region::right));
  openAgain();  // closed with the trace's layout
  EXPECT_FALSE(views().hidden(Region::left));
  EXPECT_FALSE(views().hidden(Region::right));
  ASSERT_TRUE(groups().besideShown());
  EXPECT_EQ(groups().beside()->keys(), QStringList{"map"});
  openTrace();
  EXPECT_EQ(groups().beside()->keys(), QStringList{"compare"});
  EXPECT_TRUE(views().hidden(Region::right));
}

TEST_F(Room, ARunAndALessonHaveLayoutsOfTheirOwn) {
  window->openFile(QString::fromStdString(resourcePath("recordings/h100_fusion_study.jsonl")));
  if (views().kind() != FileKind::run) {
    // It is read on another thread.
    ASSERT_TRUE(QTest::qWaitFor([this] { return views().kind() == FileKind::run; }, 60'000));
  }
  views().setHidden(Region::left, true);
  emit window->files().lessonGiven(QStringLiteral("aliasing"));
  EXPECT_EQ(views().kind(), FileKind::lesson);
  EXPECT_FALSE(views().hidden(Region::left));
  window->openMainStudy();
  EXPECT_FALSE(views().hidden(Region::left));
}

TEST_F(Room, TheMenuOfATabMovesItsView) {
  auto* tabs =
      views().findChild<TabPanel*>(QStringLiteral("centerTabs"))->header()->findChild<QTabBar*>();
  QTimer::singleShot(0, this->window.get(), [] {
    auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
    ASSERT_NE(menu, nullptr);
    ASSERT_FALSE(menu->actions().isEmpty());
    menu->actions().front()->trigger();
    menu->close();
  });
  emit tabs->customContextMenuRequested(tabs->tabRect(1).center());
  ASSERT_TRUE(groups().besideShown());
  EXPECT_EQ(groups().beside()->keys(), QStringList{"map"});
}

TEST_F(Room, ThePaletteFindsTheCommands) {
  std::vector<Command> commands;
  addMenuCommands(commands, *window->actions().more, QStringLiteral("Menu"));
  for (const char* name : {"Split right", "Split below", "Own window", "Full screen"})
    EXPECT_TRUE(std::ranges::any_of(commands, [&](const Command& each) {
      return each.name == QLatin1String(name);
    })) << name;
}

TEST(WindowLayout, IsReadBackAsItWasWritten) {
  WindowLayout layout;
  layout.leftHidden = true;
  layout.beside = QStringList{"map", "chart"};
  layout.shown = "chart";
  layout.below = true;
  layout.windows["canvas"] = QByteArray("\x01\x00\xff", 3);
  layout.splitters["columns"] = "state";
  EXPECT_EQ(windowLayout(toJson(layout)), layout);
  for (const char* broken :
       {"", "[]", "{\"beside\": 3, \"windows\": [1], \"below\": \"yes\"}", "{"})
    EXPECT_EQ(windowLayout(broken), WindowLayout()) << broken;
}

}  // namespace
}  // namespace fusebench

// SPDX-License-Identifier: GPL-3.0-or-later
// Tabs that are dragged to other parts of the window, and out of it.
#include <QLabel>
#include <QMouseEvent>
#include <QSplitter>
#include <QTabBar>

#include "tests/ui/window/room_fixture.h"
#include "ui/views/anatomy/anatomy_view.h"
#include "ui/views/window/drop_places.h"
#include "ui/views/window/view_window.h"

namespace fusebench {
namespace {

using Spot = ViewGroups::Spot;

class TabDrags : public test::Room {
 protected:
  /// Presses the tab of a view and moves it to a place of the workbench; the button stays pressed.
  QTabBar& drag(const QString& key, QPointF to) {
    TabPanel* panel = views().findChild<TabPanel*>(QStringLiteral("centerTabs"));
    if (groups().besideShown() && groups().beside()->has(key)) panel = groups().beside();
    QTabBar& bar = *panel->header()->findChild<QTabBar*>();
    const QPoint from = bar.tabRect(static_cast<int>(panel->keys().indexOf(key))).center();
    QTest::mousePress(&bar, Qt::LeftButton, {}, from);
    const QPointF screen = views().mapToGlobal(to);
    for (const double part : {0.5, 1.0}) {
      const QPointF at = bar.mapToGlobal(QPointF(from)) * (1 - part) + screen * part;
      QMouseEvent moved(QEvent::MouseMove, bar.mapFromGlobal(at), at, Qt::NoButton, Qt::LeftButton,
                        Qt::NoModifier);
      QApplication::sendEvent(&bar, &moved);
    }
    return bar;
  }
  void letGo(QTabBar& bar, QPointF at) {
    const QPointF screen = views().mapToGlobal(at);
    QMouseEvent released(QEvent::MouseButtonRelease, bar.mapFromGlobal(screen), screen,
                         Qt::LeftButton, Qt::NoButton, Qt::NoModifier);
    QApplication::sendEvent(&bar, &released);
    test::handleEvents();
  }
  void dragAndDrop(const QString& key, QPointF to) { letGo(drag(key, to), to); }
  QPointF inResults(double across, double down) {
    const QRect room = placeOfRoom();
    return room.topLeft() + QPointF(across * room.width(), down * room.height());
  }
  QRect placeOfRoom() {
    auto* room = views().findChild<QSplitter*>(QStringLiteral("room"));
    return {room->mapTo(&views(), QPoint()), room->size()};
  }
  QLabel* hint() { return views().findChild<QLabel*>(QStringLiteral("dropHint")); }
};

TEST_F(TabDrags, ATabThatIsDraggedToAnEdgeOfTheResultsSplitsThem) {
  dragAndDrop("anatomy", inResults(0.9, 0.5));
  EXPECT_EQ(groups().spotOf("anatomy"), Spot::beside);
  EXPECT_EQ(groups().orientation(), Qt::Horizontal);
  EXPECT_TRUE(views().view<AnatomyView>().isVisible());
  // Another one joins it, and the first turns the groups.
  dragAndDrop("map", inResults(0.9, 0.5));
  EXPECT_EQ(groups().beside()->keys(), QStringList({"anatomy", "map"}));
  EXPECT_EQ(groups().beside()->shown(), "map");
  dragAndDrop("chart", inResults(0.2, 0.9));
  EXPECT_EQ(groups().orientation(), Qt::Vertical);
  EXPECT_EQ(groups().beside()->keys(), QStringList({"anatomy", "map", "chart"}));
}

TEST_F(TabDrags, ATabThatIsDraggedBackComesHome) {
  const QStringList before = resultTabs();
  dragAndDrop("anatomy", inResults(0.9, 0.5));
  dragAndDrop("anatomy", inResults(0.2, 0.4));
  EXPECT_EQ(groups().spotOf("anatomy"), Spot::home);
  EXPECT_EQ(resultTabs(), before);
  EXPECT_TRUE(views().shows("anatomy"));
}

TEST_F(TabDrags, ATabThatIsDraggedOutOfTheWindowGetsItsOwn) {
  dragAndDrop("chart", QPointF(views().width() + 300, 200));
  ViewWindow* const own = groups().windowOf("chart");
  ASSERT_NE(own, nullptr);
  EXPECT_TRUE(own->isVisible());
  own->close();
  test::handleEvents();
  EXPECT_EQ(groups().spotOf("chart"), Spot::home);
}

TEST_F(TabDrags, ADragShowsInWordsWhatBecomesOfTheTab) {
  QTabBar& bar = drag("anatomy", inResults(0.9, 0.5));
  ASSERT_NE(hint(), nullptr);
  EXPECT_TRUE(hint()->isVisible());
  EXPECT_EQ(hint()->text(), "Split right");
  EXPECT_TRUE(placeOfRoom().contains(hint()->geometry()));
  letGo(bar, inResults(0.5, 0.5));  // its own place: the tab stays
  EXPECT_FALSE(hint()->isVisible());
  EXPECT_EQ(groups().spotOf("anatomy"), Spot::home);
  drag("anatomy", inResults(0.5, 0.9));
  EXPECT_EQ(hint()->text(), "Split below");
  QTest::keyClick(&bar, Qt::Key_Escape);
  EXPECT_FALSE(hint()->isVisible()) << "Esc cancels it";
  letGo(bar, inResults(0.5, 0.9));
  EXPECT_EQ(groups().spotOf("anatomy"), Spot::home);
}

TEST(TabDrops, ANarrowWindowSplitsBelowOnly) {
  DropPlaces places;
  places.window = {-10, -40, 1020, 850};
  places.room = {100, 50, 600, 400};
  places.home = places.room;
  places.homeIsRoom = true;
  EXPECT_EQ(dropAt(places, {650, 200}).to, TabDrop::To::right);
  EXPECT_EQ(dropAt(places, {650, 200}).place, QRect(400, 50, 300, 400));
  places.narrow = true;
  EXPECT_EQ(dropAt(places, {650, 200}).to, TabDrop::To::nothing);
  EXPECT_EQ(dropAt(places, {650, 420}).to, TabDrop::To::below);
  EXPECT_EQ(dropAt(places, {50, 200}).to, TabDrop::To::nothing);
  EXPECT_EQ(dropAt(places, {1500, 200}).to, TabDrop::To::window);
  // A view of the side goes right of the results wherever it is dropped on them.
  places.narrow = places.homeIsRoom = false;
  places.home = {700, 50, 250, 400};
  EXPECT_EQ(dropAt(places, {200, 100}).to, TabDrop::To::right);
  EXPECT_EQ(dropAt(places, {800, 100}).to, TabDrop::To::nothing);
  places.away = true;
  EXPECT_EQ(dropAt(places, {800, 100}).to, TabDrop::To::home);
}

}  // namespace
}  // namespace fusebench

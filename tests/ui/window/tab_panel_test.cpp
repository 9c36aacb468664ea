// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/base/tab_panel.h"

#include <gtest/gtest.h>

#include <QComboBox>
#include <QMenu>
#include <QTabBar>
#include <QTest>
#include <QToolButton>
#include <stdexcept>

#include "tests/ui/events.h"
#include "ui/theme/theme.h"

namespace fusebench {
namespace {

class TabsOfAPanel : public testing::Test {
 protected:
  TabsOfAPanel() {
    for (const char* name : {"Chart", "Map", "Anatomy", "Timeline", "Code", "Compare"})
      panel.add(QLatin1String(name), QLatin1String(name), new QWidget(panel.pages()));
    panel.show();
  }
  void widen(int width) {
    panel.resize(width, 300);
    test::handleEvents();
  }
  bool inSight(int tab) {
    return tabs().rect().adjusted(-1, -1, 1, 1).contains(tabs().tabRect(tab));
  }
  QTabBar& tabs() { return *panel.findChild<QTabBar*>(); }
  QToolButton& more() {
    for (auto* button : panel.findChildren<QToolButton*>())
      if (button->menu()) return *button;
    throw std::logic_error("no menu");
  }
  /// The theme is there before the panel, as in the window: fonts are its own from the start.
  struct Themed {
    Themed() { applyTheme(*qApp, darkTheme()); }
  } themed;
  TabPanel panel{QStringLiteral("Results")};
};

TEST_F(TabsOfAPanel, AreInAMenuWhereTheyDoNotFit) {
  widen(800);
  EXPECT_FALSE(more().isVisible());
  const int roomy = tabs().sizeHint().width();
  widen(roomy - 20);
  EXPECT_FALSE(more().isVisible()) << "closer together they fit";
  EXPECT_LT(tabs().sizeHint().width(), roomy);
  widen(240);
  ASSERT_TRUE(more().isVisible());
  emit more().menu()->aboutToShow();
  const auto actions = more().menu()->actions();
  ASSERT_EQ(actions.size(), 6);
  EXPECT_TRUE(actions[0]->isChecked());
  EXPECT_FALSE(inSight(5));
  actions[5]->trigger();
  EXPECT_EQ(panel.shown(), "Compare");
  test::handleEvents();
  EXPECT_TRUE(inSight(5)) << "what is shown is among the tabs in sight";
  widen(800);
  EXPECT_FALSE(more().isVisible());
  EXPECT_TRUE(inSight(0) && inSight(5));
  EXPECT_EQ(tabs().sizeHint().width(), roomy);
}

TEST_F(TabsOfAPanel, AreShownWholeOrNotAtAll) {
  for (int width = 120; width <= 500; width += 13)
    for (const char* shown : {"Chart", "Code", "Compare"}) {
      panel.showView(QLatin1String(shown));
      widen(width);
      EXPECT_EQ(panel.shown(), shown);
      for (int i = 0; i < tabs().count(); ++i)
        EXPECT_TRUE(!tabs().isTabVisible(i) || inSight(i) || i == tabs().currentIndex())
            << tabs().tabText(i).toStdString() << " beside " << shown << " at " << width;
    }
}

TEST_F(TabsOfAPanel, ThatDoNotFitAreReachedByArrowsAllTheSame) {
  widen(200);
  tabs().setFocus();
  QStringList walked{panel.shown()};
  for (int i = 0; i < 6; ++i) {
    QTest::keyClick(&tabs(), Qt::Key_Right);
    if (panel.shown() != walked.back()) walked << panel.shown();
  }
  EXPECT_EQ(walked.join(u' '), "Chart Map Anatomy Timeline Code Compare");
}

TEST_F(TabsOfAPanel, GiveWayToTheControlsBesideThem) {
  auto* list = new QComboBox(panel.header());
  list->addItem("elements = 1,048,576");
  panel.add("Last", "Last", new QWidget(panel.pages()), list);
  panel.showView("Last");
  widen(300);
  EXPECT_EQ(list->width(), list->sizeHint().width());
  EXPECT_LE(list->geometry().right(), panel.width());
  EXPECT_TRUE(inSight(6));
}

}  // namespace
}  // namespace fusebench

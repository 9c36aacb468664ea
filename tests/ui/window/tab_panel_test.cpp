// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/base/tab_panel.h"

#include <gtest/gtest.h>

#include <QLabel>
#include <QMenu>
#include <QTabBar>
#include <QTest>
#include <QToolButton>

namespace fusebench {
namespace {

TEST(TabPanel, TabsThatDoNotFitAreInAMenu) {
  TabPanel panel(QStringLiteral("Results"));
  for (const char* name : {"Chart", "Map", "Anatomy", "Timeline", "Code", "Compare", "What if"})
    panel.add(QLatin1String(name), QLatin1String(name), new QLabel(panel.pages()));
  auto* beside = new QLabel(QStringLiteral("beside"), panel.header());
  panel.addToHeader(beside);
  panel.resize(900, 300);
  panel.show();
  QTest::qWait(10);
  EXPECT_TRUE(panel.more().isHidden());
  panel.resize(260, 300);
  QTest::qWait(10);
  ASSERT_TRUE(panel.more().isVisible());
  auto* tabs = panel.findChild<QTabBar*>();
  const auto actions = panel.more().menu()->actions();
  ASSERT_GT(actions.size(), 0);
  EXPECT_EQ(actions.last()->text(), "What if");
  EXPECT_LE(tabs->geometry().right(), panel.more().geometry().left());
  // What is chosen there has its tab, and the keyboard.
  actions.last()->trigger();
  EXPECT_EQ(panel.shown(), "What if");
  EXPECT_TRUE(tabs->isTabVisible(6));
  panel.resize(900, 300);
  QTest::qWait(10);
  EXPECT_TRUE(panel.more().isHidden());
  EXPECT_TRUE(tabs->isTabVisible(5));
}

}  // namespace
}  // namespace fusebench

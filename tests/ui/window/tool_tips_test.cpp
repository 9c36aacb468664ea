// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/tool_tips.h"

#include <gtest/gtest.h>

#include <QApplication>
#include <QLabel>
#include <QScreen>
#include <QTest>
#include <QToolTip>

namespace fusebench {
namespace {

const QLabel* shownTip() {
  for (const QWidget* each : QApplication::topLevelWidgets())
    if (each->inherits("QTipLabel") && each->isVisible()) return static_cast<const QLabel*>(each);
  return nullptr;
}

TEST(ToolTips, OfManyWordsHaveSeveralLines) {
  wrapToolTips(*qApp);
  QToolTip::hideText();  // another test's
  ASSERT_TRUE(QTest::qWaitFor([] { return shownTip() == nullptr; }));
  // Far from the lower end, whatever size text has.
  const QPoint place =
      QGuiApplication::primaryScreen()->availableGeometry().topLeft() + QPoint(40, 40);
  const QString sentence = QStringLiteral("The speed-up is paired by round. ");
  QToolTip::showText(place, sentence.repeated(12));
  ASSERT_TRUE(QTest::qWaitFor([] { return shownTip() != nullptr; }));
  EXPECT_LE(shownTip()->width(), 420);
  EXPECT_GT(shownTip()->height(), 3 * shownTip()->fontMetrics().height());
  EXPECT_TRUE(
      QGuiApplication::primaryScreen()->availableGeometry().contains(shownTip()->geometry()));
  // Another one in its place.
  QToolTip::showText(place, sentence.repeated(6));
  EXPECT_LE(shownTip()->width(), 420);
  QToolTip::showText(place, QStringLiteral("Short"));
  EXPECT_LT(shownTip()->width(), 200);
  EXPECT_LT(shownTip()->height(), 3 * shownTip()->fontMetrics().height());
  QToolTip::hideText();
}

}  // namespace
}  // namespace fusebench

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/tool_tips.h"

#include <gtest/gtest.h>

#include <QApplication>
#include <QCursor>
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

/// Where the cursor is, until the end.
struct CursorAt {
  explicit CursorAt(QPoint place) { QCursor::setPos(place); }
  ~CursorAt() { QCursor::setPos(former); }
  QPoint former = QCursor::pos();
};

TEST(ToolTips, StayOnTheScreenWhereverTheCursorIs) {
  wrapToolTips(*qApp);
  const QRect room = QGuiApplication::primaryScreen()->availableGeometry();
  const QString words = QStringLiteral("The speed-up is paired by round. ").repeated(12);
  // Another test's window may be larger than the screen, and the cursor where its edge is.
  for (const QPoint place :
       {room.center(), room.topLeft(), room.bottomRight(), room.bottomRight() + QPoint(900, 700),
        room.topLeft() - QPoint(300, 300), QPoint(room.left() + 40, room.bottom() + 500)}) {
    const CursorAt cursor(place);
    QToolTip::hideText();
    ASSERT_TRUE(QTest::qWaitFor([] { return shownTip() == nullptr; }));
    QToolTip::showText(room.topLeft() + QPoint(40, 40), words);
    ASSERT_NE(shownTip(), nullptr);
    EXPECT_LE(shownTip()->width(), 420);
    const QRect tip = shownTip()->geometry();
    EXPECT_TRUE(room.contains(tip))
        << "cursor " << place.x() << ' ' << place.y() << ", tip " << tip.x() << ' ' << tip.y()
        << ' ' << tip.width() << ' ' << tip.height();
  }
  QToolTip::hideText();
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

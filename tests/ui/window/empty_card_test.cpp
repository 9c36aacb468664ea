// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/base/empty_card.h"

#include <gtest/gtest.h>

#include <QLabel>
#include <QScrollArea>
#include <QScrollBar>
#include <QTest>

namespace fusebench {
namespace {

/// Some of these lines just fit into the width, and would not beside a scroll bar.
TEST(EmptyCards, ShowAllTheirWordsWhereThereIsRoom) {
  QWidget room;
  room.resize(800, 500);
  EmptyCard card(&room);
  room.show();
  const auto& bar = *card.findChild<QScrollArea*>()->verticalScrollBar();
  for (int letters = 30; letters < 90; ++letters) {
    card.setWords(QStringLiteral("i ").repeated(letters).trimmed(),
                  QStringLiteral("How it is measured, and for how long."));
    card.placeIn({800, 90});
    QTest::qWait(1);
    EXPECT_LE(card.geometry().bottom(), 90) << "in a low room the words scroll";
    card.placeIn(room.size());
    QTest::qWait(1);
    EXPECT_EQ(bar.maximum(), 0) << letters;
    for (const QLabel* label : card.findChildren<QLabel*>())
      EXPECT_GE(label->height(), label->heightForWidth(label->width())) << letters;
  }
}

}  // namespace
}  // namespace fusebench

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/base/empty_card.h"
#include "tests/ui/events.h"

#include <gtest/gtest.h>

#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QTest>

namespace fusebench {
namespace {

/// Some of these lines just fit into the width, and would not fit next to a scroll bar.
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
    test::handleEvents();
    EXPECT_LE(card.geometry().bottom(), 90) << "in a low room the words scroll";
    card.placeIn(room.size());
    test::handleEvents();
    EXPECT_EQ(bar.maximum(), 0) << letters;
    for (const QLabel* label : card.findChildren<QLabel*>())
      EXPECT_GE(label->height(), label->heightForWidth(label->width())) << letters;
  }
}

/// Letters get their size by the window's style only once they are polished: by then the card has
/// been too small, and had a bar.
TEST(EmptyCards, ShowsItsWordsWholeWhereThereIsRoom) {
  QWidget room;
  room.resize(900, 700);
  EmptyCard card(&room);
  card.button().setText("Run");
  card.setWords("从多少条语句起，融合成一个内核胜过逐个启动？",
                "为 eager、static、dynamic 各画一条耗时曲线，横轴为语句数，带有 95% 区间。");
  card.placeIn(room.size());
  room.setStyleSheet("QLabel#cardTitle { font-size: 26px; } QLabel#muted { font-size: 20px; }");
  room.show();
  card.placeIn(room.size());
  test::handleEvents();
  EXPECT_EQ(card.findChild<QScrollArea*>()->verticalScrollBar()->maximum(), 0);
}

}  // namespace
}  // namespace fusebench

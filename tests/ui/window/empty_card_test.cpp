// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QTest>

#include "ui/views/base/empty_card.h"

namespace fusebench {
namespace {

/// Letters get their size by the window's style only once they are polished: by then the card has
/// been too small, and had a bar.
TEST(EmptyCard, ShowsItsWordsWholeWhereThereIsRoom) {
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
  QTest::qWait(10);
  EXPECT_EQ(card.findChild<QScrollArea*>()->verticalScrollBar()->maximum(), 0);
}

}  // namespace
}  // namespace fusebench

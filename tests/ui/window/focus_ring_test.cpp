// SPDX-License-Identifier: GPL-3.0-or-later
// The line around the part of a window that has the keyboard.
#include <gtest/gtest.h>

#include <QLabel>
#include <QLineEdit>
#include <QTest>
#include <QVBoxLayout>

#include "tests/ui/events.h"
#include "ui/views/base/focus_ring.h"

namespace fusebench {
namespace {

class FocusRings : public testing::Test {
 protected:
  FocusRings() {
    auto* layout = new QVBoxLayout(&window);
    layout->addWidget(field);
    layout->addWidget(banner);
    layout->addWidget(part, 1);
    new QVBoxLayout(part);
    part->setProperty("ring", true);
    part->setFocusPolicy(Qt::StrongFocus);
    window.resize(300, 300);
    window.show();
  }
  void expectRingAroundAllOfThePart() {
    ASSERT_EQ(ring.part(), part);
    const auto* line = part->findChild<QWidget*>(QLatin1String(kFocusRingName));
    ASSERT_TRUE(line);
    EXPECT_EQ(line->geometry(), part->rect());
    EXPECT_TRUE(line->mask().contains(part->rect().bottomLeft()));
  }
  QWidget window;
  FocusRing ring{window};
  QLineEdit* field = new QLineEdit(&window);
  QLabel* banner = new QLabel("Measured elsewhere", &window);
  QWidget* part = new QWidget(&window);
};

TEST_F(FocusRings, FollowThePartWhenItGetsMoreRoom) {
  ASSERT_TRUE(QTest::qWaitForWindowActive(&window));
  field->setFocus();
  QTest::keyClick(field, Qt::Key_Tab);
  banner->hide();
  test::handleEvents();
  expectRingAroundAllOfThePart();
}

/// Showing the ring lays out the part when that is still to be done.
TEST_F(FocusRings, FitAPartThatIsLaidOutWhileTheyAppear) {
  ASSERT_TRUE(QTest::qWaitForWindowActive(&window));
  field->setFocus();
  banner->hide();
  QTest::keyClick(field, Qt::Key_Tab);
  test::handleEvents();
  expectRingAroundAllOfThePart();
}

}  // namespace
}  // namespace fusebench

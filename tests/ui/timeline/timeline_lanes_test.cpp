// SPDX-License-Identifier: GPL-3.0-or-later
// Lanes of a timeline: collapsing, pinning, hiding, filtering, moving.
#include <gtest/gtest.h>

#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>
#include <memory>
#include <tuple>

#include "tests/ui/events.h"
#include "ui/export/figures/timeline_figure.h"
#include "ui/views/timeline/lanes_menu.h"
#include "ui/views/timeline/timeline_canvas.h"
#include "ui/views/timeline/timeline_view.h"

namespace fusebench {
namespace {

/// A thread with three nested rows, two streams with a kernel each.
std::shared_ptr<const Trace> threeLanes(const char* title = "training.json") {
  TraceBuilder builder(title);
  const LaneId host = builder.lane({Lane::Kind::host, 1, 1, "python", "main"});
  const LaneId first = builder.lane({Lane::Kind::device, 0, 7, "GPU 0", "stream 7"});
  const LaneId second = builder.lane({Lane::Kind::device, 0, 9, "GPU 0", "stream 9"});
  for (const auto& [name, from, to] : {std::tuple("step", 0, 9'000), {"mul", 1'000, 8'000}})
    builder.addSpan({host, SpanKind::op, name, from, to});
  for (const LaneId stream : {first, second})
    builder.addLaunch({.name = stream == first ? "k7" : "k9",
                       .hostBegin = stream == first ? 2'000 : 5'000,
                       .hostEnd = stream == first ? 3'000 : 6'000,
                       .start = 6'000,
                       .end = 9'000,
                       .hostLane = host,
                       .deviceLane = stream});
  return builder.finish();
}

class TimelineLanes : public testing::Test {
 protected:
  TimelineLanes() : view(model) {
    view.resize(900, 600);
    view.setTheme(darkTheme());
    view.show();
    model.setTraces({threeLanes()});
    test::handleEvents();
  }
  /// "main main main stream 7": the lane of each band from the top down.
  QString drawn() {
    QStringList names;
    for (const auto& band : canvas.bands())
      names << QString::fromStdString(model.shown()[band.trace].trace->lanes()[band.lane].name);
    return names.join(u' ');
  }
  QPoint nameOf(std::size_t band) {
    return {60, canvas.bands()[band].y + TimelineCanvas::kRow / 2};
  }
  TimelineModel model;
  TimelineView view;
  TimelineCanvas& canvas = view.canvas();
  static constexpr LaneChoices::Place kHost{0, 0}, kSeven{0, 1}, kNine{0, 2};
};

TEST_F(TimelineLanes, AClickOnTheNameCollapsesAndBringsBack) {
  ASSERT_EQ(drawn(), "main main main stream 7 stream 9");
  QTest::mouseClick(canvas.viewport(), Qt::LeftButton, {}, nameOf(0));
  EXPECT_EQ(drawn(), "main stream 7 stream 9");
  EXPECT_TRUE(canvas.bands()[0].collapsed);
  EXPECT_FALSE(canvas.grab().isNull());
  // Events in hidden rows are still found at their positions.
  const QPoint call(int(canvas.gutter() + canvas.scale().x(8'500)), nameOf(0).y());
  ASSERT_TRUE(canvas.placeAt(call));
  EXPECT_EQ(model.shown()[0].trace->name(canvas.placeAt(call)->event), "step");
  QTest::mouseClick(canvas.viewport(), Qt::LeftButton, {}, nameOf(0));
  EXPECT_EQ(drawn(), "main main main stream 7 stream 9");
}

TEST_F(TimelineLanes, PointingAtANameSaysItInFull) {
  QTest::mouseMove(canvas.viewport(), nameOf(3));
  EXPECT_EQ(canvas.hoverFacts().value(0), "stream 7 · GPU 0");
  EXPECT_EQ(canvas.hoverFacts().value(1), "1 slice in one row");
}
TEST_F(TimelineLanes, WhatIsSaidOfALaneGoesWithIt) {
  QTest::mouseMove(canvas.viewport(), nameOf(4));
  ASSERT_FALSE(canvas.hoverFacts().isEmpty());
  QTest::keyClick(&canvas, Qt::Key_W);
  EXPECT_TRUE(canvas.hoverFacts().isEmpty()) << "what was pointed at may be elsewhere";
  QTest::mouseMove(canvas.viewport(), nameOf(3));
  ASSERT_FALSE(canvas.hoverFacts().isEmpty());
  model.changeLanes([](LaneChoices& lanes) { lanes.setHidden(kSeven, true); });
  EXPECT_TRUE(canvas.hoverFacts().isEmpty());
}

TEST_F(TimelineLanes, NamesAreWholeWhereThereIsRoom) {
  TraceBuilder builder("ranks");
  const LaneId stream =
      builder.lane({Lane::Kind::device, 0, 7, "rank 12, NVIDIA H100 80GB HBM3", "stream 7"});
  builder.addLaunch({.name = "k", .start = 0, .end = 9'000, .deviceLane = stream});
  model.setTraces({builder.finish()});
  view.resize(480, 600);
  test::handleEvents();
  EXPECT_LE(canvas.gutter(), canvas.viewport()->width() * 3 / 10) << "the events need the room";
  view.resize(1800, 600);
  test::handleEvents();
  EXPECT_GT(canvas.gutter(),
            canvas.fontMetrics().horizontalAdvance(laneTitle(*model.shown()[0].trace, stream)));
  const auto place = canvas.placeAt({canvas.gutter() + int(canvas.scale().x(4'500)),
                                     canvas.bands()[0].y + TimelineCanvas::kRow / 2});
  EXPECT_TRUE(place) << "events begin right of the names";
}

TEST_F(TimelineLanes, WhatIsPinnedStaysAtTheTopWhileTheRestScrolls) {
  model.changeLanes([](LaneChoices& lanes) { lanes.setPinned(kNine, true); });
  EXPECT_EQ(drawn(), "stream 9 main main main stream 7");
  canvas.setFixedHeight(110);
  test::handleEvents();
  const int pinned = canvas.bands()[0].y, scrolls = canvas.bands()[1].y;
  canvas.verticalScrollBar()->setValue(canvas.verticalScrollBar()->maximum());
  ASSERT_GT(canvas.verticalScrollBar()->value(), 0);
  EXPECT_EQ(canvas.bands()[0].y, pinned);
  EXPECT_LT(canvas.bands()[1].y, scrolls);
  EXPECT_FALSE(canvas.grab().isNull());
}

TEST_F(TimelineLanes, KeysHideAndShowTheLaneAtHand) {
  model.setCurrent(TimelineModel::Place{0, model.shown()[0].trace->rowsOf(1)[0].first});
  QTest::keyClick(&canvas, Qt::Key_H);
  EXPECT_EQ(drawn(), "main main main stream 9");
  EXPECT_EQ(view.lanesButton().text(), "Tracks 2/3");
  // Going to an event shows its track again.
  model.goTo(*model.current());
  EXPECT_EQ(drawn(), "main main main stream 7 stream 9");
  QTest::keyClick(&canvas, Qt::Key_Down, Qt::AltModifier);
  EXPECT_EQ(drawn(), "main main main stream 9 stream 7");
  QTest::keyClick(&canvas, Qt::Key_T);
  EXPECT_EQ(drawn(), "stream 7 main main main stream 9");
  QTest::keyClick(&canvas, Qt::Key_C, Qt::ShiftModifier);
  EXPECT_EQ(drawn(), "stream 7 main stream 9");
}

TEST_F(TimelineLanes, DraggingANameMovesItsLane) {
  QTest::mousePress(canvas.viewport(), Qt::LeftButton, {}, nameOf(4));
  QTest::mouseMove(canvas.viewport(), nameOf(3));
  QTest::mouseRelease(canvas.viewport(), Qt::LeftButton, {}, nameOf(3));
  EXPECT_EQ(drawn(), "main main main stream 9 stream 7");
}

TEST_F(TimelineLanes, TheListFiltersHidesAndShowsAgain) {
  LanesMenu& menu = view.lanesMenu();
  emit menu.aboutToShow();
  ASSERT_EQ(menu.list().count(), 3);
  menu.list().item(1)->setCheckState(Qt::Unchecked);
  EXPECT_EQ(drawn(), "main main main stream 9");
  menu.filter().setText("STREAM");
  EXPECT_EQ(drawn(), "stream 9");
  EXPECT_EQ(menu.list().count(), 2);
  menu.all().click();
  EXPECT_EQ(drawn(), "main main main stream 7 stream 9");
  EXPECT_TRUE(menu.filter().text().isEmpty());
}

TEST_F(TimelineLanes, APictureHasTheLanesThatAreShown) {
  model.changeLanes([](LaneChoices& lanes) {
    lanes.setHidden(kSeven, true);
    lanes.setCollapsed(kHost, true);
    lanes.moveTo(kNine, kHost);
  });
  const TimelineSubject subject = timelineSubject(model);
  ASSERT_EQ(subject.rows.size(), 2u);
  const Trace& trace = *subject.traces[0].trace;
  EXPECT_EQ(trace.rows()[subject.rows[0].row].lane, 2u);
  EXPECT_EQ(trace.rows()[subject.rows[1].row].lane, 0u);
}

TEST_F(TimelineLanes, HaveAllTheHeightThatALowViewGains) {
  for (const int height : {240, 450, 300, 440}) {
    view.resize(900, height);
    test::handleEvents();
    EXPECT_EQ(view.figures().height(), view.figures().sizeHint().height()) << height;
    EXPECT_LE(height - view.canvas().height(), 100) << "their bar, and a few lines of figures";
  }
}

TEST_F(TimelineLanes, RecordAsksForTheChainAndStopsWhatIsUnderWay) {
  QSignalSpy asked(&view, &TimelineView::recordRequested);
  view.recordButton().click();
  EXPECT_EQ(asked.count(), 1);
  view.setRecording(true);
  EXPECT_EQ(view.recordButton().text(), "Stop recording");
  // While there is no trace, the button is also in the middle: in a narrow view the bar has it in a
  // menu.
  QPushButton& card = view.canvas().emptyCard().button();
  EXPECT_EQ(card.text(), "Stop recording");
  card.click();
  EXPECT_EQ(asked.count(), 2);
}

TEST_F(TimelineLanes, WhatWasChosenStaysWhenATraceIsLaidBelowAndGoesWithTheTrace) {
  model.changeLanes([](LaneChoices& lanes) {
    lanes.setPinned({0, 2}, true);
    lanes.setHidden({0, 1}, true);
    lanes.move({0, 0}, 1);
  });
  model.add(threeLanes("other.json"));
  test::handleEvents();
  EXPECT_TRUE(model.lanes().pinned({0, 2}));
  EXPECT_FALSE(model.lanes().drawn(LaneChoices::Place{0, 1}));
  EXPECT_EQ(model.lanes().left(), 1u) << "of the other trace all are drawn";
  EXPECT_EQ(model.lanes().entries().size(), 6u);
  model.setTraces({threeLanes("third.json")});
  EXPECT_EQ(model.lanes().left(), 0u);
  EXPECT_FALSE(model.lanes().pinned({0, 2}));
}

}  // namespace
}  // namespace fusebench

// SPDX-License-Identifier: GPL-3.0-or-later
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QAbstractItemModel>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPainter>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>
#include <QWheelEvent>
#include <memory>
#include <optional>
#include <random>
#include <set>
#include <vector>

#include "profiler/trace/trace_export.h"
#include "tests/ui/events.h"
#include "ui/theme/colors.h"
#include "ui/views/timeline/timeline_canvas.h"
#include "ui/views/timeline/timeline_view.h"

namespace fusebench {
namespace {

/// `count` launches, one every 10 us, each of 2 us on the host and 3 us on the device 4 us later.
std::shared_ptr<const Trace> launches(int count, const char* title = "eager") {
  TraceBuilder builder(title);
  const LaneId host = builder.lane({Lane::Kind::host, 1, 1, "program", "main"});
  const LaneId device = builder.lane({Lane::Kind::device, 0, 7, "GPU 0", "stream 7"});
  for (int i = 0; i < count; ++i)
    builder.addLaunch({.name = i % 3 == 0 ? "sin" : "mul",
                       .firstStatement = i + 1,
                       .lastStatement = i + 1,
                       .hostBegin = 10'000 * i,
                       .hostEnd = 10'000 * i + 2'000,
                       .start = 10'000 * i + 4'000,
                       .end = 10'000 * i + 7'000,
                       .hostLane = host,
                       .deviceLane = device,
                       .grid = {4, 1, 1},
                       .block = {128, 1, 1},
                       .bytesRead = 512,
                       .bytesWritten = i % 3 == 0 ? 256 : -1});
  return builder.finish();
}

EventId kernel(const Trace& trace, std::size_t index) {
  return trace.rowsOf(1)[0].first + static_cast<EventId>(index);
}

TEST(TimelineModel, ViewStaysInsideTheTracesAndAboveItsLeast) {
  TimelineModel model;
  model.setTraces({launches(100)});
  EXPECT_LE(model.from(), 0);
  EXPECT_GE(model.to(), double(model.length()));
  model.zoom(500'000, 1e-12);
  EXPECT_DOUBLE_EQ(model.to() - model.from(), 20);
  EXPECT_NEAR((model.to() + model.from()) / 2, 500'000, 10);
  model.pan(-1e15);
  EXPECT_LT(model.from(), 0);
  EXPECT_GT(model.to(), -0.1 * double(model.length()));
  model.setView(100, 300);
  model.zoom(150, 0.5);  // the place at the cursor stays where it is
  EXPECT_DOUBLE_EQ(model.from(), 125);
  EXPECT_DOUBLE_EQ(model.to(), 225);
  model.fit();
  EXPECT_GE(model.to() - model.from(), double(model.length()));
}

TEST(TimelineModel, SelectionHasTheStatisticsOfItsRange) {
  TimelineModel model;
  model.setTraces({launches(100)});
  EXPECT_EQ(model.summaries()[0].statistics.busy, 300'000);
  model.select(TimeRange{100'000, 200'000});
  const RangeStatistics& found = model.summaries()[0].statistics;
  EXPECT_EQ(found.launches, 10u);
  EXPECT_EQ(found.busy, 30'000);
  EXPECT_EQ(found.idle, 70'000);
  EXPECT_DOUBLE_EQ(found.meanGap, 7'000);
  EXPECT_EQ(model.summaries()[0].delays.median, 4'000);
  model.fit();  // to the selection
  EXPECT_NEAR(model.to() - model.from(), 110'000, 1);
  model.select(std::nullopt);
  EXPECT_EQ(model.summaries()[0].statistics.launches, 100u);
}

TEST(TimelineModel, StatisticsOfLargeTracesFollow) {
  TimelineModel model;
  model.setTraces({launches(60'000)});
  EXPECT_TRUE(model.summaries().empty());
  QSignalSpy ready(&model, &TimelineModel::selectionChanged);
  ASSERT_TRUE(ready.wait(10'000));
  ASSERT_EQ(model.summaries().size(), 1u);
  EXPECT_EQ(model.summaries()[0].statistics.launches, 60'000u);
}

TEST(TimelineModel, SearchGoesFromMatchToMatchAndAround) {
  TimelineModel model;
  model.setTraces({launches(7), launches(7, "fused")});
  model.search("SIN");
  EXPECT_EQ(model.matches(), 2u * 3 * 2);  // calls and kernels, both traces
  std::vector<std::pair<Nanoseconds, std::size_t>> seen;
  for (int i = 0; i < 13; ++i) {
    ASSERT_TRUE(model.next(false));
    const auto& place = *model.current();
    EXPECT_EQ(model.shown()[place.trace].trace->name(place.event), "sin");
    seen.emplace_back(model.shown()[place.trace].trace->start(place.event), place.trace);
  }
  EXPECT_EQ(seen[0], seen[12]);
  EXPECT_TRUE(std::is_sorted(seen.begin(), seen.begin() + 12));
  EXPECT_EQ(std::set(seen.begin(), seen.end()).size(), 12u);
  for (int i = 11; i >= 0; --i) {
    ASSERT_TRUE(model.next(true));
    const auto& place = *model.current();
    EXPECT_EQ(model.shown()[place.trace].trace->start(place.event), seen[std::size_t(i)].first);
    EXPECT_EQ(place.trace, seen[std::size_t(i)].second);
  }
  model.search("nowhere");
  EXPECT_FALSE(model.next(false));
  model.search({});
  model.setCurrent(std::nullopt);
  ASSERT_TRUE(model.next(false));  // the first kernel
  EXPECT_EQ(model.shown()[0].trace->kind(model.current()->event), SpanKind::kernel);
}

TEST(TimelineModel, FollowsStatementsThroughEveryPassOfAChain) {
  TimelineModel model;
  const auto trace = launches(10);  // statements 1 to 10
  model.setTraces({trace});
  const auto marked = [&] {
    std::vector<int> found;
    for (int i = 0; i < 10; ++i)
      if (model.follows(0, kernel(*trace, std::size_t(i)))) found.push_back(i + 1);
    return found;
  };
  EXPECT_EQ(marked(), std::vector<int>{});
  model.follow({3}, 0);
  EXPECT_EQ(marked(), std::vector<int>{3});
  EXPECT_TRUE(model.follows(0, trace->link(kernel(*trace, 2))));  // the call, too
  model.follow({1, 3}, 4);                                        // a chain of four statements
  EXPECT_EQ(marked(), (std::vector<int>{1, 3, 5, 7, 9}));
  ASSERT_TRUE(model.next(false));
  EXPECT_EQ(model.current()->event, kernel(*trace, 0));
  ASSERT_TRUE(model.next(false));
  EXPECT_EQ(model.current()->event, kernel(*trace, 2));
  model.follow({0}, 4);  // the return, which none of these is
  EXPECT_EQ(marked(), std::vector<int>{});
  EXPECT_EQ(TimelineModel::statementsOf(*trace, kernel(*trace, 5), 4), std::vector<int>{2});
}

TEST(TimelineModel, AFusedLaunchIsEachOfItsStatements) {
  TraceBuilder builder("fused");
  const LaneId lane = builder.lane({Lane::Kind::host, 1, 1, "program", "main"});
  builder.addLaunch({.name = "chain",
                     .firstStatement = 3,
                     .lastStatement = 12,
                     .hostBegin = 0,
                     .hostEnd = 100,
                     .start = 10,
                     .end = 90,
                     .hostLane = lane,
                     .deviceLane = lane});
  const auto trace = builder.finish();
  EventId execution = 0;
  while (trace->kind(execution) != SpanKind::kernel) ++execution;
  EXPECT_EQ(TimelineModel::statementsOf(*trace, execution, 5), (std::vector<int>{1, 2, 3, 4, 5}));
  EXPECT_EQ(TimelineModel::statementsOf(*trace, execution, 0).size(), 10u);
  TimelineModel model;
  model.setTraces({trace});
  model.follow({2}, 20);
  EXPECT_FALSE(model.follows(0, execution));
  model.follow({2}, 5);
  EXPECT_TRUE(model.follows(0, execution));
}

TEST(TimelineModel, GoingToAnEventShowsIt) {
  TimelineModel model;
  model.setTraces({launches(100'000)});
  const Trace& trace = *model.shown()[0].trace;
  const EventId event = kernel(trace, 70'000);
  model.goTo({0, event});
  EXPECT_LT(model.from(), double(trace.start(event)));
  EXPECT_GT(model.to(), double(trace.end(event)));
  EXPECT_LT(model.to() - model.from(), 100'000);
}

TEST(TimelineModel, OpensFilesOnAnotherThreadAndSaysWhatIsWrong) {
  QTemporaryDir folder;
  const QString path = folder.filePath("t.json.gz");
  TimelineModel model;
  QSignalSpy loaded(&model, &TimelineModel::tracesChanged);
  QSignalSpy ended(&model, &TimelineModel::loadingChanged);
  model.setTraces({launches(10)});
  exportTrace(*model.shown()[0].trace, path.toStdString());
  model.open(path, true);
  EXPECT_TRUE(model.loader().busy());
  loaded.clear();
  ASSERT_TRUE(loaded.wait(10'000));
  ASSERT_EQ(model.shown().size(), 2u);
  EXPECT_EQ(differenceOf(*model.shown()[0].trace, *model.shown()[1].trace), "");
  model.open(folder.filePath("absent.json"));
  while (model.loader().busy()) ASSERT_TRUE(ended.wait(10'000));
  EXPECT_THAT(model.failure().toStdString(), testing::HasSubstr("absent.json: cannot be opened"));
  EXPECT_EQ(model.shown().size(), 2u);  // what is shown stays
  model.open(path);
  model.loader().cancel();
  EXPECT_FALSE(model.loader().busy());
  EXPECT_EQ(model.failure(), "");
  test::handleEvents();
  EXPECT_EQ(model.shown().size(), 2u);
}

TEST(TimelineModel, SeveralFilesComeOneUnderTheOther) {
  QTemporaryDir folder;
  exportTrace(*launches(5), folder.filePath("eager.json").toStdString());
  exportTrace(*launches(1), folder.filePath("fused.json").toStdString());
  TimelineModel model;
  QSignalSpy ended(&model, &TimelineModel::loadingChanged);
  model.openAll({folder.filePath("eager.json"), folder.filePath("fused.json")});
  while (model.loader().busy()) ASSERT_TRUE(ended.wait(10'000));
  ASSERT_EQ(model.shown().size(), 2u);
  EXPECT_EQ(model.shown()[0].title, "eager.json");
  EXPECT_EQ(model.shown()[1].title, "fused.json");
  EXPECT_EQ(model.length(), 47'000);
}

/// Pixels of a row, computed event by event.
TEST(TimelinePixels, CoverAgreesWithLookingAtEachEvent) {
  std::mt19937 random(9);
  TraceBuilder builder("random");
  const LaneId lane = builder.lane({Lane::Kind::device, 0, 1, "", ""});
  Nanoseconds at = 0;
  for (int i = 0; i < 20'000; ++i) {
    at += static_cast<Nanoseconds>(random() % 50);
    const auto end = at + 1 + static_cast<Nanoseconds>(random() % 60);
    builder.addLaunch({.name = "k", .start = at, .end = end, .deviceLane = lane});
    at = end;
  }
  const auto trace = builder.finish();
  const ColorClasses colors(*trace);
  const TraceRow& row = trace->rows()[0];
  for (const double perPixel : {5'000.0, 1'000.0, 400.0}) {
    const TimeScale scale{0.1 * double(trace->length()), perPixel};
    std::vector<RowPixel> pixels(120);
    std::vector<EventBox> boxes;
    drawRow(*trace, row, colors, scale, pixels, boxes);
    EXPECT_TRUE(boxes.empty());
    for (std::size_t x = 0; x < pixels.size(); ++x) {
      Nanoseconds busy = 0;
      for (EventId e = row.first; e < row.last; ++e)
        if (double(trace->start(e)) >= scale.time(double(x)) &&
            double(trace->start(e)) < scale.time(double(x) + 1))
          busy += trace->duration(e);
      const double share = std::clamp(double(busy) / perPixel, 0.3, 1.0);
      if (x > 0) {
        EXPECT_NEAR(pixels[x].cover, share * 255, 1) << perPixel;
      }
    }
  }
  // Near enough, each stands alone.
  std::vector<RowPixel> pixels(200);
  std::vector<EventBox> boxes;
  drawRow(*trace, row, colors, {1'000, 1}, pixels, boxes);
  std::size_t inSight = 0;
  for (EventId e = row.first; e < row.last; ++e)
    inSight += trace->end(e) > 1'000 && trace->start(e) < 1'200 && trace->duration(e) >= 2;
  EXPECT_EQ(boxes.size(), inSight);
  for (const EventBox& box : boxes)
    EXPECT_DOUBLE_EQ(box.from, double(trace->start(box.event)) - 1'000);
}

TEST(TimelineText, SaysWhatIsKnown) {
  const auto trace = launches(3);
  const QStringList facts = factsOf(*trace, kernel(*trace, 2));
  EXPECT_EQ(facts[0], "mul, statement 3");
  EXPECT_THAT(facts.join('\n').toStdString(), testing::HasSubstr("launched by mul, 4.00"));
  EXPECT_THAT(facts.join('\n').toStdString(), testing::HasSubstr("grid 4 × 1 × 1, block 128"));
  EXPECT_THAT(factsOf(*trace, kernel(*trace, 0)).join('\n').toStdString(),
              testing::HasSubstr("reads 512 B, writes 256 B"));
  EXPECT_THAT(factsOf(*trace, 0).join('\n').toStdString(), testing::HasSubstr("launches 1 kernel"));
  EXPECT_EQ(exactTime(999), "999 ns");
  EXPECT_EQ(exactTime(12'345), QStringLiteral("12.345") + QChar(0xA0) + QStringLiteral("µs"));
  EXPECT_EQ(exactTime(2'000'000'000), QStringLiteral("2") + QChar(0xA0) + QStringLiteral("s"));
}

TEST(TimelineText, SaysByWhatOtherToolsFindALaunchAndHowFullItsDeviceCanBe) {
  TraceBuilder builder("details");
  builder.addLimits({0, 8, 0, 2048, 65536, 167936});
  const LaneId host = builder.lane({Lane::Kind::host, 1, 1, "program", "main"});
  const LaneId stream = builder.lane({Lane::Kind::device, 0, 7, "GPU 0", "stream 7"});
  builder.addSpan({host, SpanKind::runtime, "cudaLaunchKernel", 0, 10, 123});
  builder.addLaunch({.name = "sin",
                     .queued = 10'000,
                     .submitted = 12'000,
                     .start = 20'000,
                     .end = 30'000,
                     .deviceLane = stream,
                     .correlation = 123,
                     .block = {256, 1, 1},
                     .registers = 40,
                     .device = 0,
                     .context = 1,
                     .occupancy = 33.5F,
                     .blocksPerSm = 1.25F,
                     .warpsPerSm = 10});
  const auto trace = builder.finish();
  const std::string facts = factsOf(*trace, 1).join('\n').toStdString();
  for (const char* fact :
       {"queued 10.0\u202fµs, submitted 8.00\u202fµs before its start",
        "correlation 123 · device 0 · context 1", "occupancy at most 75%, limited by registers",
        "achieved occupancy 33.5%, estimated by the profiler",
        "1.25 blocks and 10 warps for each multiprocessor"})
    EXPECT_THAT(facts, testing::HasSubstr(fact));
  EXPECT_EQ(factsOf(*trace, 0).back(), "correlation 123");
  // Numbers that are only ours help nobody.
  const auto own = launches(1);
  ASSERT_GT(own->details(0)->correlation, 0u);
  EXPECT_FALSE(factsOf(*own, 0).join('\n').contains("correlation"));
}

TEST(TimelineText, TicksAreRoundAndInside) {
  for (const auto& [from, to] :
       {std::pair{0.0, 100.0}, {-50.0, 1e6}, {1e9, 1e9 + 30}, {0.0, 7e11}}) {
    const auto ticks = timeTicks(from, to, (to - from) / 8);
    EXPECT_GE(ticks.size(), 2u);
    EXPECT_LE(ticks.size(), 9u);
    std::set<QString> texts;
    for (const TimeTick& tick : ticks) {
      EXPECT_GE(tick.time, from);
      EXPECT_LE(tick.time, to);
      EXPECT_TRUE(texts.insert(tick.text).second) << tick.text.toStdString();
    }
  }
}

TEST(TimelineText, TicksBeforeTheBeginHaveAMinus) {
  EXPECT_EQ(timeTicks(-250, 100, 100).front().text, QString::fromUtf8("\u2212200\u00a0ns"));
}

class TimelineWindow : public testing::Test {
 protected:
  TimelineWindow() : view(model) {
    view.resize(900, 600);
    view.setTheme(darkTheme());
    view.show();
    test::handleEvents();
  }
  QPoint at(double time, std::size_t band) {
    const auto all = canvas.bands();
    return {int(canvas.gutter() + canvas.scale().x(time)), all[band].y + TimelineCanvas::kRow / 2};
  }
  TimelineModel model;
  TimelineView view;
  TimelineCanvas& canvas = view.canvas();
};

TEST_F(TimelineWindow, TheTableHasBytesWhereTheyAreKnown) {
  model.setTraces({launches(6)});
  const QAbstractItemModel& rows = *view.findChild<QTableView*>()->model();
  ASSERT_EQ(rows.columnCount(), 9);
  EXPECT_EQ(rows.headerData(7, Qt::Horizontal).toString(), "Read");
  for (int row = 0; row < 2; ++row) {
    const bool sin = rows.index(row, 0).data().toString() == "sin";
    EXPECT_EQ(rows.index(row, 7).data().toString(), sin ? "1024 B" : "2048 B");
    EXPECT_EQ(rows.index(row, 8).data().toString(), sin ? "512 B" : QString::fromUtf8("–"));
  }
  TraceBuilder builder("none");
  const LaneId lane = builder.lane({Lane::Kind::device, 0, 7, "GPU 0", "stream 7"});
  builder.addLaunch({.name = "sin", .start = 0, .end = 10, .deviceLane = lane});
  model.setTraces({builder.finish()});
  EXPECT_EQ(rows.columnCount(), 7);
}

TEST_F(TimelineWindow, ClickTakesAnEventAndMovingShowsItsCard) {
  model.setTraces({launches(20)});
  const EventId event = kernel(*model.shown()[0].trace, 5);
  const double middle = 50'000 + 5'500;
  QTest::mouseMove(canvas.viewport(), at(middle, 1));
  EXPECT_EQ(canvas.hoverFacts().value(0), "mul, statement 6");
  QTest::mouseClick(canvas.viewport(), Qt::LeftButton, {}, at(middle, 1));
  EXPECT_EQ(model.current(), (TimelineModel::Place{0, event}));
  EXPECT_THAT(canvas.accessibleDescription().toStdString(), testing::HasSubstr("statement 6"));
  QTest::keyClick(&canvas, Qt::Key_L);  // along the arrow, to the call
  EXPECT_EQ(model.shown()[0].trace->kind(model.current()->event), SpanKind::launch);
  QTest::mouseDClick(canvas.viewport(), Qt::LeftButton, {}, at(middle, 1));
  EXPECT_LT(model.to() - model.from(), 5'000);
  canvas.grab();
}

TEST_F(TimelineWindow, WheelZoomsAtTheCursorAndDraggingPans) {
  model.setTraces({launches(200)});
  const QPoint cursor = at(1'000'000, 1);
  const double before = canvas.scale().time(cursor.x() - canvas.gutter());
  QWheelEvent wheel(cursor, canvas.viewport()->mapToGlobal(cursor), {}, {0, 480}, Qt::NoButton,
                    Qt::NoModifier, Qt::NoScrollPhase, false);
  QApplication::sendEvent(canvas.viewport(), &wheel);
  EXPECT_NEAR(canvas.scale().time(cursor.x() - canvas.gutter()), before, 1);
  EXPECT_NEAR(model.to() - model.from(), 0.4096 * 1.04 * double(model.length()), 20'000);
  const double from = model.from();
  QTest::mousePress(canvas.viewport(), Qt::LeftButton, {}, cursor);
  QTest::mouseMove(canvas.viewport(), cursor + QPoint(60, 0));
  QTest::mouseRelease(canvas.viewport(), Qt::LeftButton, {}, cursor + QPoint(60, 0));
  EXPECT_NEAR(model.from(), from - 60 * canvas.scale().perPixel, canvas.scale().perPixel);
}

TEST_F(TimelineWindow, DraggingOnTheAxisSelectsAndTheFiguresFollow) {
  model.setTraces({launches(100)});
  EXPECT_EQ(view.table().model()->rowCount(), 2);
  EXPECT_EQ(view.table().model()->index(0, 0).data(), "mul");
  const QPoint from(at(100'000, 0).x(), 10), to(at(200'000, 0).x(), 10);
  QTest::mousePress(canvas.viewport(), Qt::LeftButton, {}, from);
  QTest::mouseMove(canvas.viewport(), to);
  QTest::mouseRelease(canvas.viewport(), Qt::LeftButton, {}, to);
  ASSERT_TRUE(model.selection());
  EXPECT_NEAR(double(model.selection()->from), 100'000, 2'000);
  EXPECT_NEAR(double(model.selection()->to), 200'000, 2'000);
  EXPECT_THAT(view.statistics().text().toStdString(), testing::HasSubstr("Selected"));
  EXPECT_THAT(view.statistics().text().toStdString(),
              testing::HasSubstr("10 launching calls, 10 kernels"));
  canvas.grab();
  QTest::mouseClick(canvas.viewport(), Qt::LeftButton, {}, from);
  EXPECT_FALSE(model.selection());
}

TEST_F(TimelineWindow, NoTickTouchesTheLengthOfTheSelection) {
  model.setTraces({launches(100)});
  // The badge partly covers the text of a tick.
  for (int shift = 0; shift < 60; shift += 5) {
    const Nanoseconds from = 300'000 + 2'000 * shift;
    model.select(TimeRange{from, from + 1'000});
    const QRect badge = canvas.selectionBadge().toAlignedRect();
    ASSERT_FALSE(badge.isEmpty());
    const QImage picture = canvas.viewport()->grab().toImage();
    // Next to it the axis is empty, except for the selection's own edge.
    for (const int x : {badge.left() - 3, badge.right() + 3})
      for (int y = badge.top(); y <= badge.bottom(); ++y)
        EXPECT_EQ(picture.pixelColor(x, y).rgb(), darkTheme().panel.rgb()) << shift << ' ' << y;
  }
  model.select(TimeRange{-1'000'000, -900'000});
  EXPECT_TRUE(canvas.selectionBadge().isEmpty());
}

TEST_F(TimelineWindow, KeysSearchAndMove) {
  model.setTraces({launches(300), launches(30, "fused")});
  view.searchField().setText("sin");
  EXPECT_EQ(model.matches(), 220u);
  QTest::keyClick(&view.searchField(), Qt::Key_Return);
  ASSERT_TRUE(model.current());
  const double width = model.to() - model.from();
  QTest::keyClick(&canvas, Qt::Key_Plus);
  EXPECT_NEAR(model.to() - model.from(), width / 2, 1);
  const double from = model.from();
  QTest::keyClick(&canvas, Qt::Key_Right);
  EXPECT_GT(model.from(), from);
  QTest::keyClick(&canvas, Qt::Key_F);
  EXPECT_GE(model.to() - model.from(), double(model.length()));
  QTest::keyClick(&canvas, Qt::Key_N);
  QTest::keyClick(&canvas, Qt::Key_M);
  EXPECT_TRUE(model.selection());
  canvas.grab();
}

TEST_F(TimelineWindow, IdleIsWhereNoRowOfALaneIsBusy) {
  TraceBuilder builder("overlapping");
  const LaneId lane = builder.lane({Lane::Kind::device, 0, 7, "GPU 0", "stream 7"});
  for (const auto& [start, end] : {std::pair(0, 1'000), {990, 2'000}, {3'000, 4'000}})
    builder.addLaunch({.name = "sin", .start = start, .end = end, .deviceLane = lane});
  model.setTraces({builder.finish()});
  const QImage picture = canvas.viewport()->grab().toImage();
  ASSERT_TRUE(canvas.bands()[0].firstOfLane);
  const int y = canvas.bands()[0].y + 3;
  const auto colorAt = [&](double time) {
    return picture.pixelColor(canvas.gutter() + static_cast<int>(canvas.scale().x(time)), y);
  };
  EXPECT_EQ(colorAt(1'500).rgb(), darkTheme().panel.rgb()) << "the second row is busy";
  EXPECT_EQ(colorAt(2'100).rgb(), blend(darkTheme().warning, darkTheme().panel, 0.13).rgb())
      << "no row is";
  EXPECT_NE(colorAt(500).rgb(), darkTheme().panel.rgb()) << "a span";
}

TEST_F(TimelineWindow, ANarrowOneKeepsItsButtonsInAMenu) {
  const auto button = [&](const QString& text) {
    for (QToolButton* each : view.findChildren<QToolButton*>())
      if (each->text() == text) return each;
    return static_cast<QToolButton*>(nullptr);
  };
  view.resize(900, 500);
  EXPECT_TRUE(button("Export…")->isVisible());
  EXPECT_FALSE(button("⋯")->isVisible());
  view.resize(480, 500);
  EXPECT_FALSE(button("Export…")->isVisible());
  ASSERT_TRUE(button("⋯")->isVisible());
  QSignalSpy asked(&view, &TimelineView::openRequested);
  button("⋯")->menu()->actions()[0]->trigger();
  ASSERT_EQ(asked.size(), 1);
  EXPECT_EQ(asked[0][0], false) << "not below what is shown";
}

TEST_F(TimelineWindow, AnEmptyOneInvitesAndAFailureIsSaid) {
  EXPECT_TRUE(view.canvas().bands().empty());
  canvas.grab();
  model.open("/nowhere/x.json");
  EXPECT_TRUE(view.cancelButton().isVisible());
  QSignalSpy ended(&model, &TimelineModel::loadingChanged);
  ASSERT_TRUE(ended.wait(10'000));
  EXPECT_FALSE(view.cancelButton().isVisible());
  EXPECT_THAT(view.notice().text().toStdString(), testing::HasSubstr("cannot be opened"));
}

TEST(RowPicture, ADevicesFirstRowShowsWhereItWaitsAndAHostsDoesNot) {
  const auto trace = launches(3);
  const TimelineModel::Shown shown = [&] {
    TimelineModel model;
    model.setTraces({trace});
    return model.shown().front();
  }();
  RowPicture picture;
  // Kernels run from 4 to 7 of every 10 µs; a pixel is 1 µs.
  const TimeScale scale{0, 1'000};
  const TraceRow& device = trace->rowsOf(1)[0];
  picture.draw(*trace, device, shown.colors, scale, 30);
  ASSERT_EQ(picture.idle().size(), 30u);
  EXPECT_EQ(picture.boxes().size(), 3u);
  const auto first = static_cast<std::size_t>(scale.x(double(trace->start(device.first))));
  EXPECT_EQ(picture.pixels()[first + 1].cover, 255) << "busy, whatever lies below";
  EXPECT_EQ(picture.idle()[first - 1], 0) << "before the first of them";
  EXPECT_EQ(picture.idle()[first + 5], 255) << "between two kernels";
  const auto gaps = picture.gaps(*trace, device, scale);
  ASSERT_EQ(gaps.size(), 2u);
  EXPECT_DOUBLE_EQ(gaps[0].to - gaps[0].from, 7'000);
  EXPECT_TRUE(gaps[0].text.startsWith("idle 7.00")) << gaps[0].text.toStdString();
  const TraceRow& host = trace->rowsOf(0)[0];
  picture.draw(*trace, host, shown.colors, scale, 30);
  EXPECT_TRUE(picture.idle().empty());
  EXPECT_TRUE(picture.gaps(*trace, host, scale).empty());
}

/// A lane of nested spans, each a nanosecond later and shorter than the one around it.
std::shared_ptr<const Trace> nested(int depth) {
  TraceBuilder builder("deep");
  const LaneId host = builder.lane({Lane::Kind::host, 1, 1, "python", "main"});
  for (int i = 0; i < depth; ++i)
    builder.addSpan({host, SpanKind::op, "f" + std::to_string(i), i, 100'000 - i});
  return builder.finish();
}

TEST(TimelineCanvas, FoldsDeepLanesAndOpensThemOnRequest) {
  TimelineModel model;
  TimelineCanvas canvas(model);
  canvas.resize(700, 300);
  canvas.setTheme(darkTheme());
  model.setTraces({nested(100)});
  ASSERT_EQ(canvas.bands().size(), kRowsUnfolded);
  EXPECT_EQ(canvas.bands().back().folded, 100 - kRowsUnfolded);
  EXPECT_FALSE(canvas.grab().isNull());
  canvas.toggleLane(0, 0);
  EXPECT_EQ(canvas.bands().size(), 100u);
  canvas.toggleLane(0, 0);
  EXPECT_EQ(canvas.bands().size(), kRowsUnfolded);
  // Going to an event makes it visible.
  model.goTo({0, static_cast<EventId>(model.shown()[0].trace->rows()[80].first)});
  EXPECT_EQ(canvas.bands().size(), 100u);
}

TEST(TimelineRows, ShadeWhereWorkWaitsUnderRangesAroundIt) {
  TraceBuilder builder("t");
  const LaneId stream = builder.lane({Lane::Kind::device, 0, 7, "GPU 0", "stream 7"});
  builder.addSpan({stream, SpanKind::annotation, "step", 0, 10'000});
  builder.addSpan({stream, SpanKind::sync, "Stream Sync", 2'000, 9'000});
  for (const Nanoseconds at : {1'000, 8'000})
    builder.addLaunch({.name = "k", .start = at, .end = at + 1'000, .deviceLane = stream});
  const auto trace = builder.finish();
  RowPicture picture;
  const TimeScale scale{0, 1'000};
  picture.draw(*trace, trace->rows()[0], ColorClasses(*trace), scale, 10);
  ASSERT_EQ(picture.idle().size(), 10u);
  EXPECT_EQ(picture.idle()[4], 255) << "between the kernels, though ranges lie there";
  EXPECT_EQ(picture.idle()[0], 0);
  picture.draw(*trace, trace->rows()[0], ColorClasses(*trace), {0, 100}, 100);
  ASSERT_FALSE(picture.gaps(*trace, trace->rows()[0], {0, 100}).empty());
  EXPECT_EQ(picture.gaps(*trace, trace->rows()[0], {0, 100})[0].to, 8'000);
}

}  // namespace
}  // namespace fusebench

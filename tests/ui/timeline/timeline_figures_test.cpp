// SPDX-License-Identifier: GPL-3.0-or-later
// The figures under the timeline.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QComboBox>
#include <QLabel>
#include <QSet>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>
#include <algorithm>
#include <memory>
#include <vector>

#include "profiler/trace/trace_export.h"
#include "profiler/trace/trace_parts.h"
#include "tests/ui/events.h"
#include "ui/views/timeline/histogram_view.h"
#include "ui/views/timeline/share_bar.h"
#include "ui/views/timeline/timeline_canvas.h"
#include "ui/views/timeline/timeline_figures.h"
#include "ui/views/timeline/timeline_view.h"

namespace fusebench {
namespace {

using testing::HasSubstr;

/// Device `d` runs a kernel of 1 + d µs every 10 µs, for 100 µs.
std::shared_ptr<const Trace> onDevices(int devices) {
  TraceBuilder builder("training.json");
  for (int d = 0; d < devices; ++d) {
    const std::string name = "GPU " + std::to_string(d);
    const LaneId stream = builder.lane({Lane::Kind::device, d, 7, name, "stream 7"});
    for (int i = 0; i < 10; ++i)
      builder.addLaunch({.name = d == 0 ? "sin" : "mul",
                         .start = 10'000 * i,
                         .end = 10'000 * i + 1'000 * (d + 1),
                         .deviceLane = stream});
  }
  return builder.finish();
}

class TimelineFiguresTest : public testing::Test {
 protected:
  TimelineFiguresTest() : view(model) {
    view.resize(900, 600);
    view.setTheme(darkTheme());
    view.show();
    test::handleEvents();
  }
  std::string cell(int row, int column) {
    return rows.index(row, column).data().toString().toStdString();
  }
  std::string sentences() { return view.statistics().text().toStdString(); }
  TimelineModel model;
  TimelineView view;
  QAbstractItemModel& rows = *view.table().model();
  QComboBox& scope = view.figures().scope();
};

TEST_F(TimelineFiguresTest, OfOneDeviceNothingHasToBeChosen) {
  model.setTraces({onDevices(1)});
  EXPECT_FALSE(scope.isVisible());
  EXPECT_EQ(view.statistics().text().count(u'\n'), 0);
}

TEST_F(TimelineFiguresTest, SayWhatFusingWouldSaveAndAClickShowsIt) {
  TraceBuilder builder("eager");
  const LaneId host = builder.lane({Lane::Kind::host, 1, 1, "python", "main"});
  const LaneId stream = builder.lane({Lane::Kind::device, 0, 7, "GPU 0", "stream 7"});
  for (std::uint64_t i = 1; i <= 5; ++i) {
    const auto at = 100'000 + static_cast<Nanoseconds>(i) * 5'000;
    builder.addSpan({host, SpanKind::runtime, "cudaLaunchKernel", at, at + 4'000, i});
    builder.addLaunch({.name = "sin",
                       .start = at + 4'000,
                       .end = at + 5'000,
                       .deviceLane = stream,
                       .correlation = i});
  }
  builder.addSpan({host, SpanKind::op, "begin", 0, 10});
  model.setTraces({builder.finish()});
  view.figures().subject().setCurrentIndex(2);
  ASSERT_EQ(rows.rowCount(), 1);
  EXPECT_EQ(cell(0, 0), "sin, sin, sin and 2 more");
  EXPECT_EQ(cell(0, 5), "5");
  EXPECT_THAT(view.figures().headline().text().toStdString(), HasSubstr("Estimate: "));
  EXPECT_GT(QFontMetrics(view.figures().headline().font()).height(),
            QFontMetrics(view.figures().note().font()).height());
  EXPECT_FALSE(view.figures().note().isVisible()) << "the assumptions are behind a button";
  view.figures().howButton().click();
  EXPECT_THAT(view.figures().note().text().toStdString(), HasSubstr("medians of 5 calls"));
  emit view.table().clicked(rows.index(0, 3));
  ASSERT_TRUE(model.selection());
  EXPECT_EQ(*model.selection(), (TimeRange{109'000, 130'000}));
  ASSERT_TRUE(model.current());
  EXPECT_EQ(model.shown()[0].trace->name(model.current()->event), "sin");
  view.figures().subject().setCurrentIndex(1);
  ASSERT_EQ(rows.rowCount(), 1);
  EXPECT_EQ(cell(0, 0), "GPU 0");
  // In the range that is selected now: 5 us of sines in 21 us.
  EXPECT_EQ(rows.index(0, 1).data(Qt::ToolTipRole).toString().toStdString(),
            "computing 23.8%, communication 0.0%, memory 0.0%, idle 76.2%");
  model.select(std::nullopt);
  ASSERT_EQ(rows.rowCount(), 1);
  // As a bar, too: 5 us of sines in the 130 us that were recorded.
  const QVariantList shares = rows.index(0, 1).data(ShareBar::kRole).toList();
  ASSERT_EQ(shares.size(), 4);
  EXPECT_NEAR(shares[0].toDouble(), 5.0 / 130, 1e-9);
  EXPECT_NEAR(shares[3].toDouble(), 125.0 / 130, 1e-9);
  EXPECT_EQ(rows.index(0, 1).data(Qt::ToolTipRole).toString().toStdString(),
            "computing 3.8%, communication 0.0%, memory 0.0%, idle 96.2%");
  EXPECT_EQ(cell(0, 3), "0") << "nothing needs no unit and no share";
  for (int column = 1; column < rows.columnCount(); ++column)
    EXPECT_FALSE(rows.headerData(column, Qt::Horizontal, Qt::ToolTipRole).toString().isEmpty())
        << "title " << column << " does not say what it counts";
}

TEST_F(TimelineFiguresTest, BesideARecordingNothingIdles) {
  TraceBuilder longer("longer");
  const LaneId stream = longer.lane({Lane::Kind::device, 0, 7, "GPU 0", "stream 7"});
  for (const Nanoseconds at : {0, 900'000})
    longer.addLaunch({.name = "sin", .start = at, .end = at + 1'000, .deviceLane = stream});
  model.setTraces({longer.finish(), onDevices(1)});  // the second ends at 91 µs
  model.select(TimeRange{200'000, 400'000});
  EXPECT_THAT(sentences(), HasSubstr("longer: busy 0\u202fns (0.0%) · idle 200\u202fµs · "
                                     "nothing starts here"));
  EXPECT_THAT(sentences(), HasSubstr("training.json: nothing was recorded there"));
  model.select(TimeRange{50'000, 400'000});
  EXPECT_THAT(sentences(), testing::Not(HasSubstr("nothing was recorded")));
}

TEST_F(TimelineFiguresTest, WhatIsSelectedIsLetGoOfByAButtonAndByEscape) {
  TraceBuilder first("a"), second("b");
  for (TraceBuilder* builder : {&first, &second}) {
    const LaneId host = builder->lane({Lane::Kind::host, 1, 1, "python", "main"});
    builder->addSpan({host, SpanKind::op, "relu", 0, 40'000});
    builder->addSpan({host, SpanKind::op, "relu", 60'000, 90'000});
  }
  model.setTraces({first.finish(), second.finish()});
  view.figures().subject().setCurrentIndex(4);
  auto* whole = view.figures().findChild<QToolButton*>(QStringLiteral("small"));
  ASSERT_TRUE(whole);
  EXPECT_FALSE(whole->isVisible()) << "nothing is selected";
  EXPECT_EQ(cell(1, 0), "relu");
  // In the midst of a span nothing starts, and yet it is busy.
  model.select(TimeRange{10'000, 30'000});
  ASSERT_EQ(rows.rowCount(), 2);
  EXPECT_EQ(cell(1, 1), "20.0\u202fµs") << "as much as the line above says";
  EXPECT_THAT(sentences(), HasSubstr("nothing starts here, busy for 20.0"));
  ASSERT_TRUE(whole->isVisible());
  whole->click();
  EXPECT_FALSE(model.selection());
  EXPECT_EQ(cell(1, 0), "relu");
  model.select(TimeRange{10'000, 30'000});
  QTest::keyClick(&view.canvas(), Qt::Key_Escape);
  EXPECT_FALSE(model.selection());
}

TEST_F(TimelineFiguresTest, WithoutCollectivesOneLineTakesThePlaceOfTheirTable) {
  model.setTraces({onDevices(1)});
  QComboBox& subject = view.figures().subject();
  subject.setCurrentIndex(subject.findText(QStringLiteral("Collectives")));
  test::handleEvents();
  EXPECT_EQ(rows.columnCount(), 0) << "no titles over an empty table";
  const auto labels = view.figures().findChildren<QLabel*>();
  EXPECT_TRUE(std::ranges::any_of(labels, [](const QLabel* label) {
    return label->isVisible() && label->text().startsWith(QStringLiteral("No collectives"));
  }));
}

TEST_F(TimelineFiguresTest, ListTheLongestGapsAndAClickShowsOne) {
  TraceBuilder builder("gaps");
  const LaneId stream = builder.lane({Lane::Kind::device, 0, 7, "GPU 0", "stream 7"});
  for (const Nanoseconds at : {0, 2'000, 9'000, 12'000})
    builder.addLaunch({.name = "sin", .start = at, .end = at + 1'000, .deviceLane = stream});
  model.setTraces({builder.finish()});
  view.figures().subject().setCurrentIndex(3);
  ASSERT_EQ(rows.rowCount(), 3);
  EXPECT_EQ(cell(0, 1), "6.00\u202fµs");
  EXPECT_EQ(cell(1, 1), "2.00\u202fµs");
  EXPECT_EQ(cell(2, 1), "1.00\u202fµs");
  emit view.table().clicked(rows.index(0, 1));
  EXPECT_EQ(*model.selection(), (TimeRange{3'000, 9'000}));
  EXPECT_EQ(rows.rowCount(), 3) << "the list stays that of the whole";
  emit view.table().clicked(rows.index(1, 1));
  EXPECT_EQ(*model.selection(), (TimeRange{10'000, 12'000}));
}

TEST_F(TimelineFiguresTest, ListTheLongestGapOfAllTracesFirst) {
  const auto traceOf = [](const char* title, std::vector<Nanoseconds> starts) {
    TraceBuilder builder(title);
    const LaneId stream = builder.lane({Lane::Kind::device, 0, 7, "GPU 0", "stream 7"});
    for (const Nanoseconds at : starts)
      builder.addLaunch({.name = "sin", .start = at, .end = at + 1'000, .deviceLane = stream});
    return builder.finish();
  };
  model.setTraces({traceOf("a", {0, 3'000, 4'500}), traceOf("b", {0, 9'000, 11'000})});
  view.figures().subject().setCurrentIndex(3);
  ASSERT_EQ(rows.rowCount(), 4);
  EXPECT_TRUE(cell(0, 0).starts_with("Gap 1")) << cell(0, 0);
  EXPECT_TRUE(cell(0, 0).ends_with("b"));
  EXPECT_EQ(cell(0, 1), "8.00\u202fµs");
  EXPECT_TRUE(cell(1, 0).ends_with("a"));
  EXPECT_EQ(cell(1, 1), "2.00\u202fµs");
  EXPECT_EQ(cell(3, 1), "500\u202fns");
}

/// A trace of many threads, and work of a device with a gap.
std::shared_ptr<const Trace> gapBelow(const char* title, Nanoseconds gap) {
  TraceBuilder builder(title);
  for (std::int64_t thread = 1; thread <= 20; ++thread) {
    const LaneId host = builder.lane({Lane::Kind::host, 1, thread, "python", "thread"});
    builder.addSpan({host, SpanKind::runtime, "work", 0, 90'000});
  }
  const LaneId stream = builder.lane({Lane::Kind::device, 0, 7, "GPU 0", "stream 7"});
  for (const Nanoseconds at : {Nanoseconds(0), 1'000 + gap})
    builder.addLaunch({.name = "sin", .start = at, .end = at + 1'000, .deviceLane = stream});
  return builder.finish();
}

TEST_F(TimelineFiguresTest, AGapThatIsClickedComesIntoSight) {
  model.setTraces({gapBelow("above", 2'000), gapBelow("below", 50'000)});
  view.figures().subject().setCurrentIndex(3);
  test::handleEvents();
  const auto deviceInSight = [this](std::size_t trace) {
    for (const TimelineCanvas::Band& band : view.canvas().bandsInSight()) {
      const Trace& of = *model.shown()[trace].trace;
      if (band.trace == trace && of.lanes()[band.lane].kind == Lane::Kind::device) return true;
    }
    return false;
  };
  ASSERT_FALSE(deviceInSight(1));
  emit view.table().clicked(rows.index(0, 0));
  EXPECT_TRUE(deviceInSight(1)) << "the longest is in the second trace";
  emit view.table().clicked(rows.index(1, 0));
  EXPECT_TRUE(deviceInSight(0));
}

TEST_F(TimelineFiguresTest, EscapeLetsGoOfWhatARowOfATableSelected) {
  model.setTraces({gapBelow("one", 2'000)});
  view.figures().subject().setCurrentIndex(3);
  emit view.table().clicked(rows.index(0, 0));
  ASSERT_TRUE(model.selection());
  QTest::keyClick(&view.table(), Qt::Key_Escape);
  EXPECT_FALSE(model.selection());
  model.select(TimeRange{10, 2'000});
  QTest::keyClick(&view.figures().subject(), Qt::Key_Escape);
  EXPECT_FALSE(model.selection());
}

TEST_F(TimelineFiguresTest, OfManyTracesTheSentencesScroll) {
  std::vector<std::shared_ptr<const Trace>> many;
  for (int i = 0; i < 12; ++i) many.push_back(gapBelow("trace", 1'000 * i));
  model.setTraces({many.front()});
  test::handleEvents();
  auto* area = view.statistics().parentWidget()->parentWidget();
  EXPECT_EQ(area->focusPolicy(), Qt::NoFocus);
  const int alone = area->height();
  EXPECT_GE(alone, view.statistics().heightForWidth(view.statistics().width()));
  model.setTraces(many);
  test::handleEvents();
  EXPECT_GT(area->height(), alone);
  EXPECT_LE(area->height(), 6 * view.statistics().fontMetrics().lineSpacing());
  EXPECT_GT(view.statistics().height(), area->height());
  EXPECT_EQ(area->focusPolicy(), Qt::StrongFocus) << "keys reach the rest";
}

/// Two recordings of the same variants, as two machines make them.
TEST_F(TimelineFiguresTest, TracesOfOneTitleAreToldApartByTheirFilesAndComparedWithEachOther) {
  const QTemporaryDir folder;
  const auto write = [&folder](const char* name, const char* other) {
    const std::vector traces{gapBelow("eager", 2'000), gapBelow(other, 1'000),
                             gapBelow("dynamic", 1'500)};
    exportTrace(*joinedTrace(traces, "recording"), folder.filePath(name).toStdString());
    return folder.filePath(name);
  };
  const QString first = write("h100.json", "static"), second = write("h200.json", "compiled");
  const auto waitFor = [this](std::size_t traces) {
    return QTest::qWaitFor([&] { return !model.loader().busy() && model.shown().size() == traces; },
                           10'000);
  };
  model.open(first);
  ASSERT_TRUE(waitFor(3));
  EXPECT_EQ(model.shown()[0].title, "eager");
  model.open(second, true);
  ASSERT_TRUE(waitFor(6));
  EXPECT_TRUE(model.shown()[0].title.endsWith(" · h100.json")) << sentences();
  EXPECT_EQ(model.shown()[1].title, "static");
  EXPECT_TRUE(model.shown()[2].title.endsWith(" · h100.json")) << "not the first one alone";
  EXPECT_TRUE(model.shown()[3].title.endsWith(" · h200.json"));
  EXPECT_TRUE(model.shown()[5].title.endsWith(" · h200.json"));
  EXPECT_EQ(model.besideFirst(), 3u);
  view.figures().subject().setCurrentIndex(4);
  EXPECT_EQ(view.figures().compared(1).currentIndex(), 3);
  view.figures().compared(1).setCurrentIndex(1);
  model.select(TimeRange{0, 2'000});
  EXPECT_EQ(view.figures().compared(1).currentIndex(), 1) << "what was chosen by hand stays";
  model.add(gapBelow("once more", 3'000));
  EXPECT_EQ(view.figures().compared(1).currentIndex(), 1) << "with one more below, too";
  model.setTraces({gapBelow("eager", 2'000), gapBelow("static", 1'000), gapBelow("more", 1'000)});
  view.figures().compared(1).setCurrentIndex(2);
  model.setTraces({gapBelow("eager", 2'000), gapBelow("static", 1'000), gapBelow("more", 1'000)});
  EXPECT_EQ(view.figures().compared(1).currentIndex(), 1) << "of other traces nothing was chosen";
}

TEST_F(TimelineFiguresTest, TwoTracesStandBesideEachOtherKernelByKernel) {
  const auto traceOf = [](const char* title, Nanoseconds sines, Nanoseconds others) {
    TraceBuilder builder(title);
    const LaneId stream = builder.lane({Lane::Kind::device, 0, 7, "GPU 0", "stream 7"});
    builder.addLaunch({.name = "sin", .start = 0, .end = sines, .deviceLane = stream});
    if (others > 0)
      builder.addLaunch(
          {.name = "mul", .start = 50'000, .end = 50'000 + others, .deviceLane = stream});
    return builder.finish();
  };
  model.setTraces({traceOf("before", 10'000, 3'000)});
  view.figures().subject().setCurrentIndex(4);
  EXPECT_EQ(rows.rowCount(), 0);
  EXPECT_THAT(view.figures().note().text().toStdString(), HasSubstr("There is one trace"));
  model.setTraces({traceOf("before", 10'000, 3'000), traceOf("after", 4'000, 0)});
  ASSERT_EQ(rows.rowCount(), 3);
  EXPECT_EQ(cell(0, 0), "All together");
  EXPECT_EQ(cell(0, 3), "−9.00\u202fµs");
  EXPECT_EQ(cell(1, 0), "sin");
  EXPECT_EQ(cell(1, 1), "10.0\u202fµs");
  EXPECT_EQ(cell(1, 2), "4.00\u202fµs");
  EXPECT_EQ(cell(1, 3), "−6.00\u202fµs");
  EXPECT_EQ(cell(2, 0), "mul");
  EXPECT_EQ(cell(2, 2), "–");
  model.setCurrent(TimelineModel::Place{0, 0});
  EXPECT_TRUE(view.figures().details().text().contains("sin"));
  // By stream both kernels are one row.
  ASSERT_TRUE(view.figures().by().isVisible());
  view.figures().by().setCurrentIndex(3);
  ASSERT_EQ(rows.rowCount(), 2);
  EXPECT_EQ(rows.headerData(0, Qt::Horizontal).toString(), "Stream");
  EXPECT_EQ(cell(1, 0), "stream 7");
  EXPECT_EQ(cell(1, 3), "−9.00\u202fµs");
  view.figures().subject().setCurrentIndex(0);
  EXPECT_FALSE(view.figures().by().isVisible());
}

TEST_F(TimelineFiguresTest, OfMoreThanTwoTracesTheTwoThatAreChosenAreCompared) {
  const auto traceOf = [](const char* title, Nanoseconds sines) {
    TraceBuilder builder(title);
    const LaneId stream = builder.lane({Lane::Kind::device, 0, 7, "GPU 0", "stream 7"});
    builder.addLaunch({.name = "sin", .start = 0, .end = sines, .deviceLane = stream});
    return builder.finish();
  };
  QComboBox &a = view.figures().compared(0), &b = view.figures().compared(1);
  view.figures().subject().setCurrentIndex(4);
  model.setTraces({traceOf("run-eager.json", 10'000), traceOf("run-static.json", 4'000)});
  EXPECT_FALSE(a.isVisible()) << "there is nothing to choose";
  model.setTraces({traceOf("run-eager.json", 10'000), traceOf("run-static.json", 4'000),
                   traceOf("run-replay.json", 1'000)});
  ASSERT_TRUE(a.isVisible() && b.isVisible());
  EXPECT_EQ(a.currentText(), "A: eager");
  EXPECT_EQ(b.currentText(), "B: static");
  EXPECT_EQ(cell(1, 2), "4.00\u202fµs");
  b.setCurrentIndex(2);
  EXPECT_EQ(cell(1, 2), "1.00\u202fµs");
  EXPECT_EQ(cell(1, 3), "−9.00\u202fµs");
  EXPECT_THAT(view.figures().note().text().toStdString(),
              HasSubstr("A: run-eager.json. B: run-replay.json."));
  a.setCurrentIndex(2);  // what B was: they change places
  EXPECT_EQ(b.currentText(), "B: eager");
  EXPECT_EQ(cell(1, 3), "+9.00\u202fµs");
  view.figures().subject().setCurrentIndex(0);
  EXPECT_FALSE(a.isVisible());
  EXPECT_EQ(cell(0, 0), "sin  ·  eager") << "what titles share is left out";
  EXPECT_EQ(rows.index(0, 0).data(Qt::ToolTipRole).toString(), "sin\nrun-eager.json");
  view.figures().subject().setCurrentIndex(4);
  model.setTraces({traceOf("run-eager.json", 10'000), traceOf("run-static.json", 4'000)});
  EXPECT_EQ(cell(1, 3), "−6.00\u202fµs") << "what was chosen is gone";
  model.setTraces({traceOf("torch_2_11_h100_eager.json", 1),
                   traceOf("torch_2_11_h100_replay.json", 1), traceOf("another.json", 1)});
  EXPECT_NE(a.itemText(0).mid(3), a.itemText(1).mid(3));
  for (int i = 0; i < 3; ++i) EXPECT_LE(a.itemText(i).size(), 19) << "or its end is cut";
}

TEST_F(TimelineFiguresTest, KernelsThatBeginAndEndAlikeCanBeToldApart) {
  TraceBuilder builder("one");
  const LaneId stream = builder.lane({Lane::Kind::device, 0, 7, "GPU 0", "stream 7"});
  for (const char* op : {"AddFunctor", "MulFunctor", "MaxFunctor"})
    builder.addLaunch({.name = std::string("void at::native::vectorized_elementwise_kernel<4, "
                                           "at::native::CUDA") +
                               op + "<float>, std::array<char*, 2ul>>(int, std::array<char*, 2ul>)",
                       .start = 0,
                       .end = 1'000,
                       .deviceLane = stream});
  model.setTraces({builder.finish()});
  ASSERT_EQ(rows.rowCount(), 3);
  QSet<QString> shown;
  for (int row = 0; row < 3; ++row) shown << view.table().shownName(row);
  EXPECT_EQ(shown.size(), 3);
  for (const QString& name : shown)
    EXPECT_LE(view.table().fontMetrics().horizontalAdvance(name), view.table().columnWidth(0));
  EXPECT_FALSE(view.table().grab().isNull());
}

TEST_F(TimelineFiguresTest, EachOfSeveralDevicesHasItsOwn) {
  model.setTraces({onDevices(2)});
  EXPECT_THAT(sentences(), testing::StartsWith("any device: busy 20.0\u202fµs"));
  EXPECT_THAT(sentences(), HasSubstr("20 kernels"));
  EXPECT_THAT(sentences(), HasSubstr("GPU 0: busy 10.0\u202fµs"));
  EXPECT_THAT(sentences(), HasSubstr("GPU 1: busy 20.0\u202fµs"));
  ASSERT_TRUE(scope.isVisible());
  ASSERT_EQ(scope.count(), 4);
  EXPECT_EQ(rows.rowCount(), 2) << "kernels of both";
  scope.setCurrentText("GPU 1");
  ASSERT_EQ(rows.rowCount(), 1);
  EXPECT_EQ(cell(0, 0), "mul");
  EXPECT_EQ(cell(0, 2), "100.0%") << "of what that device did";
  scope.setCurrentText("By device");
  ASSERT_EQ(rows.rowCount(), 2);
  EXPECT_EQ(cell(0, 0), "GPU 0");
  EXPECT_EQ(cell(1, 4), "0") << "calls are not known";
  EXPECT_EQ(cell(1, 5), "10");
  EXPECT_EQ(cell(1, 9), "8.00\u202fµs");
  model.select(TimeRange{10'000, 30'000});
  EXPECT_EQ(scope.currentText(), "By device") << "the choice stays";
  EXPECT_EQ(cell(1, 5), "2");
  EXPECT_THAT(sentences(), HasSubstr("GPU 1: busy 4.00\u202fµs (20.0%)"));
  model.setTraces({onDevices(1)});
  EXPECT_FALSE(scope.isVisible());
  EXPECT_EQ(cell(0, 0), "sin");
}

TEST_F(TimelineFiguresTest, HistogramsOfSeveralTracesNameThem) {
  const auto named = [](const char* title) {
    TraceBuilder builder(title);
    const LaneId host = builder.lane({Lane::Kind::host, 1, 1, "", ""});
    for (int i = 0; i < 3; ++i)
      builder.addLaunch({.name = "sin",
                         .hostBegin = 10'000 * i,
                         .hostEnd = 10'000 * i + 10,
                         .start = 10'000 * i + 2'000,
                         .end = 10'000 * i + 3'000,
                         .hostLane = host,
                         .deviceLane = builder.lane({Lane::Kind::device, 0, 7, "GPU 0", ""})});
    return builder.finish();
  };
  HistogramView& delays = view.figures().delays();
  model.setTraces({named("eager.json")});
  EXPECT_FALSE(delays.accessibleName().contains("eager.json: "));
  const int before = delays.minimumSizeHint().height();
  model.setTraces({named("eager.json"), named("fused.json")});
  EXPECT_TRUE(delays.accessibleName().contains("eager.json: median 2.00\u202fµs"))
      << delays.accessibleName().toStdString();
  EXPECT_TRUE(delays.accessibleName().contains("fused.json: "));
  EXPECT_GT(delays.minimumSizeHint().height(), before) << "a line for each";
  delays.grab();
}

TEST_F(TimelineFiguresTest, NestedSpansHaveTimeOfTheirOwn) {
  TraceBuilder builder("host");
  const LaneId lane = builder.lane({Lane::Kind::host, 1, 1, "", ""});
  builder.addSpan({.lane = lane, .kind = SpanKind::op, .name = "outer", .start = 0, .end = 4'000});
  builder.addSpan({.lane = lane, .kind = SpanKind::op, .name = "inner", .start = 0, .end = 3'000});
  model.setTraces({builder.finish()});
  ASSERT_EQ(rows.columnCount(), 8);
  EXPECT_EQ(rows.headerData(2, Qt::Horizontal).toString(), "Self");
  EXPECT_EQ(cell(0, 1), "4.00\u202fµs");
  EXPECT_EQ(cell(0, 2), "1.00\u202fµs");
  EXPECT_EQ(cell(0, 3), "25.0%");
  EXPECT_EQ(cell(1, 3), "75.0%");
}

TEST_F(TimelineFiguresTest, NothingCoversAnythingWhereItIsNarrow) {
  model.setTraces({onDevices(2)});
  for (const int width : {420, 560, 900}) {
    view.resize(width, 480);
    test::handleEvents();
    QList<QWidget*> shown;
    for (QWidget* child : view.figures().findChildren<QWidget*>(Qt::FindDirectChildrenOnly))
      if (child->isVisible()) shown << child;
    for (const QWidget* one : shown)
      for (const QWidget* other : shown) {
        if (one == other) continue;
        EXPECT_FALSE(one->geometry().intersects(other->geometry()))
            << one->metaObject()->className() << " and " << other->metaObject()->className()
            << " at " << width;
      }
    EXPECT_GE(view.statistics().height(),
              view.statistics().heightForWidth(view.statistics().width()))
        << "cut at " << width;
  }
}

TEST_F(TimelineFiguresTest, ManyDevicesStandInTheTableAlone) {
  model.setTraces({onDevices(3)});
  EXPECT_EQ(view.statistics().text().count(u'\n'), 0);
  model.setTraces({onDevices(8)});
  EXPECT_EQ(view.statistics().text().count(u'\n'), 0);
  scope.setCurrentText("By device");
  EXPECT_EQ(rows.rowCount(), 8);
}

}  // namespace
}  // namespace fusebench

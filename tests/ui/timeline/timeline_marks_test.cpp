// SPDX-License-Identifier: GPL-3.0-or-later
// Counters, the ruler, notes, ranges of the program, and room that is left over.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QCheckBox>
#include <QComboBox>
#include <QFile>
#include <QFileInfo>
#include <QLabel>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>
#include <cmath>
#include <memory>

#include "profiler/files/files.h"
#include "profiler/trace/trace_builder.h"
#include "profiler/trace/trace_export.h"
#include "profiler/trace/trace_import.h"
#include "tests/support/built_paths.h"
#include "tests/ui/events.h"
#include "ui/export/figures/timeline_figure.h"
#include "ui/models/timeline/counter_picture.h"
#include "ui/theme/theme.h"
#include "ui/views/timeline/lanes_menu.h"
#include "ui/views/timeline/notes_panel.h"
#include "ui/views/timeline/timeline_canvas.h"
#include "ui/views/timeline/timeline_view.h"

namespace fusebench {
namespace {

using testing::HasSubstr;

/// Two named ranges, each of which launches a kernel; and a counter.
std::shared_ptr<const Trace> namedTrace(const char* title = "named") {
  TraceBuilder builder(title);
  const LaneId host = builder.lane({Lane::Kind::host, 1, 1, "python", "main"});
  const LaneId gpu = builder.lane({Lane::Kind::device, 0, 7, "GPU 0", "stream 7"});
  std::uint64_t correlation = 1;
  for (const Nanoseconds at : {0, 100'000}) {
    const bool first = at == 0;
    builder.addSpan({host, SpanKind::annotation, first ? "forward" : "backward", at, at + 50'000});
    builder.addSpan(
        {host, SpanKind::runtime, "cudaLaunchKernel", at + 10'000, at + 14'000, correlation});
    builder.addLaunch({.name = first ? "gemm" : "relu",
                       .start = at + 20'000,
                       .end = at + 30'000,
                       .deviceLane = gpu,
                       .correlation = correlation++});
  }
  const std::size_t counter =
      builder.counter({.process = 1, .name = "Memory allocated, GPU 0", .unit = "bytes"});
  builder.addCount(counter, 0, 1024);
  builder.addCount(counter, 100'000, 4096);
  return builder.finish();
}

class TimelineMarks : public testing::Test {
 protected:
  TimelineMarks() : view(model), canvas(view.canvas()) {
    model.notes().setFolder(folder.filePath("data"));
    view.resize(1100, 900);
    view.setTheme(darkTheme());
    view.show();
    test::handleEvents();
  }
  EventId found(std::string_view name) const {
    const Trace& trace = *model.shown()[0].trace;
    for (EventId e = 0; e < trace.size(); ++e)
      if (trace.name(e) == name) return e;
    return kNoEvent;
  }
  /// The middle of the row of an event, at a time.
  QPoint at(double time, EventId event) {
    const std::size_t row = model.shown()[0].trace->rowOf(event);
    for (const auto& band : canvas.bands())
      if (band.row == row)
        return {int(std::lround(canvas.gutter() + canvas.scale().x(time))),
                band.y + canvas.rowHeight() / 2};
    ADD_FAILURE() << "its row is not drawn";
    return {};
  }
  void drag(Qt::KeyboardModifier modifier, QPoint from, QPoint to) {
    QTest::mousePress(canvas.viewport(), Qt::LeftButton, modifier, from);
    QTest::mouseMove(canvas.viewport(), (from + to) / 2);
    QTest::mouseMove(canvas.viewport(), to);
    QTest::mouseRelease(canvas.viewport(), Qt::LeftButton, modifier, to);
  }
  /// Opened from a file, as a person does.
  QString open(const char* name = "t.json") {
    const QString file = folder.filePath(QString::fromLatin1(name));
    exportTrace(*namedTrace(), file.toStdString());
    model.open(file);
    EXPECT_TRUE(QTest::qWaitFor([this] { return !model.loader().busy(); }, 20'000));
    return file;
  }
  QTemporaryDir folder;
  TimelineModel model;
  TimelineView view;
  TimelineCanvas& canvas;
};

TEST_F(TimelineMarks, CountersAreDrawnBelowTheTracksAndSayTheirValue) {
  model.setTraces({namedTrace()});
  const auto counters = canvas.counterBands();
  ASSERT_EQ(counters.size(), 1u);
  EXPECT_GT(counters[0].y, canvas.bands().back().y);
  const QPoint there(int(canvas.gutter() + canvas.scale().x(120'000)),
                     counters[0].y + TimelineCanvas::kCounter / 2);
  QTest::mouseMove(canvas.viewport(), there);
  EXPECT_EQ(canvas.hoverFacts().value(0), "Memory allocated, GPU 0");
  EXPECT_THAT(canvas.hoverFacts().value(1).toStdString(), testing::StartsWith("4096 B at "));
  canvas.grab();
  // The menu of tracks leaves them out.
  view.lanesMenu().counters().click();
  EXPECT_TRUE(canvas.counterBands().empty());
  view.lanesMenu().counters().click();
  model.changeLanes([](LaneChoices& lanes) { lanes.setFilter(QStringLiteral("stream")); });
  EXPECT_TRUE(canvas.counterBands().empty());
}

TEST_F(TimelineMarks, ACountersPictureHoldsEachValueUntilTheNext) {
  CounterTrack counter{.name = "a", .times = {10, 20}, .values = {2, 4}};
  const QRectF place(0, 0, 100, 40);
  const CounterPicture picture = drawnCounter(counter, {0, 1}, place);
  ASSERT_EQ(picture.lines.size(), 1u);
  EXPECT_EQ(picture.lines[0], (QList<QPointF>{{10, 20}, {20, 20}, {20, 0}, {100, 0}}));
  EXPECT_EQ(picture.areas[0].back(), QPointF(10, 40)) << "down to 0";
  // A pixel with many values shows the least and the greatest.
  counter.times.clear();
  counter.values.clear();
  for (int i = 0; i < 1000; ++i) {
    counter.times.push_back(i);
    counter.values.push_back(i % 2 == 0 ? -5 : 5);
  }
  const CounterPicture dense = drawnCounter(counter, {0, 100}, {0, 0, 10, 10});
  EXPECT_LE(dense.lines[0].size(), 60);
  EXPECT_EQ(QPolygonF(dense.lines[0]).boundingRect().height(), 10);
}

TEST_F(TimelineMarks, CountersAndNotesAreInAnExportedPicture) {
  model.setTraces({namedTrace()});
  model.notes().add(0, {{100'000, 150'000}, "the slow half", ""});
  const Figure figure = timelineFigure(timelineSubject(model), FigureStyle{});
  QStringList texts;
  for (const FigureItem& item : figure.items) texts << item.text;
  EXPECT_THAT(texts.join(u'\n').toStdString(), HasSubstr("Memory allocated, GPU 0"));
  EXPECT_THAT(texts.join(u'\n').toStdString(), HasSubstr("the slow half"));
}

TEST_F(TimelineMarks, TheRulerSnapsToEdgesAndSaysWhatIsAtBothEnds) {
  model.setTraces({namedTrace()});
  const EventId gemm = found("gemm"), relu = found("relu");
  // Three pixels from the end of one and from the start of the other.
  drag(Qt::ControlModifier, at(30'000, gemm) + QPoint(3, 0), at(120'000, relu) - QPoint(3, 0));
  ASSERT_TRUE(model.ruler());
  EXPECT_EQ(model.ruler()->time, (TimeRange{30'000, 120'000}));
  const QStringList facts = model.rulerFacts();
  ASSERT_EQ(facts.size(), 3);
  EXPECT_EQ(facts[0].toStdString(), "90\u00a0µs");
  EXPECT_EQ(facts[1], "from the end of gemm");
  EXPECT_EQ(facts[2], "to the start of relu");
  EXPECT_FALSE(model.selection()) << "measuring selects nothing";
  canvas.grab();
  // Backwards it is the same stretch.
  drag(Qt::ControlModifier, at(120'000, relu), at(30'000, gemm));
  EXPECT_EQ(model.ruler()->time, (TimeRange{30'000, 120'000}));
  QTest::keyClick(&canvas, Qt::Key_Escape);
  EXPECT_FALSE(model.ruler());
}

TEST_F(TimelineMarks, AKeyMeasuresFromOneSliceToTheNext) {
  model.setTraces({namedTrace()});
  model.setCurrent(TimelineModel::Place{0, found("relu")});
  QTest::keyClick(&canvas, Qt::Key_R);
  EXPECT_EQ(model.ruler()->time, (TimeRange{120'000, 130'000})) << "the slice itself";
  model.setCurrent(TimelineModel::Place{0, found("gemm")});
  QTest::keyClick(&canvas, Qt::Key_R);
  EXPECT_EQ(model.ruler()->time, (TimeRange{30'000, 120'000})) << "the time between both";
}

TEST_F(TimelineMarks, NotesAreKeptNextToTheTraceAndComeBack) {
  const QString file = open();
  model.setCurrent(TimelineModel::Place{0, found("relu")});
  QTest::keyClick(&canvas, Qt::Key_B);
  model.select(TimeRange{0, 50'000});
  QTest::keyClick(&canvas, Qt::Key_B);
  ASSERT_EQ(model.notes().of(0).size(), 2u);
  EXPECT_EQ(model.notes().of(0)[1].about, "relu");
  model.notes().setText({0, 0}, QStringLiteral("Vorwärts, \"schnell\""));
  const QString beside = file + QStringLiteral(".notes.json");
  ASSERT_TRUE(QFileInfo::exists(beside));
  EXPECT_EQ(model.notes().said(), QString());
  TimelineModel again;
  again.open(file);
  ASSERT_TRUE(QTest::qWaitFor([&] { return !again.loader().busy(); }, 20'000));
  EXPECT_EQ(again.notes().of(0), model.notes().of(0));
  again.notes().remove({0, 0});
  EXPECT_EQ(readNotes(beside.toStdString(), again.shown()[0].title).size(), 1u);
}

TEST_F(TimelineMarks, WhereNothingCanBeWrittenNotesGoToTheUsersFolderAndThatIsSaid) {
  // Not even root can create a file there.
  const std::vector<TraceNotes::Owner> owners{{QStringLiteral("/proc/version"), "trace"}};
  TraceNotes notes;
  notes.setFolder(folder.filePath("data"));
  notes.setOwners(owners);
  notes.add(0, {{5, 6}, "kept elsewhere", ""});
  EXPECT_EQ(notes.said().count(u'\n'), 0);
  EXPECT_THAT(notes.said().toStdString(),
              testing::AllOf(HasSubstr("/proc/version.notes.json"),
                             HasSubstr("the notes are in " +
                                       folder.filePath("data/notes/version-").toStdString())));
  TraceNotes again;
  again.setFolder(folder.filePath("data"));
  again.setOwners(owners);
  ASSERT_EQ(again.of(0).size(), 1u);
  EXPECT_EQ(again.of(0)[0].text, "kept elsewhere");
}

TEST_F(TimelineMarks, AFileThatHasNoNotesIsLeftAsItIs) {
  const QString file = open();
  const std::string beside = file.toStdString() + ".notes.json";
  writeFile(beside, "[1, 2]");
  model.open(file);
  ASSERT_TRUE(QTest::qWaitFor([this] { return !model.loader().busy(); }, 20'000));
  model.addNote();
  EXPECT_EQ(readFile(beside), "[1, 2]");
  EXPECT_THAT(model.notes().said().toStdString(), HasSubstr("this is not a file of notes"));
}

TEST_F(TimelineMarks, KeysGoFromNoteToNoteAndATableListsThem) {
  model.setTraces({namedTrace()});
  for (const Nanoseconds time : {120'000, 5'000, 60'000})
    model.notes().add(0, {{time, time + 1'000}, QString::number(time), ""});
  for (const Nanoseconds time : {5'000, 60'000, 120'000, 5'000}) {
    QTest::keyClick(&canvas, Qt::Key_BracketRight);
    ASSERT_TRUE(model.selection());
    EXPECT_EQ(model.selection()->from, time);
  }
  QTest::keyClick(&canvas, Qt::Key_BracketLeft);
  EXPECT_EQ(model.selection()->from, 120'000) << "around the end";
  view.figures().showNotes();
  NotesPanel& panel = view.figures().notes();
  ASSERT_TRUE(panel.isVisible());
  QAbstractItemModel& rows = *panel.table().model();
  ASSERT_EQ(rows.rowCount(), 3);
  EXPECT_EQ(rows.index(1, 0).data().toString(), "60000");
  rows.setData(rows.index(1, 0), QStringLiteral("the middle"));
  EXPECT_TRUE(QTest::qWaitFor([this] { return model.notes().of(0)[1].text == "the middle"; }));
  emit panel.table().clicked(rows.index(1, 0));
  EXPECT_EQ(model.selection()->from, 60'000);
  panel.table().setCurrentIndex(rows.index(0, 0));
  panel.removeButton().click();
  EXPECT_EQ(model.notes().of(0).size(), 2u);
  QString csv;
  QObject::connect(&panel, &NotesPanel::csvWanted,
                   [&csv](const QString&, const QString& text) { csv = text; });
  panel.csvButton().click();
  EXPECT_THAT(csv.toStdString(), HasSubstr("60000,61000,the middle"));
}

TEST_F(TimelineMarks, AClickOnAFlagShowsItsNote) {
  model.setTraces({namedTrace()});
  model.notes().add(0, {{60'000, 61'000}, "here", ""});
  const QPoint flag(int(canvas.gutter() + canvas.scale().x(60'000)) + 3, 7);
  QTest::mouseMove(canvas.viewport(), flag);
  EXPECT_EQ(canvas.hoverFacts(), QStringList("here"));
  QTest::mouseClick(canvas.viewport(), Qt::LeftButton, {}, flag);
  ASSERT_TRUE(model.selection());
  EXPECT_EQ(model.selection()->from, 60'000);
}

TEST_F(TimelineMarks, ARangeOfTheProgramLimitsTracksAndTables) {
  model.setTraces({namedTrace()});
  QComboBox& limits = view.figures().limits();
  ASSERT_TRUE(limits.isVisible());
  ASSERT_EQ(limits.count(), 3);
  const auto choose = [&](const QString& range) {
    limits.setCurrentIndex(limits.findData(range));
    emit limits.activated(limits.currentIndex());
    ASSERT_TRUE(QTest::qWaitFor([&] { return model.limit() == range; }, 20'000));
  };
  const double from = model.from(), to = model.to();
  choose(QStringLiteral("backward"));
  QAbstractItemModel& rows = *view.table().model();
  ASSERT_EQ(rows.rowCount(), 1);
  EXPECT_EQ(rows.index(0, 0).data().toString(), "relu");
  EXPECT_EQ(model.from(), from) << "the view stays";
  EXPECT_EQ(model.to(), to);
  EXPECT_EQ(found("gemm"), kNoEvent);
  EXPECT_EQ(model.shown()[0].trace->start(found("relu")), 120'000);
  // 10 of the 50 us that the range takes.
  EXPECT_THAT(view.statistics().text().toStdString(), HasSubstr("(20.0%)"));
  choose(QString());
  EXPECT_EQ(rows.rowCount(), 2);
  model.setTraces(
      {importTrace(test::sourcePath("/tests/profiler/traces/torch_2_11_h100_eager.json.gz"))});
  EXPECT_FALSE(limits.isVisible()) << "a trace without named ranges has nothing to choose";
}

TEST_F(TimelineMarks, OpeningASecondTraceComparesBoth) {
  model.setTraces({namedTrace("one")});
  const int before = view.figures().subject().currentIndex();
  model.add(namedTrace("two"));
  EXPECT_EQ(view.figures().subject().currentText(), "Two traces compared");
  EXPECT_NE(view.figures().subject().currentIndex(), before);
  view.figures().subject().setCurrentIndex(0);
  model.add(namedTrace("three"));
  EXPECT_EQ(view.figures().subject().currentIndex(), 0) << "a third one changes nothing";
}

TEST_F(TimelineMarks, RowsGrowIntoTheHeightThatIsLeft) {
  model.setTraces({namedTrace()});
  view.tablesButton().setChecked(false);
  canvas.resize(900, 700);
  test::handleEvents();
  EXPECT_GT(canvas.rowHeight(), TimelineCanvas::kRow);
  const auto bands = canvas.bands();
  EXPECT_LE(bands.back().y + canvas.rowHeight(), canvas.viewport()->height());
  EXPECT_EQ(canvas.placeAt(at(25'000, found("gemm")))->event, found("gemm"));
  canvas.resize(900, canvas.contentHeight());
  test::handleEvents();
  EXPECT_EQ(canvas.rowHeight(), TimelineCanvas::kRow);
}

TEST_F(TimelineMarks, AGapSaysBetweenWhichKernelsItIs) {
  model.setTraces({namedTrace()});
  QTest::mouseMove(canvas.viewport(), at(60'000, found("gemm")));
  ASSERT_EQ(canvas.hoverFacts().size(), 2);
  EXPECT_EQ(canvas.hoverFacts()[0].toStdString(), "idle 90.0\u202fµs");
  EXPECT_THAT(canvas.hoverFacts()[1].toStdString(),
              testing::AllOf(HasSubstr("gemm"), HasSubstr("relu")));
}

TEST_F(TimelineMarks, ASelectionClipsTheTimesOfTheTableToo) {
  model.setTraces({namedTrace()});
  model.select(TimeRange{25'000, 125'000});  // half of each kernel
  EXPECT_THAT(view.statistics().text().toStdString(), HasSubstr("busy 10.0\u202fµs"));
  QAbstractItemModel& rows = *view.table().model();
  ASSERT_EQ(rows.rowCount(), 2);
  for (int row = 0; row < 2; ++row)
    EXPECT_EQ(rows.index(row, 1).data().toString().toStdString(), "5.00\u202fµs");
}

}  // namespace
}  // namespace fusebench

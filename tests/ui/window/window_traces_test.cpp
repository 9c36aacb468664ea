// SPDX-License-Identifier: GPL-3.0-or-later
// Traces in the whole window.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QDropEvent>
#include <QLabel>
#include <QMenu>
#include <QMimeData>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>
#include <QUrl>
#include <memory>

#include "profiler/files/resources.h"
#include "profiler/run/recordings.h"
#include "profiler/trace/trace_import.h"
#include "tests/support/built_paths.h"
#include "tests/ui/synthetic.h"
#include "ui/views/anatomy/anatomy_view.h"
#include "ui/views/base/banner.h"
#include "ui/views/canvas/canvas_node_item.h"
#include "ui/views/canvas/canvas_surface.h"
#include "ui/views/canvas/canvas_view.h"
#include "ui/views/export/export_dialog.h"
#include "ui/views/export/export_fields.h"
#include "ui/views/export/figure_preview.h"
#include "ui/views/lesson/lesson_view.h"
#include "ui/views/runs/findings_view.h"
#include "ui/views/runs/results_view.h"
#include "ui/views/timeline/timeline_view.h"
#include "ui/views/window/files_controller.h"
#include "ui/views/window/main_window.h"
#include "ui/views/window/status_bar.h"
#include "ui/views/window/workbench.h"

namespace fusebench {
namespace {

const QString kTrace =
    QString::fromStdString(fusebench::test::sourcePath("/tests/profiler/traces/kineto_cpu.json"));

class WindowTraces : public testing::Test {
 protected:
  WindowTraces() {
    dialogs.openFile = [this](QWidget*, const QString&) { return toOpen; };
    dialogs.saveFile = [this](QWidget*, const QString&, const QString&) { return toSave; };
    dialogs.unsaved = [](QWidget*, const QString&) { return Dialogs::Unsaved::discard; };
    window = std::make_unique<MainWindow>(settings, test::fakeRunner(study), dialogs,
                                          folder.filePath("data"));
    window->openMainStudy();
    window->show();
  }
  void wait() {
    EXPECT_TRUE(QTest::qWaitFor(
        [this] { return !window->timeline().loader().busy() && !window->files().opening(); },
        60'000));
  }
  void click(const QString& text) {
    for (auto* button : window->workbench().view<TimelineView>().findChildren<QToolButton*>())
      if (button->text() == text) return QTest::mouseClick(button, Qt::LeftButton);
    FAIL() << text.toStdString();
  }
  QTemporaryDir folder;
  Settings settings{folder.filePath("settings.ini")};
  std::shared_ptr<test::FakeStudy> study = std::make_shared<test::FakeStudy>();
  Dialogs dialogs;
  QString toOpen, toSave;
  std::unique_ptr<MainWindow> window;
};

TEST_F(WindowTraces, OpenAsAFileAndLeaveTheExperimentAlone) {
  const Experiment before = window->document().experiment();
  EXPECT_TRUE(window->openFile(kTrace));
  EXPECT_TRUE(window->workbench().shows("timeline"));
  wait();
  ASSERT_EQ(window->timeline().shown().size(), 1u);
  EXPECT_EQ(toJson(window->document().experiment()), toJson(before));
  EXPECT_EQ(settings.recentFiles().value(0), kTrace);
}

TEST_F(WindowTraces, BesideATraceTheGuideIsAboutIt) {
  LessonView& lesson = window->workbench().view<LessonView>();
  window->workbench().showView("lesson");
  EXPECT_FALSE(lesson.toPlainText().contains("Reading a timeline"));
  ASSERT_TRUE(window->openFile(kTrace));
  wait();
  EXPECT_TRUE(lesson.toPlainText().contains("Reading a timeline"));
  // So are the findings and the status line.
  const auto headlines = [this] {
    QStringList all;
    for (auto* each : window->workbench().view<FindingsView>().findChildren<FindingEntry*>())
      all << each->finding().headline;
    return all.join(u'\n');
  };
  const StatusBar& status = *window->findChild<StatusBar*>();
  EXPECT_TRUE(headlines().contains("takes most")) << headlines().toStdString();
  EXPECT_TRUE(status.text().contains(" slices, ")) << status.text().toStdString();
  window->workbench().showView("chart");
  EXPECT_FALSE(lesson.toPlainText().contains("Reading a timeline"));
  EXPECT_FALSE(headlines().contains("takes most"));
  EXPECT_EQ(status.text(), "Ready");
}

/// A trace cannot be edited: a mark of unsaved edits next to its name would be wrong.
TEST_F(WindowTraces, TheTitleMarksEditsOnlyBesideWhatIsEdited) {
  window->document().edit("another title", {},
                          [](Experiment& experiment) { experiment.title = "Mine"; });
  EXPECT_TRUE(window->windowTitle().startsWith(QStringLiteral("• Mine")));
  ASSERT_TRUE(window->openFile(kTrace));
  wait();
  EXPECT_TRUE(window->windowTitle().startsWith(QFileInfo(kTrace).fileName()))
      << window->windowTitle().toStdString();
  window->workbench().showView("chart");
  EXPECT_TRUE(window->windowTitle().startsWith(QStringLiteral("• Mine")));
}

TEST_F(WindowTraces, AFileOfOperatorsHasTheRoomOfViewsThatHaveNothingToShow) {
  window->resize(1280, 800);
  const QString trace = QString::fromStdString(
      test::sourcePath("/tests/profiler/execution_traces/torch_2_15_mlp.json.gz"));
  Workbench& workbench = window->workbench();
  ResultsView& results = workbench.view<ResultsView>();
  EXPECT_TRUE(results.isVisible());
  ASSERT_TRUE(window->openFile(trace));
  ASSERT_TRUE(QTest::qWaitFor([&] { return !window->timeline().executionTrace().busy(); }, 60'000));
  EXPECT_FALSE(results.isVisible());
  EXPECT_TRUE(workbench.hidden(Workbench::Region::left));
  EXPECT_TRUE(workbench.hidden(Workbench::Region::right));
  // A trace with tracks has its findings at the right again.
  ASSERT_TRUE(window->openFile(kTrace));
  wait();
  EXPECT_FALSE(workbench.hidden(Workbench::Region::right));
  window->openMainStudy();
  EXPECT_FALSE(workbench.hidden(Workbench::Region::left));
}

/// One by one they would not fit into the line.
TEST_F(WindowTraces, OfManyTheStatusLineSaysHowManyAndHowLarge) {
  const std::string file = resourcePath("recordings/h100_launches.json.gz");
  ASSERT_TRUE(window->openFile(QString::fromStdString(file)));
  wait();
  ASSERT_EQ(window->timeline().shown().size(), 4u);
  EXPECT_EQ(window->status().text(), "4 traces: 2 730 slices, up to 2.36 ms");
}

/// Runs and traces alike.
TEST_F(WindowTraces, RecordedOnAGpuAreInTheMenu) {
  QMenu* menu = nullptr;
  for (QMenu* each : window->findChildren<QMenu*>())
    if (each->title() == QLatin1String("Recorded on a GPU")) menu = each;
  ASSERT_TRUE(menu);
  const auto recordings = shippedRecordings();
  ASSERT_EQ(menu->actions().size(), static_cast<qsizetype>(recordings.size()));
  for (std::size_t i = 0; i < recordings.size(); ++i) {
    const Recording& recording = recordings[i];
    QAction* action = menu->actions()[static_cast<qsizetype>(i)];
    EXPECT_EQ(action->text().toStdString(), recording.title);
    action->trigger();
    wait();
    if (recording.isRun())
      EXPECT_EQ(recording.title, window->document().experiment().title +
                                     (recording.name.starts_with("h100_") ? " · H100" : " · H200"));
    else
      EXPECT_EQ(window->timeline().shown().size(), 4u);  // one under the other
  }
}

TEST_F(WindowTraces, AreDropped) {
  QMimeData data;
  data.setUrls({QUrl::fromLocalFile(kTrace)});
  QDragEnterEvent enter(QPoint(640, 20), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
  QApplication::sendEvent(window.get(), &enter);
  QDropEvent drop(QPointF(640, 20), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
  QApplication::sendEvent(window.get(), &drop);
  EXPECT_TRUE(QTest::qWaitFor([this] { return window->timeline().shown().size() == 1; }, 10'000));
}

TEST_F(WindowTraces, ComeBelowAndGoOut) {
  window->openFile(kTrace);
  wait();
  toOpen = kTrace;
  click("Add trace to compare…");
  wait();
  EXPECT_EQ(window->timeline().shown().size(), 2u);
  toSave = folder.filePath("out.json.gz");
  click("Export…");
  auto* dialog = window->findChild<ExportDialog*>("exportDialog");
  ASSERT_TRUE(dialog);
  EXPECT_EQ(dialog->preview().figure().id, "timeline");
  ASSERT_TRUE(dialog->fields().chooseForm("trace.json.gz"));
  QSignalSpy exported(dialog, &ExportDialog::exported);
  dialog->writeTo(toSave);
  ASSERT_TRUE(exported.wait(60'000));
  dialog->close();
  const auto written = importTrace(toSave.toStdString());
  EXPECT_EQ(written->size(), 2 * window->timeline().shown()[0].trace->size());
  // Opened again it is two once more.
  window->openFile(toSave);
  wait();
  ASSERT_EQ(window->timeline().shown().size(), 2u);
  for (const auto& shown : window->timeline().shown())
    EXPECT_EQ(2 * shown.trace->size(), written->size());
}

TEST_F(WindowTraces, ThatCannotBeReadSayWhy) {
  QFile wrong(folder.filePath("wrong.json"));
  ASSERT_TRUE(wrong.open(QIODevice::WriteOnly));
  wrong.write("[1,2,3]");
  wrong.close();
  window->openFile(wrong.fileName());
  wait();
  EXPECT_THAT(window->workbench().view<TimelineView>().notice().text().toStdString(),
              testing::HasSubstr("no event of the trace can be shown: 3 malformed"));
}

/// Calls of the study's first two statements.
std::shared_ptr<const Trace> twoLaunches() {
  TraceBuilder builder("eager");
  const LaneId lane = builder.lane({Lane::Kind::host, 1, 1, "program", "main"});
  for (int i = 0; i < 2; ++i)
    builder.addLaunch({.name = i == 0 ? "add" : "sin",
                       .firstStatement = i + 1,
                       .lastStatement = i + 1,
                       .hostBegin = 100 * i,
                       .hostEnd = 100 * i + 90,
                       .start = 100 * i + 10,
                       .end = 100 * i + 80,
                       .hostLane = lane,
                       .deviceLane = lane});
  return builder.finish();
}

TEST_F(WindowTraces, AStatementOnTheCanvasAndItsLaunchesAreMarkedTogether) {
  auto run = test::syntheticRun();
  run.experiment = window->document().experiment();
  window->controller().setRun(std::move(run));
  emit window->workbench().view<AnatomyView>().timelineRequested();
  window->launches().cancel();
  const auto trace = twoLaunches();
  std::vector<EventId> kernels;
  for (EventId e = 0; e < trace->size(); ++e)
    if (trace->kind(e) == SpanKind::kernel) kernels.push_back(e);
  ASSERT_EQ(kernels.size(), 2u);

  emit window->launches().recorded({trace});
  TimelineModel& timeline = window->timeline();
  EXPECT_FALSE(timeline.following());
  emit window->workbench().view<CanvasView>().opsSelected({1});  // the second statement's
  EXPECT_FALSE(timeline.follows(0, kernels[0]));
  EXPECT_TRUE(timeline.follows(0, kernels[1]));
  emit window->workbench().view<CanvasView>().opsSelected({});
  EXPECT_FALSE(timeline.following());

  CanvasSurface& surface = window->workbench().view<CanvasView>().surface();
  const auto isMarked = [&](int op) {
    return surface.node(surface.graph().nodeOfOriginal(op)).state().marked;
  };
  timeline.setCurrent(TimelineModel::Place{0, kernels[1]});
  EXPECT_FALSE(isMarked(0));
  EXPECT_TRUE(isMarked(1));

  // Launches of another program say nothing of this one.
  window->document().setText(QStringLiteral("Edit"), {},
                             "def program(x):\n    x = x * 2\n    x = torch.cos(x)\n    return x");
  emit window->workbench().view<CanvasView>().opsSelected({1});
  EXPECT_FALSE(timeline.following());
}

}  // namespace
}  // namespace fusebench

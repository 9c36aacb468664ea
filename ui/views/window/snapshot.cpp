// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/window/snapshot.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <QApplication>
#include <QComboBox>
#include <QDir>
#include <QEventLoop>
#include <QFile>
#include <QPixmap>
#include <QTableView>
#include <QTemporaryDir>
#include <QTimer>
#include <algorithm>
#include <cstdio>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <variant>

#include "engine/base/saying.h"
#include "engine/base/standard_streams.h"
#include "profiler/course/lesson.h"
#include "profiler/files/resources.h"
#include "profiler/trace/trace_ranks.h"
#include "ui/models/base/ui_text.h"
#include "ui/models/setup/documents.h"
#include "ui/views/anatomy/anatomy_bars.h"
#include "ui/views/anatomy/anatomy_modules.h"
#include "ui/views/anatomy/anatomy_view.h"
#include "ui/views/base/banner.h"
#include "ui/views/canvas/canvas_view.h"
#include "ui/views/canvas/palette_view.h"
#include "ui/views/chart/chart_view.h"
#include "ui/views/chart/map_view.h"
#include "ui/views/code/code_pane.h"
#include "ui/views/code/generated_code_view.h"
#include "ui/views/course/course_view.h"
#include "ui/views/lesson/lesson_view.h"
#include "ui/views/runs/compare_view.h"
#include "ui/views/runs/findings_view.h"
#include "ui/views/runs/results_view.h"
#include "ui/views/runs/runs_view.h"
#include "ui/views/scatter/scatter_view.h"
#include "ui/views/setup/inspector.h"
#include "ui/views/storages/storage_view.h"
#include "ui/views/timeline/file_panel.h"
#include "ui/views/timeline/operators_panel.h"
#include "ui/views/timeline/query_panel.h"
#include "ui/views/timeline/timeline_view.h"
#include "ui/views/whatif/what_if_view.h"
#include "ui/views/window/main_window.h"
#include "ui/views/window/workbench.h"

namespace fusebench {
namespace {

constexpr QSize kSnapshotUsualSize(1280, 800);
constexpr QSize kLargeSize(2560, 1440), kSmallSize(960, 600);

/// Takes the pictures and remembers whether all could be written.
class Photographer {
 public:
  Photographer(QDir folder, MainWindow& window) : folder_(std::move(folder)), window_(window) {}

  void take(const QString& name, QWidget& widget, const QString& theme) {
    for (const int scale : {1, 2}) {
      window_.workbench().view<ChartView>().setPixelRatio(scale);
      QPixmap picture(widget.size() * scale);
      picture.setDevicePixelRatio(scale);
      widget.render(&picture);
      const QString file = QStringLiteral("%1-%2%3.png")
                               .arg(name, theme, scale == 1 ? QString() : QStringLiteral("@2x"));
      if (!picture.save(folder_.filePath(file))) {
        putError(fmt::format("fusebench: {}\n",
                             saying("cannot write {}", folder_.filePath(file).toStdString())));
        good_ = false;
      }
    }
    window_.workbench().view<ChartView>().setPixelRatio(1);
  }
  bool good() const { return good_; }

 private:
  QDir folder_;
  MainWindow& window_;
  bool good_ = true;
};

void settle() {
  for (int i = 0; i < 5; ++i) QApplication::processEvents(QEventLoop::AllEvents, 20);
}

template <typename Done>
void waitFor(Done&& done) {
  QEventLoop loop;
  QTimer look;
  QObject::connect(&look, &QTimer::timeout, &loop, [&] {
    if (done()) loop.quit();
  });
  look.start(20);
  if (!done()) loop.exec();
}

/// The modules of a captured model by their time, where a call of one was recorded.
void takeModules(Photographer& photographer, Workbench& views, const QString& theme) {
  AnatomyView& anatomy = views.view<AnatomyView>();
  views.showView(QStringLiteral("anatomy"));
  settle();
  if (!anatomy.modulesButton().isVisibleTo(&anatomy)) return;
  anatomy.modulesButton().setChecked(true);
  waitFor([&] { return !anatomy.modules().busy(); });
  settle();
  photographer.take(QStringLiteral("anatomy-modules"), anatomy, theme);
  anatomy.modulesButton().setChecked(false);
}

/// Takes the pictures of the main study, in one theme at a time.
void takeStudy(Photographer& photographer, MainWindow& window, Settings& settings, bool dark) {
  const QString theme = dark ? QStringLiteral("dark") : QStringLiteral("light");
  Workbench& views = window.workbench();
  settings.setDark(dark);
  settings.setShowPublished(false);
  views.view<ResultsView>().table().scrollToTop();
  const auto part = [&](const char* key, QWidget& widget) {
    views.showView(QLatin1String(key));
    settle();
    photographer.take(QLatin1String(key), widget, theme);
  };
  views.showView(QStringLiteral("findings"));
  settle();
  photographer.take(QStringLiteral("window"), window, theme);
  part("canvas", views.view<CanvasView>());
  part("palette", views.view<PaletteView>());
  part("code", views.view<CodePane>());
  part("chart", views.view<ChartView>());
  part("results", views.view<ResultsView>());
  part("findings", views.view<FindingsView>());
  part("setup", views.view<Inspector>());
  part("runs", views.view<RunsView>());
  views.showView(QStringLiteral("generated"));
  waitFor([&] { return window.generated().state() != GeneratedCodeModel::State::loading; });
  part("generated", views.view<GeneratedCodeView>());
  views.showView(QStringLiteral("memory"));
  waitFor([&] { return views.view<StorageView>().settled(); });
  part("memory", views.view<StorageView>());
  part("anatomy", views.view<AnatomyView>());
  views.view<AnatomyView>().bars().setOpen(0, true);
  part("anatomy-launches", views.view<AnatomyView>());
  views.view<AnatomyView>().bars().setOpen(0, false);
  takeModules(photographer, views, theme);
  if (window.timeline().empty() && !views.view<AnatomyView>().model().cells().empty()) {
    window.launches().start(window.runModel().run()->experiment,
                            views.view<AnatomyView>().model().cells());
    waitFor([&] { return !window.launches().busy(); });
    settle();
  }
  part("timeline", views.view<TimelineView>());
  views.showView(QStringLiteral("whatif"));
  const WhatIfModel& whatIf = views.view<WhatIfView>().model();
  waitFor([&] { return !whatIf.busy() && whatIf.run().run(); });
  part("whatif", views.view<WhatIfView>());
  part("scatter", views.view<ScatterView>());
  part("compare", views.view<CompareView>());
  part("course", views.view<CourseView>());
  part("lesson", views.view<LessonView>());
  views.showView(QStringLiteral("chart"));
  for (int variant = 0; variant < 2; ++variant) {
    views.view<CanvasView>().setAnimated(false);
    views.view<CanvasView>().setVariant(variant);
    settle();
    photographer.take(QStringLiteral("kernels-%1").arg(variant == 0 ? "eager" : "fused"),
                      views.view<CanvasView>(), theme);
  }
  const Metric before = views.view<ChartView>().metric();
  for (const Metric metric : kMetrics) {
    views.view<ChartView>().setMetric(metric);
    settle();
    const QString name = viewName(metric, ShownTime::wall);
    photographer.take(QStringLiteral("chart-") + name, views.view<ChartView>(), theme);
  }
  views.view<ChartView>().setMetric(before);
  settings.setShowPublished(true);
  settle();
  photographer.take(QStringLiteral("published"), views.view<ChartView>(), theme);
  settings.setShowPublished(false);
  views.showView(QStringLiteral("setup"));
  window.resize(kLargeSize);
  settle();
  photographer.take(QStringLiteral("large"), window, theme);
  window.resize(kSmallSize);
  settle();
  photographer.take(QStringLiteral("small"), window, theme);
  window.resize(kSnapshotUsualSize);
  views.showView(QStringLiteral("lesson"));
  settle();
}

Dialogs silentDialogs() {
  Dialogs silent;
  silent.openFile = [](QWidget*, const QString&) { return QString(); };
  silent.saveFile = [](QWidget*, const QString&, const QString&) { return QString(); };
  silent.unsaved = [](QWidget*, const QString&) { return Dialogs::Unsaved::discard; };
  return silent;
}

/// Shows a run from a file, or measures what is shown. False if there is nothing to show.
bool fill(MainWindow& window, std::optional<Run> run) {
  waitFor([&] { return !window.document().reading(); });  // a large program takes a moment
  if (!run && !window.document().runnable()) {
    putError(fmt::format("fusebench: {}\n",
                         saying("this experiment cannot be run: {}",
                                window.document().problems().front().text.toStdString())));
    return false;
  }
  if (run) {
    window.document().load(run->experiment, {});
    window.library().add(std::make_shared<const Run>(*run));
    window.controller().setRun(std::move(*run));
  } else {
    window.controller().setExperiment(window.document().experiment());
    window.controller().start(true);
  }
  waitFor([&] { return !window.controller().busy(); });
  waitFor([&] { return window.analysisModel().upToDate(); });
  waitFor([&] { return !window.library().busy(); });
  const CanvasView& canvas = window.workbench().view<CanvasView>();
  waitFor([&] { return !window.document().reading() && !canvas.planning(); });
  if (window.controller().state() != StudyController::State::failed) return true;
  putError(fmt::format("fusebench: {}\n", window.controller().message().toStdString()));
  return window.runModel().run() != nullptr;
}

/// The run or the experiment of a file, or a shipped experiment by its name. Throws InputError.
Document given(const QString& file) {
  if (!QFile::exists(file)) {
    const std::string name = file.toStdString();
    const std::string stem = name.ends_with(".json") ? name.substr(0, name.size() - 5) : name;
    const auto shipped = shippedExperiments();
    if (std::ranges::find(shipped, stem) == shipped.end())
      throw InputError(
          saying("{}: no such file; shipped experiments: {}", name, fmt::join(shipped, ", ")));
    return openDocument(QString::fromStdString(resourcePath("experiments/" + stem + ".json")));
  }
  return openDocument(file);
}

/// The last two runs of the library side by side: the same study, measured twice.
void compareWithItself(MainWindow& window) {
  if (const Run* run = window.runModel().run())
    window.workbench().view<CompareView>().setRuns(
        {{uiText("this run"), std::make_shared<const Run>(*run)},
         {uiText("the same run"), std::make_shared<const Run>(*run)}});
}

void takeMap(Photographer& photographer, MainWindow& window, Settings& settings) {
  window.workbench().showView(QStringLiteral("map"));
  for (const bool dark : {true, false}) {
    settings.setDark(dark);
    settle();
    const QString theme = dark ? QStringLiteral("dark") : QStringLiteral("light");
    photographer.take(QStringLiteral("map"), window.workbench().view<MapView>(), theme);
    photographer.take(QStringLiteral("window-map"), window, theme);
  }
}

/// A captured model as it opens on the canvas, with the shares of a recorded call. False if it
/// could not be measured.
bool takeCaptured(Photographer& photographer, MainWindow& window, Settings& settings) {
  window.document().load(course::shippedLesson("own-model", "en").experiment, {});
  if (!fill(window, std::nullopt)) return false;
  Workbench& views = window.workbench();
  for (const bool dark : {true, false}) {
    settings.setDark(dark);
    const QString theme = dark ? QStringLiteral("dark") : QStringLiteral("light");
    views.showView(QStringLiteral("findings"));
    settle();
    photographer.take(QStringLiteral("captured"), views.view<CanvasView>(), theme);
    photographer.take(QStringLiteral("window-captured"), window, theme);
    takeModules(photographer, views, theme);
  }
  return true;
}

/// Both themes of a widget.
void takeBoth(Photographer& photographer, Settings& settings, const char* name, QWidget& widget) {
  for (const bool dark : {true, false}) {
    settings.setDark(dark);
    settle();
    photographer.take(QLatin1String(name), widget,
                      dark ? QStringLiteral("dark") : QStringLiteral("light"));
  }
}

/// A file that is a table alone: an execution trace, a compile log.
int takeTable(Photographer& photographer, MainWindow& window, Settings& settings,
              const QString& file) {
  window.openFile(file);
  TimelineFigures& figures = window.workbench().view<TimelineView>().figures();
  waitFor([&] { return figures.filePanel() && !figures.filePanel()->isReading(); });
  waitFor([&] { return window.timeline().empty() || !window.timeline().summaries().empty(); });
  settle();
  takeBoth(photographer, settings, "window-table", window);
  window.resize(kLargeSize);
  takeBoth(photographer, settings, "large-table", window);
  return photographer.good() ? 0 : 1;
}

/// A trace in place of a run: its timeline, from far and from near, alone and in the window.
int takeTrace(Photographer& photographer, MainWindow& window, Settings& settings,
              const QString& file) {
  TimelineModel& timeline = window.timeline();
  window.openFile(file);
  waitFor([&] { return !timeline.loader().busy() && !timeline.memory().busy(); });
  if (!timeline.failure().isEmpty()) {
    putError(fmt::format("{}\n", timeline.failure().toStdString()));
    return 2;
  }
  waitFor([&] { return !timeline.summaries().empty(); });
  const auto both = [&](const char* name, QWidget& widget) {
    takeBoth(photographer, settings, name, widget);
  };
  both("timeline", window.workbench().view<TimelineView>());
  both("window-timeline", window);
  QComboBox& subject = window.workbench().view<TimelineView>().figures().subject();
  QComboBox& form = window.workbench().view<TimelineView>().figures().operators().form();
  subject.setCurrentIndex(subject.findText(uiText("Time by operator")));
  for (const auto& [name, index] : {std::pair("window-operators", 0),
                                    {"window-operator-calls", 1},
                                    {"window-operator-callers", 2}}) {
    form.setCurrentIndex(index);
    both(name, window);
  }
  subject.setCurrentIndex(subject.findText(uiText("Roofline")));
  both("window-roofline", window);
  subject.setCurrentIndex(subject.findText(uiText("Collectives")));
  both("window-collectives", window);
  timeline.search(QStringLiteral("aten"));
  window.workbench().view<TimelineView>().figures().showMatches();
  both("window-matches", window);
  timeline.search({});
  subject.setCurrentIndex(subject.findText(uiText("Query (SQL)")));
  QueryPanel& query = window.workbench().view<TimelineView>().figures().query();
  query.runButton().click();
  waitFor([&] { return !query.query().busy(); });
  both("window-query", window);
  subject.setCurrentIndex(0);
  const auto length = double(timeline.length());
  timeline.setView(0.3 * length, 0.36 * length);
  timeline.select(TimeRange{Nanoseconds(0.32 * length), Nanoseconds(0.35 * length)});
  both("timeline-near", window.workbench().view<TimelineView>());
  // The same one under the other: how a second one is laid out.
  timeline.add(timeline.shown().front().trace);
  window.resize(kLargeSize);
  both("large-timeline", window);
  for (const auto& [name, index] :
       {std::pair("large-timeline-time", 1), {"large-timeline-savings", 2}}) {
    subject.setCurrentIndex(index);
    both(name, window);
  }
  subject.setCurrentIndex(0);
  return photographer.good() ? 0 : 1;
}

}  // namespace

int takeSnapshots(const QString& folder, const QString& file, const StudyRunner& runner,
                  const StudyOptions& options) {
  if (!QDir().mkpath(folder)) {
    putError(
        fmt::format("fusebench: {}\n", saying("cannot make the folder {}", folder.toStdString())));
    return 1;
  }
  std::optional<Run> run;
  std::optional<Experiment> experiment;
  const bool table = !file.isEmpty() &&
                     (ExecutionTraceModel::isExecutionTrace(file) || CompileLogModel::isLog(file));
  const bool trace = !file.isEmpty() && !table && opensAsTrace(file.toStdString());
  if (!file.isEmpty() && !trace && !table) try {
      Document document = given(file);
      if (auto* found = std::get_if<Run>(&document)) run = std::move(*found);
      if (auto* found = std::get_if<Experiment>(&document)) experiment = std::move(*found);
    } catch (const std::exception& error) {
      putError(fmt::format(
          "fusebench: {}\n",
          saying("{} (--snapshot draws a run, an experiment or a trace)", error.what())));
      return 2;
    }
  QTemporaryDir scratch;
  Settings settings(scratch.filePath(QStringLiteral("settings.ini")));
  settings.setExplore(false);  // only what is asked for is measured
  MainWindow window(settings, runner, silentDialogs(), scratch.path());
  // Code and launches are of the device that the run was measured on.
  window.setOptions(run && options.device == "cpu" ? onDevice(options, run->device) : options);
  window.resize(kSnapshotUsualSize);
  window.show();
  window.workbench().view<ChartView>().setStill(true);
  if (!window.openMainStudy()) {
    putError(fmt::format("{}\n", window.banner().text().toStdString()));
    return 1;
  }
  Photographer photographer(QDir(folder), window);
  if (table) return takeTable(photographer, window, settings, file);
  if (trace) return takeTrace(photographer, window, settings, file);
  if (experiment) window.document().load(*experiment, {});
  for (const bool dark : {true, false}) {
    settings.setDark(dark);
    settle();
    const QString theme = dark ? QStringLiteral("dark") : QStringLiteral("light");
    photographer.take(QStringLiteral("empty"), window, theme);
  }
  if (!fill(window, std::move(run))) return 1;
  const bool twoAxes = window.runModel().run()->experiment.axes.size() > 1;
  const bool failed = window.controller().state() == StudyController::State::failed;
  compareWithItself(window);
  for (const bool dark : {true, false}) takeStudy(photographer, window, settings, dark);
  if (!twoAxes && file.isEmpty() && !failed) {
    window.openFile(QString::fromStdString(resourcePath("experiments/fusion_map.json")));
    if (!fill(window, std::nullopt)) return 1;
  }
  takeMap(photographer, window, settings);
  if (file.isEmpty() && !failed && !takeCaptured(photographer, window, settings)) return 1;
  return failed || !photographer.good() ? 1 : 0;
}

}  // namespace fusebench

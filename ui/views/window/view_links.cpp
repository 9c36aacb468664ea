// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/window/view_links.h"

#include <QAction>
#include <QComboBox>
#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "profiler/machine/backend_table.h"
#include "ui/models/base/ui_text.h"
#include "ui/models/canvas/recorded_times.h"
#include "ui/models/chart/chart_cursor.h"
#include "ui/models/code/variant_code.h"
#include "ui/models/setup/axis_choice.h"
#include "ui/models/setup/documents.h"
#include "ui/models/window/trace_findings.h"
#include "ui/views/anatomy/anatomy_modules.h"
#include "ui/views/anatomy/anatomy_view.h"
#include "ui/views/canvas/canvas_view.h"
#include "ui/views/canvas/palette_popup.h"
#include "ui/views/canvas/palette_view.h"
#include "ui/views/chart/chart_choices.h"
#include "ui/views/chart/chart_view.h"
#include "ui/views/chart/map_view.h"
#include "ui/views/code/code_pane.h"
#include "ui/views/code/generated_code_view.h"
#include "ui/views/lesson/lesson_view.h"
#include "ui/views/runs/compare_view.h"
#include "ui/views/runs/findings_view.h"
#include "ui/views/runs/results_view.h"
#include "ui/views/runs/runs_view.h"
#include "ui/views/scatter/scatter_view.h"
#include "ui/views/setup/inspector.h"
#include "ui/views/setup/inspector_device.h"
#include "ui/views/setup/inspector_sites.h"
#include "ui/views/timeline/memory_panel.h"
#include "ui/views/timeline/notes_panel.h"
#include "ui/views/timeline/query_panel.h"
#include "ui/views/timeline/timeline_view.h"
#include "ui/views/whatif/what_if_view.h"

namespace fusebench {
namespace {

/// Adds the second axis that a map needs; the inputs follow it, and a message reports that.
void sweepSecondAxis(WindowModels& models, Workbench& views) {
  const Experiment before = models.document.experiment();
  if (before.axes.size() != 1) return;
  const std::string axis = secondAxisFor(before);
  models.document.edit(uiText("Sweep %1, too").arg(QString::fromStdString(axis)), {},
                       [&](Experiment& experiment) { addAxisNamed(experiment, axis); });
  views.showView(QStringLiteral("setup"));
  const QString inputs = followersOf(models.document.experiment(), axis);
  if (axis == "statements" || inputs.isEmpty()) return;
  models.messages.say(
      Tone::info,
      uiText("The inputs follow the axis %1: %2.").arg(QString::fromStdString(axis), inputs),
      uiText("Undo"), Remedy::undo);
}

/// Shows the curve that a cell of the map is on, and the cell's place on it.
void openSlice(WindowModels& models, Workbench& views, std::size_t x, std::size_t y) {
  const Run* run = models.run.run();
  if (!run || run->experiment.axes.size() < 2) return;
  models.place.setSlice(y);
  views.showView(QStringLiteral("chart"), true);
  models.place.pin(static_cast<double>(run->experiment.axes[0].values.at(x)));
}

}  // namespace

void linkCanvas(CanvasView& view, WindowParts& parts) {
  WindowModels& models = parts.models;
  view.sharePalette(models.palette);
  QObject::connect(&view, &CanvasView::opsSelected, &parts.launches, &LaunchesController::follow);
  QObject::connect(&parts.launches, &LaunchesController::opsPicked, &view, &CanvasView::markOps);
  QObject::connect(&view, &CanvasView::shownStatementsRefused, &models.place,
                   [&models] { models.place.pin(std::nullopt); });
  QObject::connect(&view, &CanvasView::partWanted, &parts.files, &FilesController::openPart);
  view.setDevice(models.devices.device());
  QObject::connect(&models.devices, &DevicesModel::chosenChanged, &view,
                   [&models, &view] { view.setDevice(models.devices.device()); });
  view.timesOf = [&models](int variant) {
    return recordedTimes(models.run.run(), models.document.experiment(), variant);
  };
  for (const auto signal : {&RunModel::runReset, &RunModel::completed})
    QObject::connect(&models.run, signal, &view, &CanvasView::refreshTimes);
  QObject::connect(&models.run, &RunModel::cellsChanged, &view, &CanvasView::refreshTimes);
}

void linkCode(CodePane& view, WindowParts& parts) {
  CanvasView& canvas = parts.views.view<CanvasView>();
  // The selected ops are the same on the canvas, in the text and in the generated code.
  QObject::connect(&canvas, &CanvasView::opsSelected, &view, &CodePane::markOps);
  QObject::connect(&view, &CodePane::opsPicked, &canvas, &CanvasView::markOps);
  QObject::connect(&parts.keeper, &DocumentKeeper::commitWanted, &view, &CodePane::commit);
  QObject::connect(&parts.runs, &RunsController::problemShown, &view,
                   [&view, &views = parts.views](const Problem& problem) {
                     if (problem.where != Problem::Where::program) return;
                     views.showView(QStringLiteral("code"));
                     view.goTo(problem.place.line, problem.place.column);
                   });
}

void linkPalette(PaletteView& view, WindowParts& parts) {
  QObject::connect(&view, &PaletteView::opChosen, &parts.views.view<CanvasView>(),
                   &CanvasView::appendOp);
  const auto showText = [&views = parts.views] { views.showView(QStringLiteral("code"), true); };
  QObject::connect(&view, &PaletteView::textWanted, &parts.views, showText);
  PalettePopup& popup = parts.views.view<CanvasView>().popup();
  QObject::connect(&popup.view(), &PaletteView::textWanted, &parts.views, [&popup, showText] {
    popup.hide();
    showText();
  });
  WindowModels& models = parts.models;
  QObject::connect(&models.palette, &PaletteModel::recentChanged, &view,
                   [&models] { models.settings.setRecentOps(models.palette.recent()); });
}

namespace {

/// Takes the step that the button of an empty picture offers.
void takeStep(NextStep step, WindowParts& parts) {
  switch (step) {
    case NextStep::run:
      return parts.actions.run->trigger();
    case NextStep::choosePython:
      return parts.actions.python->trigger();
    case NextStep::setUp:
      return parts.views.showView(QStringLiteral("setup"), true);
  }
}

}  // namespace

void linkChart(ChartView& view, WindowParts& parts) {
  WindowModels& models = parts.models;
  QObject::connect(&view, &ChartView::stepRequested, &parts.views,
                   [parts](NextStep step) mutable { takeStep(step, parts); });
  QObject::connect(&view, &ChartView::runRequested, &parts.runs, &RunsController::run);
  // The button that was pressed is about to be disabled.
  QObject::connect(&parts.runs, &RunsController::begun, &view, [&view] { view.setFocus(); });
  QObject::connect(&models.study, &StudyController::stateChanged, &view,
                   [&] { view.setBusy(models.study.busy()); });
  QObject::connect(&parts.runs, &RunsController::overlaysChanged, &view, &ChartView::setOverlays);

  ShownPlace& place = models.place;
  QObject::connect(&view, &ChartView::hovered, &place,
                   [&place](double x) { place.mark(x, false); });
  QObject::connect(&view, &ChartView::picked, &place, &ShownPlace::toggle);
  QObject::connect(&place, &ShownPlace::pinChanged, &view, &ChartView::setPin);
  QObject::connect(&place, &ShownPlace::marked, &view, &ChartView::setCursor);
  QObject::connect(&place, &ShownPlace::sliceChanged, &view, &ChartView::setSlice);

  Settings& settings = models.settings;
  ChartChoices& choices = parts.views.view<ChartChoices>();
  QObject::connect(&place, &ShownPlace::sliceChanged, &choices, &ChartChoices::setSlice);
  QObject::connect(&choices, &ChartChoices::sliceChosen, &place, &ShownPlace::setSlice);
  QObject::connect(&choices, &ChartChoices::publishedChosen, &settings,
                   &Settings::setShowPublished);
  QObject::connect(&view, &ChartView::logLatencyChanged, &settings, &Settings::setLogLatency);
  const auto apply = [&view, &choices, &settings] {
    view.setQuick(settings.quick());
    view.setLogLatency(settings.logLatency());
    view.setShowPublished(settings.showPublished());
    choices.setShowPublished(settings.showPublished());
  };
  QObject::connect(&settings, &Settings::changed, &view, apply);
  apply();

  // Shows the metric that an experiment asks for; one that asks for none resets it to latency.
  const auto open = [&view, &models, asked = false]() mutable {
    const Metric first = firstShown(models.document.experiment());
    if (first != Metric::latency || asked) view.setMetric(first);
    asked = first != Metric::latency;
  };
  QObject::connect(&models.document, &DocumentModel::loaded, &view, open);

  // The canvas shows the program at the point where the cursor is.
  CanvasView& canvas = parts.views.view<CanvasView>();
  const auto show = [&models, &view, &canvas] {
    canvas.setShownStatements(
        statementsAt(models.place.experiment(), models.document.experiment(), view.cursorValue()));
  };
  QObject::connect(&place, &ShownPlace::marked, &view, show);
  QObject::connect(&models.document, &DocumentModel::changed, &view, show);
  show();
}

void linkMap(MapView& view, WindowParts& parts) {
  QObject::connect(&view, &MapView::stepRequested, &parts.views,
                   [parts](NextStep step) mutable { takeStep(step, parts); });
  WindowModels& models = parts.models;
  Workbench& views = parts.views;
  QObject::connect(&view, &MapView::cellPicked, &views,
                   [&](std::size_t x, std::size_t y) { openSlice(models, views, x, y); });
  QObject::connect(&view, &MapView::secondAxisRequested, &views,
                   [&] { sweepSecondAxis(models, views); });
  const auto show = [&view, &models] { view.setExperiment(&models.document.experiment()); };
  QObject::connect(&models.document, &DocumentModel::changed, &view, show);
  show();
}

void linkAnatomy(AnatomyView& view, WindowParts& parts) {
  QObject::connect(&view, &AnatomyView::timelineRequested, &parts.launches,
                   [&view, &launches = parts.launches] { launches.record(view.model().cells()); });
  QObject::connect(&view, &AnatomyView::runRequested, &parts.runs, &RunsController::run);
  QObject::connect(&parts.models.launches, &LaunchRecording::busyChanged, &view,
                   &AnatomyView::setRecording);
  QObject::connect(&parts.models.place, &ShownPlace::sliceChanged, &view.model(),
                   &AnatomyModel::setSlice);
  QObject::connect(&view.modules(), &AnatomyModules::moduleChosen, &parts.views,
                   [&views = parts.views](const QString& path) {
                     views.showView(QStringLiteral("canvas"));
                     views.view<CanvasView>().showModule(path);
                   });
}

void linkScatter(ScatterView& view, WindowParts& parts) {
  QObject::connect(&parts.models.place, &ShownPlace::sliceChanged, &view, &ScatterView::setSlice);
}

void linkWhatIf(WhatIfView& view, WindowParts& parts) {
  WindowModels& models = parts.models;
  const auto take = [&models, &view] {
    // The chart shows the question of the open experiment, even if it cannot run.
    models.whatIf.setExperiment(models.document.experiment());
    if (!models.document.runnable()) {
      const auto& problems = models.document.problems();
      models.whatIf.clear(uiText("This cannot be run yet: %1")
                              .arg(problems.empty() ? QString() : problems.front().text));
    }
    view.chart().setExperiment(&models.whatIf.experiment(), nullptr);
  };
  QObject::connect(&models.document, &DocumentModel::loaded, &view,
                   [&models] { models.whatIf.clear(); });
  QObject::connect(&models.document, &DocumentModel::changed, &view, take);
  take();
  // Overlays the measured run on the simulated one.
  const auto beside = [&models, &view] { view.setMeasured(models.run.shared()); };
  QObject::connect(&models.run, &RunModel::runReset, &view, beside);
  QObject::connect(&models.run, &RunModel::completed, &view, beside);
  beside();
  ShownPlace& place = models.place;
  QObject::connect(&place, &ShownPlace::sliceChanged, &view.chart(), &ChartView::setSlice);
}

void linkTimeline(TimelineView& view, WindowParts& parts) {
  QObject::connect(&view, &TimelineView::openRequested, &parts.launches,
                   [&keeper = parts.keeper, &launches = parts.launches](bool below) {
                     if (const QString path = keeper.askForFile(); !path.isEmpty())
                       launches.open(path, below);
                   });
  QObject::connect(&view, &TimelineView::exportRequested, &parts.exporter,
                   &Exporter::exportTimeline);
  QObject::connect(
      &view, &TimelineView::ownTableChanged, &parts.views,
      [&views = parts.views](bool own) { views.setOwnTable(QStringLiteral("timeline"), own); });
  // A file of its own is read, and its table comes into sight.
  const auto link = [&](auto given, auto& model, void (TimelineFigures::*show)()) {
    QObject::connect(&parts.files, given, &view,
                     [&view, &views = parts.views, &model, show](const QString& path) {
                       model.open(path);
                       views.showView(QStringLiteral("timeline"));
                       if (!view.tablesButton().isChecked()) view.tablesButton().click();
                       (view.figures().*show)();
                     });
  };
  // A snapshot of memory is of another file then.
  QObject::connect(&parts.files, &FilesController::traceGiven, &view, [&figures = view.figures()] {
    if (figures.panel() == &figures.memory()) figures.subject().setCurrentIndex(0);
  });
  TimelineModel& timeline = parts.models.timeline;
  ExecutionTraceModel& operators = timeline.executionTrace();
  link(&FilesController::compileLogGiven, timeline.compileLogs(), &TimelineFigures::showCompileLog);
  link(&FilesController::executionTraceGiven, operators, &TimelineFigures::showExecutionTrace);
  link(&FilesController::memorySnapshotGiven, timeline.memory(), &TimelineFigures::showMemory);
  QObject::connect(&operators, &ExecutionTraceModel::made, &parts.files,
                   &FilesController::openMade);
  QObject::connect(
      &operators, &ExecutionTraceModel::refused, &parts.files,
      [&messages = parts.models.messages](const QString& why) { messages.say(Tone::error, why); });
  QueryPanel& query = view.figures().query();
  query.setKept(parts.models.settings.keptQueries());
  QObject::connect(&query, &QueryPanel::keptChanged, &view,
                   [&settings = parts.models.settings](const QStringList& queries) {
                     settings.setKeptQueries(queries);
                   });
  QObject::connect(&query, &QueryPanel::csvWanted, &parts.exporter, &Exporter::saveTable);
  QObject::connect(&view.figures().notes(), &NotesPanel::csvWanted, &parts.exporter,
                   &Exporter::saveTable);
  QObject::connect(&view, &TimelineView::recordRequested, &parts.launches,
                   &LaunchesController::recordChain);
  QObject::connect(&parts.models.launches, &LaunchRecording::busyChanged, &view,
                   &TimelineView::setRecording);
  QObject::connect(&parts.launches, &LaunchesController::filled, &view,
                   [&view] { view.setFocus(); });
}

void linkGenerated(GeneratedCodeView& view, WindowParts& parts) {
  CanvasView& canvas = parts.views.view<CanvasView>();
  QObject::connect(&canvas, &CanvasView::opsSelected, &view, &GeneratedCodeView::markOps);
  QObject::connect(&view, &GeneratedCodeView::opsPicked, &canvas, &CanvasView::markOps);
  QObject::connect(&view, &GeneratedCodeView::saveWanted, &parts.exporter, &Exporter::saveListing);
  // The program's own lines have the colors of their statements while the code is in sight.
  CodePane& source = parts.views.view<CodePane>();
  const auto color = [&source, &views = parts.views] {
    source.colorStatements(views.shows(QStringLiteral("generated")));
  };
  QObject::connect(&parts.views, &Workbench::middleChanged, &source, color);
  color();
  QObject::connect(&canvas, &CanvasView::variantChanged, &view, &GeneratedCodeView::followVariant);
  QObject::connect(&parts.models.place, &ShownPlace::arrived, &view,
                   &GeneratedCodeView::followPlace);
  WindowModels& models = parts.models;
  const auto follow = [&view, &models] {
    const Run* const run = models.run.run();
    const bool here = std::ranges::any_of(models.devices.devices(), [](const auto& device) {
      return device.usable() && namesGpu(device.name);
    });
    view.followRecording(run && !here ? recordedArchitecture(*run) : QString());
  };
  QObject::connect(&models.run, &RunModel::runReset, &view, follow);
  QObject::connect(&models.devices, &DevicesModel::changed, &view, follow);
}

void linkCompare(CompareView& view, WindowParts& parts) {
  QObject::connect(&parts.runs, &RunsController::compared, &view, &CompareView::setRuns);
  QObject::connect(&parts.runs, &RunsController::compared, &view,
                   [&views = parts.views](const std::vector<NamedRun>& runs) {
                     views.setOwnTable(QStringLiteral("compare"), runs.size() > 1);
                   });
  QObject::connect(&view, &CompareView::runsWanted, &parts.views,
                   [&views = parts.views] { views.showView(QStringLiteral("runs"), true); });
  QObject::connect(&view, &CompareView::exportRequested, &parts.exporter,
                   &Exporter::exportComparison);
}

void linkResults(ResultsView& view, WindowParts& parts) {
  view.table().addAction(parts.actions.exportRun);
  QObject::connect(&view, &ResultsView::picked, &parts.models.place, &ShownPlace::toggle);
  QObject::connect(&parts.models.place, &ShownPlace::marked, &view, &ResultsView::mark);
}

void linkLesson(LessonView& view, WindowParts& parts) {
  DocumentModel& document = parts.models.document;
  Workbench& views = parts.views;
  TimelineModel& timeline = parts.models.timeline;
  const auto show = [&view, &document, &views, &timeline] {
    const bool trace = views.shows(QStringLiteral("timeline")) && !timeline.empty();
    view.setLesson(trace ? timelineLesson() : lessonFor(document.experiment()));
  };
  QObject::connect(&document, &DocumentModel::changed, &view, show);
  // While a trace is shown, the lesson is about traces.
  QObject::connect(&views, &Workbench::middleChanged, &view, show);
  QObject::connect(&timeline, &TimelineModel::tracesChanged, &view, show);
  show();
}

void linkFindings(FindingsView& view, WindowParts& parts) {
  // While a trace is shown, the findings are about it.
  TimelineModel& timeline = parts.models.timeline;
  const auto show = [&view, &timeline, &views = parts.views] {
    const bool trace = views.shows(QStringLiteral("timeline")) && !timeline.empty();
    view.showInstead(trace ? std::optional(traceFindings(timeline)) : std::nullopt);
  };
  QObject::connect(&parts.views, &Workbench::middleChanged, &view, show);
  QObject::connect(&timeline, &TimelineModel::tracesChanged, &view, show);
  QObject::connect(&timeline, &TimelineModel::selectionChanged, &view, [&timeline, show] {
    if (!timeline.selection()) show();  // findings are about the whole trace
  });
  QObject::connect(&view, &FindingsView::timePicked, &timeline, &TimelineModel::showTime);
  show();
  QObject::connect(
      &view, &FindingsView::picked, &parts.views, [&views = parts.views](const Target& target) {
        views.showView(target.anatomy ? QStringLiteral("anatomy") : QStringLiteral("chart"));
        if (!target.anatomy) return views.view<ChartView>().goTo(target);
        if (target.x) views.view<AnatomyView>().model().goTo(*target.x);
      });
}

void linkSetup(Inspector& view, WindowParts& parts) {
  CanvasView& canvas = parts.views.view<CanvasView>();
  QObject::connect(&canvas, &CanvasView::shapeWanted, &view,
                   [&view, &canvas, &views = parts.views,
                    &document = parts.models.document](const QString& input) {
                     views.showView(QStringLiteral("setup"));
                     const auto& variants = document.experiment().variants;
                     const auto shown = static_cast<std::size_t>(std::max(canvas.variant(), 0));
                     view.showShape(input, shown < variants.size()
                                               ? QString::fromStdString(variants[shown].inputs)
                                               : QString());
                   });
  QObject::connect(&view, &Inspector::pythonWanted, parts.actions.python, &QAction::trigger);
  InspectorSites& sites = view.device().sites();
  QObject::connect(&sites, &InspectorSites::startWanted, &parts.sites, &SitesController::start);
  QObject::connect(&sites, &InspectorSites::stopWanted, &parts.sites, &SitesController::stop);
  QObject::connect(&parts.runs, &RunsController::problemShown, &view,
                   [&view, &views = parts.views](const Problem& problem) {
                     if (problem.where == Problem::Where::program) return;
                     views.showView(QStringLiteral("setup"));
                     view.showProblem(problem);
                   });
}

void linkRuns(RunsView& view, WindowParts& parts) {
  QObject::connect(&view, &RunsView::openRequested, &parts.runs, &RunsController::open);
  QObject::connect(&view, &RunsView::overlaysChanged, &parts.runs, &RunsController::showOverlays);
  QObject::connect(&view, &RunsView::compareRequested, &parts.runs, &RunsController::compare);
  QObject::connect(&view, &RunsView::exportRequested, &parts.exporter, &Exporter::exportRuns);
}

}  // namespace fusebench

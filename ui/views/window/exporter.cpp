// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/window/exporter.h"

#include <QFileInfo>
#include <QPushButton>

#include <exception>

#include "profiler/files/files.h"
#include "ui/export/run_export.h"
#include "ui/export/storages_export.h"
#include "ui/export/timeline_export.h"
#include "ui/models/base/ui_text.h"
#include "ui/models/base/utf8.h"
#include "ui/models/window/window_models.h"
#include "ui/views/chart/chart_legend.h"
#include "ui/views/chart/chart_view.h"
#include "ui/views/export/export_dialog.h"
#include "ui/views/export/export_fields.h"
#include "ui/views/runs/compare_view.h"
#include "ui/views/storages/storage_view.h"
#include "ui/views/timeline/timeline_canvas.h"
#include "ui/views/timeline/timeline_view.h"
#include "ui/views/window/runs_controller.h"
#include "ui/views/window/workbench.h"

namespace fusebench {
namespace {

/// The axes of a chart and, if it is zoomed in, the part of them.
ChartShown shownOf(const CurvePlot& plot) {
  ChartShown shown;
  shown.logAxis = plot.shownX().logarithmic;
  shown.logValue = plot.shownY().logarithmic;
  if (!plot.fitted()) {
    shown.x = plot.shownX();
    shown.y = plot.shownY();
  }
  return shown;
}

/// Names of the parts that the chart hides.
QStringList hiddenIn(const ChartView& chart) {
  QStringList hidden;
  for (const LegendEntry* entry : chart.legend().entries())
    if (!chart.legend().visibility().shown(entry->item().name)) hidden << entry->item().name;
  if (!chart.modelsShown()) hidden << fittedLinesName();
  if (!chart.publishedShown()) hidden << publishedName();
  return hidden;
}

}  // namespace

Exporter::Exporter(WindowModels& models, Workbench& views, RunsController& runs,
                   const DevicesController& devices, Dialogs dialogs, QWidget* window)
    : QObject(window),
      models_(models),
      views_(views),
      runs_(runs),
      devices_(devices),
      dialogs_(std::move(dialogs)),
      window_(window) {}

ExportDialog& Exporter::open(std::unique_ptr<const ExportSource> source) {
  auto* dialog = new ExportDialog(std::move(source), dialogs_, models_.settings.folder(), window_);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setObjectName(QStringLiteral("exportDialog"));
  connect(dialog, &ExportDialog::exported, this, [this](const QString& path) {
    models_.settings.setFolder(QFileInfo(path).absolutePath());
  });
  dialog->open();
  return *dialog;
}

void Exporter::exportShown() {
  const CompareView& compare = views_.view<CompareView>();
  if (!models_.timeline.empty() &&
      (views_.currentResult() == QLatin1String("timeline") || !models_.run.run()))
    return exportTimeline();
  if (!compare.runs().empty() && views_.currentResult() == QLatin1String("compare"))
    return compare.exportButton().click();
  if (views_.currentResult() == QLatin1String("memory"))
    if (StoragesSubject subject = views_.view<StorageView>().subject(); !subject.rows.empty()) {
      open(std::make_unique<StoragesExport>(std::move(subject)));
      return;
    }
  if (!models_.run.run()) return;
  // The dialog keeps what it was opened on, whatever is measured meanwhile.
  auto run = models_.run.measured();
  const ChartView& chart = views_.view<ChartView>();
  const QString view = viewName(chart.metric(), chart.time());
  auto source =
      std::make_unique<RunExport>(run, models_.analysis.upToDate() && models_.run.lent() == 0
                                           ? models_.analysis.analysis().crossings
                                           : findCrossings(*run));
  source->setWorker(devices_.options().workerCommand);
  source->setShown(view, shownOf(chart.measured()));
  source->layOver(runs_.overlays());
  ExportFields& fields = open(std::move(source)).fields();
  QString asked = view;
  for (const char* key : {kMapView, kAnatomyView, kScatterView})
    if (views_.currentResult() == QLatin1String(key)) asked = QLatin1String(key);
  if (fields.chooseView(asked) && asked != view) fields.chooseFigure();
  fields.chooseSlice(models_.place.slice());
  fields.setHidden(hiddenIn(chart));
}

void Exporter::exportComparison(const std::vector<NamedRun>& runs, const QString& other) {
  auto source = std::make_unique<RunExport>(runs);
  source->setWorker(devices_.options().workerCommand);
  open(std::move(source)).fields().chooseOther(other);
}

void Exporter::saveTable(const QString& name, const QString& csv) {
  saveText(name + QStringLiteral(".csv"), uiText("Tables (*.csv)"), csv);
}

void Exporter::saveListing(const QString& file, const QString& code) {
  saveText(file, uiText("Generated code (*.%1)").arg(QFileInfo(file).suffix()), code + u'\n');
}

void Exporter::saveText(const QString& file, const QString& filter, const QString& written) {
  const QString folder = models_.settings.folder();
  const QString path =
      dialogs_.saveFile(window_, folder.isEmpty() ? file : folder + u'/' + file, filter);
  if (path.isEmpty()) return;
  try {
    writeFile(path.toStdString(), written.toStdString());
  } catch (const std::exception& error) {
    models_.messages.say(Tone::error, text(error.what()));
    return;
  }
  models_.settings.setFolder(QFileInfo(path).absolutePath());
}

void Exporter::exportTimeline() {
  if (models_.timeline.empty()) return;
  TimelineSubject subject = timelineSubject(models_.timeline);
  subject.rows.clear();
  for (const TimelineCanvas::Band& band : views_.view<TimelineView>().canvas().bandsInSight())
    subject.rows.push_back({band.trace, band.row});
  open(std::make_unique<TimelineExport>(std::move(subject))).fields().chooseFigure();
}

void Exporter::exportRuns(const QStringList& paths) {
  runs_.withRuns(paths, [this](const std::vector<NamedRun>& runs) { exportComparison(runs); });
}

}  // namespace fusebench

#include "moc_exporter.cpp"

// SPDX-License-Identifier: GPL-3.0-or-later
// The part of MainWindow that opens the export dialog.
#include <QFileInfo>

#include "ui/export/run_export.h"
#include "ui/export/timeline_export.h"
#include "ui/views/base/banner.h"
#include "ui/views/chart/chart_legend.h"
#include "ui/views/chart/chart_view.h"
#include "ui/views/export/export_dialog.h"
#include "ui/views/export/export_fields.h"
#include "ui/views/runs/compare_view.h"
#include "ui/views/timeline/timeline_canvas.h"
#include "ui/views/timeline/timeline_view.h"
#include "ui/views/window/main_window.h"
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

/// What the chart leaves out.
QStringList hiddenIn(const ChartView& chart) {
  QStringList hidden;
  for (const LegendEntry* entry : chart.legend().entries())
    if (!chart.legend().visibility().shown(entry->item().name)) hidden << entry->item().name;
  if (!chart.modelsShown()) hidden << fittedLinesName();
  if (!chart.publishedShown()) hidden << publishedName();
  return hidden;
}

}  // namespace

ExportDialog& MainWindow::openExport(std::unique_ptr<const ExportSource> source) {
  auto* dialog = new ExportDialog(std::move(source), dialogs_, settings_.folder(), this);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setObjectName(QStringLiteral("exportDialog"));
  connect(dialog, &ExportDialog::exported, this,
          [this](const QString& path) { settings_.setFolder(QFileInfo(path).absolutePath()); });
  dialog->open();
  return *dialog;
}

/// What is shown is exported as it stands; what is no figure, as the run's report.
void MainWindow::exportRun() {
  const CompareView& compare = workbench_->compare();
  if (!timeline_.empty() && (workbench_->shows(QStringLiteral("timeline")) || !run_.run()))
    return exportTimeline();
  if (!compare.runs().empty() && workbench_->shows(QStringLiteral("compare")))
    return compare.exportButton().click();
  if (!run_.run()) return;
  // The dialog keeps what it was opened on, whatever is measured meanwhile.
  auto run = run_.shared();
  const ChartView& chart = workbench_->chart();
  const QString view = viewName(chart.metric(), chart.time());
  auto source = std::make_unique<RunExport>(
      run, analysis_.upToDate() ? analysis_.analysis().crossings : findCrossings(*run));
  source->setWorker(options_.workerCommand);
  source->setShown(view, shownOf(chart.measured()));
  std::vector<NamedRun> over;
  for (const LaidOver& one : overlays_)
    over.push_back(
        {one.path.isEmpty() ? QStringLiteral("another run") : nameOf(one.path), one.run});
  source->layOver(std::move(over));
  ExportFields& fields = openExport(std::move(source)).fields();
  QString asked = view;
  for (const char* key : {kMapView, kAnatomyView})
    if (workbench_->shows(QLatin1String(key))) asked = QLatin1String(key);
  if (fields.chooseView(asked) && asked != view) fields.chooseForm(QStringLiteral("svg"));
  fields.chooseSlice(slice_);
  fields.setHidden(hiddenIn(chart));
}

void MainWindow::exportComparison(const std::vector<NamedRun>& runs, const QString& other) {
  auto source = std::make_unique<RunExport>(runs);
  source->setWorker(options_.workerCommand);
  openExport(std::move(source)).fields().chooseOther(other);
}

void MainWindow::exportTimeline() {
  if (timeline_.empty()) return;
  TimelineSubject subject = timelineSubject(timeline_);
  subject.rows.clear();
  for (const TimelineCanvas::Band& band : workbench_->timeline().canvas().bandsInSight())
    subject.rows.push_back({band.trace, band.row});
  openExport(std::make_unique<TimelineExport>(std::move(subject)));
}

void MainWindow::exportRuns(const QStringList& paths) {
  try {
    exportComparison(runsAt(paths));
  } catch (const std::exception& error) {
    say(int(Banner::Tone::error), QString::fromUtf8(error.what()));
  }
}

}  // namespace fusebench

// SPDX-License-Identifier: GPL-3.0-or-later
// The part of MainWindow that opens the export dialog.
#include <QFileInfo>

#include "ui/views/chart_view.h"
#include "ui/views/export_dialog.h"
#include "ui/views/main_window.h"
#include "ui/views/map_view.h"
#include "ui/views/results_view.h"
#include "ui/views/workbench.h"

namespace fusebench {

void MainWindow::exportRun() {
  if (!run_.run()) return;
  // The dialog keeps what it was opened on, whatever is measured meanwhile.
  auto run = run_.shared();
  std::vector<Crossing> crossings =
      analysis_.upToDate() ? analysis_.analysis().crossings : findCrossings(*run);
  auto* dialog =
      new ExportDialog(std::move(run), std::move(crossings), dialogs_, settings_.folder(), this);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setObjectName(QStringLiteral("exportDialog"));
  dialog->setWorker(options_.workerCommand);
  if (workbench_->shows(QStringLiteral("map")) && dialog->chooseView(QStringLiteral("map")))
    dialog->chooseForm(QStringLiteral("svg"));
  else
    openOnChart(*dialog);
  connect(dialog, &ExportDialog::exported, this,
          [this](const QString& path) { settings_.setFolder(QFileInfo(path).absolutePath()); });
  dialog->open();
}

/// The chart is exported as it stands.
void MainWindow::openOnChart(ExportDialog& dialog) {
  const ChartView& chart = workbench_->chart();
  const CurvePlot& plot = chart.measured();
  ChartShown shown;
  shown.logAxis = plot.shownX().logarithmic;
  shown.logValue = plot.shownY().logarithmic;
  if (!plot.fitted()) {
    shown.x = plot.shownX();
    shown.y = plot.shownY();
  }
  std::vector<ExportDialog::LaidOver> over;
  for (const LaidOver& one : overlays_)
    over.push_back(
        {one.path.isEmpty() ? QStringLiteral("another run") : nameOf(one.path), one.run});
  dialog.openOn(viewName(chart.metric(), chart.time()), shown, chart.modelsShown(),
                std::move(over));
}

void MainWindow::exportComparison(std::shared_ptr<const Run> a, const QString& nameA,
                                  std::shared_ptr<const Run> b, const QString& nameB) {
  std::vector<Crossing> crossings = findCrossings(*a);
  auto* dialog =
      new ExportDialog(std::move(a), std::move(crossings), dialogs_, settings_.folder(), this);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setObjectName(QStringLiteral("exportDialog"));
  dialog->setWorker(options_.workerCommand);
  dialog->compareWith(nameA, std::move(b), nameB);
  connect(dialog, &ExportDialog::exported, this,
          [this](const QString& path) { settings_.setFolder(QFileInfo(path).absolutePath()); });
  dialog->open();
}

}  // namespace fusebench

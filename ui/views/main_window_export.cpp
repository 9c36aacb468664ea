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
  auto run = std::make_shared<const Run>(*run_.run());
  std::vector<Crossing> crossings =
      analysis_.upToDate() ? analysis_.analysis().crossings : findCrossings(*run);
  auto* dialog =
      new ExportDialog(std::move(run), std::move(crossings), dialogs_, settings_.folder(), this);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setObjectName(QStringLiteral("exportDialog"));
  if (workbench_->shows(QStringLiteral("map")) && dialog->chooseView(QStringLiteral("map")))
    dialog->chooseForm(QStringLiteral("svg"));
  else
    dialog->chooseView(metricName(workbench_->chart().metric()).toLower());
  connect(dialog, &ExportDialog::exported, this,
          [this](const QString& path) { settings_.setFolder(QFileInfo(path).absolutePath()); });
  dialog->open();
}

}  // namespace fusebench

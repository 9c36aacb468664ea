// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <memory>
#include <vector>

#include "ui/models/runs/run_comparison.h"
#include "ui/views/base/dialogs.h"

namespace fusebench {

class DevicesController;
class ExportDialog;
class ExportSource;
class RunsController;
class Workbench;
struct WindowModels;

/// Opens the export dialog for the content of the shown view.
class Exporter : public QObject {
  Q_OBJECT

 public:
  Exporter(WindowModels& models, Workbench& views, RunsController& runs,
           const DevicesController& devices, Dialogs dialogs, QWidget* window);

  /// Exports the shown view; a view that is not a figure is exported as the run's report.
  void exportShown();
  void exportTimeline();
  /// Several runs: the first against each of the others, at first that one.
  void exportComparison(const std::vector<NamedRun>& runs, const QString& other = {});
  /// Runs of the library, compared.
  void exportRuns(const QStringList& paths);
  /// Asks for a file, and writes a table into it.
  void saveTable(const QString& name, const QString& csv);
  /// Asks for a file, and writes generated code into it; `file`: what is suggested.
  void saveListing(const QString& file, const QString& code);

 private:
  void saveText(const QString& file, const QString& filter, const QString& written);
  ExportDialog& open(std::unique_ptr<const ExportSource> source);

  WindowModels& models_;
  Workbench& views_;
  RunsController& runs_;
  const DevicesController& devices_;
  Dialogs dialogs_;
  QWidget* window_;
};

}  // namespace fusebench

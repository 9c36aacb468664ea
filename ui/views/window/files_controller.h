// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

#include "ui/views/window/runs_controller.h"

namespace fusebench {

/// Opens files of every kind, and what the last window left.
class FilesController : public QObject {
  Q_OBJECT

 public:
  FilesController(WindowModels& models, DocumentKeeper& keeper, RunsController& runs,
                  QObject* parent = nullptr);

  /// Opens an experiment, a run, a report or a trace; false, and a message, if it cannot be read.
  /// What is shown stays then.
  bool open(const QString& path);
  /// Asks which one.
  void ask();
  void newChain();
  /// The study that the window starts with.
  bool openMainStudy();
  /// What the last window left, or else the main study.
  void restoreSession();
  /// Gives up what restoreSession() brought back.
  void discardRestored();

 signals:
  void traceGiven(const QString& path);
  void lessonGiven(const QString& path);
  void viewWanted(const QString& key, bool focus);

 private:
  WindowModels& models_;
  DocumentKeeper& keeper_;
  RunsController& runs_;
};

}  // namespace fusebench

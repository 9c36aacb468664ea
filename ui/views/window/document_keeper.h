// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

#include "ui/models/window/window_models.h"
#include "ui/views/base/dialogs.h"

namespace fusebench {

/// Saves the experiment, and replaces it by another one only after asking the user.
class DocumentKeeper : public QObject {
  Q_OBJECT

 public:
  /// `asker`: parent window of the dialogs; may be null.
  DocumentKeeper(WindowModels& models, Dialogs dialogs, QWidget* asker, QObject* parent = nullptr);

  /// False, and a message, if it could not be written.
  bool save();
  bool saveAs();
  void saveRunAs();
  /// Applies text that is still being typed.
  void commit() { emit commitWanted(); }
  /// Whether the displayed experiment may be replaced; asks if it has unsaved changes.
  bool mayReplace(const QString& question);
  /// Whether the current measurement may be stopped; asks.
  bool mayStop(const QString& question) const {
    return !dialogs_.stop || dialogs_.stop(asker_, question);
  }
  /// Whether a run that takes longer than requested may begin; asks.
  bool mayMeasure(const QString& question) const {
    return !dialogs_.measure || dialogs_.measure(asker_, question);
  }
  /// Shows another experiment and keeps the measured results.
  void replace(Experiment experiment, const QString& path);
  /// Shows an experiment for which nothing has been measured yet.
  void show(Experiment experiment, const QString& path);
  /// The user's choice, remembered as the initial folder; empty: none.
  QString askForFile();
  /// Asks for a file to write, starting in the remembered folder; empty if the user cancels.
  /// `filter` has the format of QFileDialog.
  QString askForPlace(const QString& name, const QString& filter);

 signals:
  /// Asks the editors to write text that is still being typed to the document.
  void commitWanted();
  /// Before the document shows it.
  void replaced(const Experiment& next);

 private:
  bool saveTo(const QString& path);
  void offerSize();
  QString suggestion(const QString& ending) const;

  WindowModels& models_;
  Dialogs dialogs_;
  QWidget* asker_;
  bool wasChain_ = true;  ///< the program before its last change, or there was none
};

}  // namespace fusebench

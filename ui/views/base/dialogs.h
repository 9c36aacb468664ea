// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <functional>

class QFileDialog;
class QWidget;

namespace fusebench {

/// The questions that block. They are stored as functions so that tests can answer them.
struct Dialogs {
  enum class Unsaved { save, discard, cancel };

  /// Path of the file to open, or empty.
  std::function<QString(QWidget*, const QString& folder)> openFile;
  /// Path to write to, or empty; `filter` as QFileDialog has it.
  std::function<QString(QWidget*, const QString& suggestion, const QString& filter)> saveFile;
  std::function<Unsaved(QWidget*, const QString& question)> unsaved;
  /// Whether to stop the measurement; without it nobody is asked, and the measurement is stopped.
  std::function<bool(QWidget*, const QString& question)> stop = {};
  /// Whether to measure for longer than requested; without it nobody is asked, and it is done.
  std::function<bool(QWidget*, const QString& question)> measure = {};
};

Dialogs standardDialogs();
/// The kinds of files that the window opens, beginning with all of them together, in the format of
/// QFileDialog.
QString openFilter();

/// Makes a file dialog large enough to show its columns in full, as far as the screen allows.
void giveRoom(QFileDialog& dialog);

/// Shows version, license and the libraries that the program is built on.
void showAbout(QWidget* parent);

}  // namespace fusebench

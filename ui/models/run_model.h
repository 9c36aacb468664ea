// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <map>
#include <optional>

#include "profiler/run.h"

namespace fusebench {

/// The run that the window shows: the one being measured, or one that was opened. Lives on the
/// window's thread; StudyController carries results over from the measuring thread.
class RunModel : public QObject {
  Q_OBJECT

 public:
  using QObject::QObject;

  /// Null before the first run.
  const Run* run() const { return run_ ? &*run_ : nullptr; }
  /// Whether it holds samples that no file has. What exploring measured does not count.
  bool unsaved() const { return unsaved_; }

  /// Shows another run; `saved` if it came from a file.
  void show(Run run, bool saved);
  void clear();
  /// Replaces cells by what was measured since; places outside of the run are ignored.
  void update(const std::map<int, Cell>& changed);
  void markSaved();
  /// Nothing more comes: cells that were still being measured ended where they are.
  void interrupt();

 signals:
  void runReset();
  void cellsChanged();
  void unsavedChanged(bool unsaved);

 private:
  void setUnsaved(bool unsaved);
  bool worthSaving() const;

  std::optional<Run> run_;
  bool unsaved_ = false;
};

}  // namespace fusebench

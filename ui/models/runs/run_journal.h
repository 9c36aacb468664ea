// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "profiler/run/run.h"

namespace fusebench {

/// A study in progress, saved in a file that grows with it, so that measurements survive a killed
/// window. The file is deleted once the whole run is saved. A full or missing disk does not stop a
/// study. Any thread.
class RunJournal {
 public:
  /// `folder` is the folder of the runs; the journal's file is in a subfolder of it.
  explicit RunJournal(QString folder);
  ~RunJournal();  ///< the file stays unless it was discarded
  RunJournal(const RunJournal&) = delete;
  RunJournal& operator=(const RunJournal&) = delete;

  void started(const Run& header);
  /// Writes rarely, because writing must not disturb the measurement.
  void cellChanged(int index, const Cell& cell);
  /// Deletes the file, once the run has been saved to one of its own.
  void discard();

 private:
  QString folder_;
  std::mutex mutex_;
  std::string path_;
  std::unique_ptr<RunWriter> writer_;
  std::map<int, std::int64_t> lastWrite_;  ///< per cell, nanoseconds
};

/// Moves what killed windows left of studies to the other runs of the folder. Returns the new
/// names, without studies that other windows are measuring at the moment.
QStringList recoverJournals(const QString& folder);

/// A name in the folder, made from the title and the time, that no run there has.
QString freeRunPath(const QString& folder, const Run& run);

}  // namespace fusebench

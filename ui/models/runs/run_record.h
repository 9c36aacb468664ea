// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDateTime>
#include <QString>
#include <cstdint>
#include <optional>

#include "profiler/run/run.h"

namespace fusebench {

/// What a list of runs shows of one file, without holding its samples.
struct RunRecord {
  QString path;    ///< of the run's file
  QString name;    ///< given by the person; empty: the title is shown
  QString notes;   ///< by the person
  QString title;   ///< of the experiment
  QDateTime date;  ///< when it started, UTC; for what is no run the file's own
  QString device;
  std::int64_t cellCount = 0;
  bool quick = false, explored = false;  ///< how it was measured
  QString result;                        ///< one line, "static 5.20× at 30"; empty: not known yet
  QString problem;                       ///< why it is no usable run; empty: it is one
  qint64 size = 0;     ///< of the file, in bytes; with `modified` it tells whether it changed
  QDateTime modified;  ///< of the file, in ms

  QString shownName() const;
  /// The experiment's; a shipped one's in the language of the window.
  QString shownTitle() const;
  friend bool operator==(const RunRecord&, const RunRecord&) = default;
};

/// The end of the names of the small files beside the runs that hold name, notes and what was found
/// out about the run.
inline constexpr const char* kNoteEnding = ".note.json";

/// What a run says in one line: for one axis the largest speed-up at its end, for two its range.
QString resultLine(const Run& run);

/// Reads what is known of the run at `path` without reading the run itself: the note beside it and,
/// where that is missing or older than the run, the run's first line. Never throws: what is wrong
/// is in `problem`.
RunRecord readRecord(const QString& path);

/// Reads the whole run for its result line. Slow for large runs. Never throws.
RunRecord completed(RunRecord record);

/// Writes the note beside the run, under a temporary name and renamed. Returns one line if it
/// cannot be written, else nothing.
std::optional<QString> writeNote(const RunRecord& record);
QString notePath(const QString& runPath);

}  // namespace fusebench

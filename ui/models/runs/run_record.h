// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDateTime>
#include <QString>
#include <cstdint>
#include <optional>

#include "profiler/run/run.h"

namespace fusebench {

/// The facts about one file that a list of runs shows, without its samples.
struct RunRecord {
  QString path;    ///< path of the run's file
  QString name;    ///< given by the user; empty: the title is shown
  QString notes;   ///< by the person
  QString title;   ///< of the experiment
  QDateTime date;  ///< when the run started, UTC; the file's date if it is not a run
  QString device;
  std::int64_t cellCount = 0;
  bool quick = false, explored = false;  ///< how it was measured
  QString result;                        ///< one line, "static 5.20× at 30"; empty: not known yet
  QString problem;                       ///< why it cannot be used as a run; empty: it can
  qint64 size = 0;     ///< of the file, in bytes; with `modified` it tells whether it changed
  QDateTime modified;  ///< of the file, in ms

  QString shownName() const;
  /// The experiment's; a shipped one's in the language of the window.
  QString shownTitle() const;
  friend bool operator==(const RunRecord&, const RunRecord&) = default;
};

/// The ending of the small file next to a run that contains its name, its notes and the facts found
/// about the run.
inline constexpr const char* kNoteEnding = ".note.json";

/// A run's result in one line: the largest speedup at the end of one axis, or the range over two.
QString resultLine(const Run& run);

/// Reads what is known of the run at `path` without reading the run itself: the note next to it
/// and, if that is missing or older than the run, the run's first line. Never throws: `problem`
/// states what is wrong.
RunRecord readRecord(const QString& path);

/// Reads the whole run for its result line. Slow for large runs. Never throws.
RunRecord completed(RunRecord record);

/// Writes the note next to the run, under a temporary name that is then changed. Returns one line
/// if it cannot be written, else nothing.
std::optional<QString> writeNote(const RunRecord& record);
QString notePath(const QString& runPath);

}  // namespace fusebench

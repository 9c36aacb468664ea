// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "engine/base/work_limit.h"
#include "profiler/run/run.h"
#include "ui/models/base/latest_task.h"

namespace fusebench {

/// Bytes of files that are read within a moment, unless a program in them is hostile.
inline constexpr qint64 kSmallFiles = 1 << 18;

/// Whether these files together are small. A missing file is. A pipe is not: reading it may take
/// any time.
bool areSmall(const QStringList& paths);

/// For all programs of a file together.
inline constexpr double kOpeningSeconds = 5 * WorkLimit::kUsualSeconds;

/// An experiment and the file that holds it.
struct SavedExperiment {
  Experiment experiment;
  QString path;  ///< empty: it has no file
};

/// The content of the file of `shown`, if that file still contains the experiment that the run
/// measured, as it was before later edits. Nothing if the run measured what is shown. Reads a file
/// and its programs.
std::optional<SavedExperiment> savedFor(const Run& run, const SavedExperiment& shown);

/// A run that was read, or the reason why it cannot be read.
struct ReadRun {
  QString path;
  std::shared_ptr<const Run> run;        ///< null: see `error`
  std::optional<SavedExperiment> saved;  ///< see savedFor()
  QString error;
};

/// Reads runs for the window. Only the newest request of a reader counts.
class RunReader {
 public:
  using Then = std::function<void(std::vector<ReadRun>)>;

  /// The receiver owns the reader.
  explicit RunReader(QObject* receiver) : task_(receiver) {}

  /// Reads the runs and passes them to `then` in the same order: at once if this takes a moment
  /// only, otherwise outside the window's thread. False: `then` follows. `shown`: see savedFor().
  bool read(const QStringList& paths, const Then& then,
            const std::optional<SavedExperiment>& shown = {});
  /// Stops reading; `then` is not called any more.
  void cancel() { task_.cancel(); }
  bool busy() const { return task_.busy(); }

 private:
  LatestTask task_;
};

}  // namespace fusebench

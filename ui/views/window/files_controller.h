// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "ui/models/base/latest_task.h"
#include "ui/models/setup/documents.h"
#include "ui/models/window/session.h"
#include "ui/models/window/window_layout.h"
#include "ui/views/window/runs_controller.h"

namespace fusebench {

/// Opens files of every kind, and the session of the last window.
class FilesController : public QObject {
  Q_OBJECT

 public:
  FilesController(WindowModels& models, DocumentKeeper& keeper, RunsController& runs,
                  QObject* parent = nullptr);

  /// Opens a file of any known kind; false, and a message, if it cannot be read, in which case the
  /// shown document stays. A file that takes more than a moment to read is read outside the
  /// window's thread: then it returns true, and opened() follows.
  bool open(const QString& path);
  bool opening() const { return task_.busy() || runs_.opening(); }
  /// Stops reading files; the shown document stays.
  void stopOpening();
  /// Asks which one.
  void ask();
  void newChain();
  /// Asks for a path, and writes experiment, run, notes and `view`, a JSON object, into one file.
  void share(const QByteArray& view);
  /// Makes an experiment of one module of the captured model that is shown, and shows it.
  void openPart(const QString& module);
  /// Shows an experiment that was made from operators of a trace; `what` names them.
  void openMade(const Experiment& experiment, const QString& what);
  /// Shows the model again that openPart() cut the shown part from.
  void openWhole();
  /// Runs the task, or, while a run is measured, shows a message with `what` is to be done and
  /// offers to stop the run first. False: it has not been done yet.
  bool whenFree(const QString& what, const std::function<void()>& task);
  /// Runs the offered task as soon as nothing is measured any more.
  void doWaiting();
  /// The study that the window starts with.
  bool openMainStudy();
  /// Restores what was open in the last window, or opens the main study.
  void restoreSession();
  /// Discards what restoreSession() has restored.
  void discardRestored();

 signals:
  /// A file that was read outside the window's thread is shown, or a message says why it is not.
  void opened();
  void traceGiven(const QString& path);
  /// A log of torch.compile was opened: the timeline reads it.
  void compileLogGiven(const QString& path);
  /// An execution trace of PyTorch was opened: the timeline lists its operators.
  void executionTraceGiven(const QString& path);
  /// A memory snapshot of PyTorch; it is a trace, too, and traceGiven() came before.
  void memorySnapshotGiven(const QString& path);
  void lessonGiven(const QString& path);
  /// A file to capture a model from, which executes it.
  void modelGiven(const QString& path);
  void viewWanted(const QString& key, bool focus);
  /// An experiment or a run was opened from a file, or begins.
  void kindShown(FileKind kind);
  /// The state of the views in a .fusebench file: a JSON object.
  void viewGiven(const QByteArray& view);

 private:
  /// The content of a file.
  struct Opened {
    std::optional<Document> document;
    std::vector<Run> runs;                 ///< all of a report, if they are several
    std::optional<SavedExperiment> saved;  ///< of a run: see savedFor()
    std::optional<OpenedBundle> bundle;    ///< of a .fusebench file
    QString error;                         ///< why it cannot be read
  };
  /// A module as an experiment of its own.
  struct Part {
    std::optional<Experiment> experiment;
    QString error;  ///< why it cannot be made
  };
  static Opened readAll(const QString& path, const SavedExperiment& shown);
  static std::optional<Opened> readNow(const QString& path, const SavedExperiment& shown);
  void stopReading();
  bool take(const QString& path, Opened opened);
  bool takeRun(const QString& path, Opened& opened);
  bool takeExperiment(const QString& path, Opened& opened);
  void takeBundle(const OpenedBundle& bundle);
  void takePart(const QString& module, Experiment part);
  void restore(std::optional<Session::State> left);

  WindowModels& models_;
  DocumentKeeper& keeper_;
  RunsController& runs_;
  std::function<void()> offered_;  ///< task to run after the current run, once that is confirmed
  bool waiting_ = false;           ///< whether it is confirmed
  bool restoring_ = false;         ///< the session is being read
  /// The model that a part was cut from.
  struct Whole {
    Experiment experiment;
    QString path;
    bool modified = false;
  };
  std::optional<Whole> whole_;
  /// Notes of the .fusebench file that the shown run comes from.
  struct Notes {
    std::weak_ptr<const Run> run;
    QString text;
  };
  Notes notes_;
  LatestTask task_{this};
};

}  // namespace fusebench

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>
#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "profiler/study/study.h"
#include "ui/models/results/run_model.h"
#include "ui/models/runs/run_journal.h"

namespace fusebench {

/// What measures: runStudy, or a test's stand-in. Called on a thread of its own.
using StudyRunner =
    std::function<StudyOutcome(const Experiment&, const StudyOptions&, StudyObserver&,
                               std::stop_token, const Run* continueFrom)>;

/// Starts, stops and continues the study of one experiment on its own thread. Forwards its reports
/// to the GUI thread, batched so that views redraw at most every 33 ms.
class StudyController : public QObject {
  Q_OBJECT

 public:
  enum class State { idle, preparing, running, stopping, finished, failed };
  Q_ENUM(State)

  explicit StudyController(RunModel& run, StudyRunner runner = runStudy, QObject* parent = nullptr);
  ~StudyController() override;  ///< stops the study and waits for its thread

  State state() const { return state_; }
  bool busy() const;
  const Experiment* experiment() const { return experiment_ ? &*experiment_ : nullptr; }
  const StudyProgress& progress() const { return progress_; }
  /// One line about how the last study ended; empty while all is well.
  const QString& message() const { return message_; }
  /// Whether the displayed run has cells that would benefit from more samples: any that did not
  /// finish by themselves, because they were stopped, the time was used up, or they failed.
  bool canGoOn() const;

  /// Only while not busy (else ignored): shows no run until the next start.
  void setExperiment(Experiment experiment);
  /// Only while not busy: shows a run from a file, with its experiment.
  void setRun(Run run);
  /// Command of the worker and device; `quick` is given to start().
  void setOptions(StudyOptions options) { options_ = std::move(options); }

  /// Studies are kept in this folder of runs while they are under way; without one they are not.
  void setRunsFolder(const QString& folder) { runsFolder_ = folder; }
  /// The journal of the last study, to discard once its run is saved. Null without a folder.
  const std::shared_ptr<RunJournal>& journal() const { return journal_; }

  void start(bool quick);
  void goOn();  ///< with a new worker and another budget; keeps what was measured
  /// The same, and what could not be measured is tried again.
  void retry();
  void stop();

  /// Starts a study of this experiment. The shown run stays until it reports. Only while not busy.
  void startInPlace(Experiment experiment, bool quick);
  /// Starts a study of this experiment in place of the current one, if there is one. The shown run
  /// stays until the new study reports.
  void replace(Experiment experiment);
  /// Stops the study and ignores all further results: idle immediately, whatever the worker does.
  void abandon();

 signals:
  void stateChanged(fusebench::StudyController::State state);
  void experimentChanged();
  void progressed();
  void workerLost(const QString& what);
  /// See StudyObserver::overBudget.
  void overBudget(const fusebench::BudgetNeed& need);

 private:
  class Mailbox;

  void launch(bool quick, std::optional<Run> continueFrom);
  void gatherSoon();
  void collect();
  void finish(StudyOutcome outcome);
  void joinLeft();
  void setState(State state);

  RunModel& run_;
  StudyRunner runner_;
  StudyOptions options_;
  std::optional<Experiment> experiment_;
  State state_ = State::idle;
  StudyProgress progress_;
  QString message_;
  QTimer gather_;
  QElapsedTimer lastCollected_;
  std::shared_ptr<Mailbox> mailbox_;
  QString runsFolder_;
  std::shared_ptr<RunJournal> journal_;
  bool reported_ = false;  ///< whether what is shown is of the study started last
  /// A measuring thread, and whether its study has returned.
  struct Measuring {
    std::jthread thread;
    std::shared_ptr<std::atomic<bool>> done;
  };
  Measuring measuring_;
  std::vector<Measuring> left_;  ///< by abandoned studies that have yet to return
};

}  // namespace fusebench

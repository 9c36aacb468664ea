// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>
#include <functional>
#include <memory>
#include <string>

#include "profiler/study/warm_worker.h"
#include "ui/models/runs/study_controller.h"
#include "ui/models/setup/document_model.h"

namespace fusebench {

/// Explore mode: measures the experiment automatically after each edit that leaves it runnable, a
/// first curve as soon as possible and better ones while the program is idle. Does not interfere
/// with a requested run, or with results that are not saved.
class ExploreController : public QObject {
  Q_OBJECT

 public:
  enum class State {
    off,        ///< switched off
    idle,       ///< nothing was edited since the experiment was opened or a run was
                ///< asked for
    held,       ///< a run is under way, or its results would be lost
    invalid,    ///< the experiment cannot run as it is
    waiting,    ///< for the edits to pause
    exploring,  ///< until every cell has a few samples
    refining,   ///< more samples, then checks and compile times
    finished,
    failed,  ///< message() says why
  };
  Q_ENUM(State)

  /// `full` carries out the runs that are asked for; both show their results in
  /// `run`.
  ExploreController(DocumentModel& document, RunModel& run, StudyController& full,
                    StudyRunner runner = runStudy, QObject* parent = nullptr);

  /// Command of the worker and device. The worker, and a second one that
  /// compiles ahead of it, are kept from one exploration to the next, unless
  /// `options.connect` says otherwise.
  void setOptions(StudyOptions options);
  /// Starts that worker ahead of the first edit: when the window has been
  /// drawn, say.
  void warmUp();

  bool enabled() const { return enabled_; }
  void setEnabled(bool enabled);
  State state() const { return state_; }
  bool active() const { return state_ == State::exploring || state_ == State::refining; }
  /// For a status line: "Exploring… 12 of 21 cells". Empty if there is nothing to report.
  QString text() const;
  /// Why the last exploration failed, or what it lost on the way; one line.
  const QString& message() const { return message_; }

  /// Called before unsaved results are replaced by Explore's; true: they have been saved (or need
  /// not be). Without this function such results stay, and Explore waits.
  void setKeeper(std::function<bool(std::shared_ptr<const Run>)> keeper) {
    keeper_ = std::move(keeper);
  }

  /// Asked before what is shown gives way to explored results: why it must not, in a sentence for
  /// the status line; empty: it may.
  void setGuard(std::function<QString()> guard) { guard_ = std::move(guard); }

  /// Asked after each edit: true: results of the experiment as it is now were known, and are shown;
  /// there is nothing to explore.
  void setRecall(std::function<bool()> recall) { recall_ = std::move(recall); }

  /// Explores the experiment as it is now, edited or not.
  void exploreNow();
  /// Ends an exploration, keeping what it has shown. The next edit starts
  /// another.
  void stop();
  /// Starts a requested run of the edited experiment instead of exploring.
  void runFull(bool quick);

 signals:
  void stateChanged();  ///< state() or text()
  /// Every cell has a sample or has ended without one, this long after the
  /// edit.
  void firstCurve(qint64 milliseconds);

 private:
  void edited();
  void opened();
  void begin();
  void fullChanged(StudyController::State state);
  void studyChanged(StudyController::State state);
  void studyProgressed();
  void cellsChanged();
  void setState(State state);
  std::string measuredParts() const;
  bool mayReplace();
  bool recalled();

  DocumentModel& document_;
  RunModel& run_;
  StudyController& full_;
  StudyController study_;
  std::shared_ptr<WarmWorker> worker_;
  std::shared_ptr<WarmWorker> compiler_;  ///< compiles ahead of it
  std::function<bool(std::shared_ptr<const Run>)> keeper_;
  std::function<bool()> recall_;
  std::function<QString()> guard_;
  QTimer pause_;
  QElapsedTimer sinceEdit_;
  bool enabled_ = true;
  bool opening_ = false;     ///< the `changed` after `loaded` is not an edit
  bool curveShown_ = false;  ///< firstCurve was emitted
  std::string explored_;     ///< measuredParts() of what is shown or being measured
  std::string seen_;         ///< measuredParts() at the last change
  State state_ = State::idle;
  QString message_;
};

}  // namespace fusebench

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/runs/explore_controller.h"

#include <algorithm>
#include <thread>
#include <utility>

#include "ui/models/base/ui_text.h"
#include "ui/models/results/same_measurement.h"

namespace fusebench {
namespace {

/// Long enough that typing a word is one edit, short enough not to be felt.
constexpr int kEditPause = 120;

std::size_t cellsWith(const Run& run, std::size_t samples) {
  return static_cast<std::size_t>(
      std::count_if(run.cells.begin(), run.cells.end(), [samples](const Cell& cell) {
        return cell.samples.size() >= samples || cell.stop == Stop::failed ||
               cell.stop == Stop::unavailable;
      }));
}

}  // namespace

ExploreController::ExploreController(DocumentModel& document, RunModel& run, StudyController& full,
                                     StudyRunner runner, QObject* parent)
    : QObject(parent), document_(document), run_(run), full_(full), study_(run, std::move(runner)) {
  seen_ = measuredParts();
  pause_.setSingleShot(true);
  pause_.setInterval(kEditPause);
  connect(&pause_, &QTimer::timeout, this, &ExploreController::begin);
  connect(&document_, &DocumentModel::loaded, this, &ExploreController::opened);
  connect(&document_, &DocumentModel::changed, this, &ExploreController::edited);
  connect(&full_, &StudyController::stateChanged, this, &ExploreController::fullChanged);
  // Whatever it shows now is not what is being explored.
  connect(&full_, &StudyController::experimentChanged, &study_, &StudyController::abandon);
  connect(&study_, &StudyController::stateChanged, this, &ExploreController::studyChanged);
  connect(&study_, &StudyController::progressed, this, &ExploreController::studyProgressed);
  connect(&study_, &StudyController::workerLost, this, [this](const QString& what) {
    message_ = what;
    emit stateChanged();
  });
  connect(&run_, &RunModel::cellsChanged, this, &ExploreController::cellsChanged);
}

void ExploreController::setOptions(StudyOptions options) {
  options.explore = true;
  worker_.reset();
  compiler_.reset();
  if (!options.connect) {
    worker_ = std::make_shared<WarmWorker>(options.workerCommand);
    // Studies that were abandoned may still be about to ask.
    options.connect = [worker = worker_] { return worker->lend(); };
    // On one processor a second worker would only be in the way.
    if (std::thread::hardware_concurrency() > 1) {
      compiler_ = std::make_shared<WarmWorker>(options.workerCommand);
      options.connectAhead = [worker = compiler_] { return worker->lend(); };
    }
  }
  // Importing torch takes seconds: the process is kept from edit to edit, once one needed it.
  for (GuestWorker& guest : options.guests)
    if (!guest.connect)
      guest.connect = [worker = std::make_shared<WarmWorker>(guest.command)] {
        return worker->lend();
      };
  study_.setOptions(std::move(options));
}

void ExploreController::warmUp() {
  for (const auto& worker : {worker_, compiler_})
    if (worker && enabled_) worker->warm();
}

void ExploreController::setEnabled(bool enabled) {
  if (enabled == enabled_) return;
  enabled_ = enabled;
  pause_.stop();
  study_.abandon();
  setState(enabled ? State::idle : State::off);
  if (enabled) warmUp();
}

/// What a measurement depends on: all but words for the reader.
std::string ExploreController::measuredParts() const {
  Experiment parts = withoutNames(document_.experiment());
  for (Variant& variant : parts.variants) variant.series = 0;
  parts.title = parts.question = parts.note = parts.lesson = parts.reference = {};
  return toJson(parts);
}

void ExploreController::opened() {
  opening_ = true;
  explored_.clear();
  message_.clear();
  pause_.stop();
  study_.abandon();
  if (enabled_) setState(State::idle);
}

void ExploreController::edited() {
  std::string parts = measuredParts();
  const bool same = std::exchange(seen_, parts) == parts;
  if (std::exchange(opening_, false)) return;
  if (!same && !full_.busy() && document_.runnable() && recalled()) return;
  if (!enabled_) return;
  if (full_.busy()) return setState(State::held);
  if (!document_.runnable()) {
    pause_.stop();
    study_.abandon();
    explored_.clear();
    return setState(State::invalid);
  }
  // Another title, or a change that was taken back before it was measured.
  if (parts == explored_ || (same && state_ != State::invalid && state_ != State::held)) return;
  exploreNow();
}

/// Shows earlier results instead of measuring again; they are more precise and available at once.
bool ExploreController::recalled() {
  // A pass that is under way shows what it has; it would write over what is recalled.
  if (!recall_ || measuredParts() == explored_) return false;
  study_.abandon();
  if (!recall_()) return false;
  pause_.stop();
  explored_.clear();
  message_.clear();
  setState(enabled_ ? State::idle : State::off);
  return true;
}

void ExploreController::exploreNow() {
  if (!enabled_ || !document_.runnable() || full_.busy()) return;
  sinceEdit_.start();
  study_.abandon();
  explored_.clear();
  warmUp();
  pause_.start();
  setState(State::waiting);
}

bool ExploreController::mayReplace() {
  if (guard_ && !guard_().isEmpty()) return false;
  return !run_.unsaved() || (keeper_ && run_.run() && keeper_(run_.shared()));
}

void ExploreController::begin() {
  if (!enabled_ || !document_.runnable()) return;
  if (full_.busy() || !mayReplace()) return setState(State::held);
  explored_ = measuredParts();
  curveShown_ = false;
  message_.clear();
  setState(State::exploring);
  study_.replace(document_.experiment());
}

void ExploreController::stop() {
  const bool was = active() || state_ == State::waiting || state_ == State::held;
  pause_.stop();
  study_.abandon();
  explored_.clear();
  if (was) setState(State::idle);
}

void ExploreController::runFull(bool quick) {
  if (full_.busy() || !document_.runnable()) return;
  stop();
  full_.startInPlace(document_.experiment(), quick);
}

void ExploreController::fullChanged(StudyController::State) {
  if (!full_.busy()) {
    if (state_ == State::held) setState(State::idle);
    return;
  }
  pause_.stop();
  study_.abandon();
  explored_.clear();
  if (enabled_) setState(State::idle);
}

void ExploreController::studyChanged(StudyController::State state) {
  if (state == StudyController::State::failed) {
    message_ = study_.message();
    setState(State::failed);
  } else if (state == StudyController::State::finished) {
    setState(State::finished);
  } else if (state == StudyController::State::idle && active()) {
    setState(State::idle);
  }
}

void ExploreController::studyProgressed() {
  if (!active()) return;
  const std::string& phase = study_.progress().phase;
  if (phase == "refining" || phase == "completing") return setState(State::refining);
  emit stateChanged();
}

void ExploreController::cellsChanged() {
  if (curveShown_ || !active() || !run_.run()) return;
  if (cellsWith(*run_.run(), 1) < run_.run()->cells.size()) return;
  curveShown_ = true;
  emit firstCurve(sinceEdit_.elapsed());
}

void ExploreController::setState(State state) {
  if (std::exchange(state_, state) != state || active()) emit stateChanged();
}

QString ExploreController::text() const {
  switch (state_) {
    case State::off:
    case State::idle:
      return {};
    case State::held:
      if (const QString why = guard_ ? guard_() : QString(); !full_.busy() && !why.isEmpty())
        return why;
      return full_.busy() ? uiText("Explore waits while a run is in progress.")
                          : uiText(
                                "Explore would replace results that are not saved; save the run, "
                                "or start a new one.");
    case State::invalid:
      return uiText("This cannot run yet; the problems say why.");
    case State::waiting:
      return uiText("Exploring…");
    case State::exploring: {
      const std::size_t all = run_.run() ? run_.run()->cells.size() : 0;
      const std::size_t some = all ? cellsWith(*run_.run(), 1) : 0;
      return some == 0 ? uiText("Exploring…")
                       : uiText("Exploring… %1 of %2 data points").arg(some).arg(all);
    }
    case State::refining:
      return study_.progress().phase == "completing"
                 ? uiText("Explored; measuring compile times…")
                 : uiText("Refining… round %1").arg(study_.progress().round + 1);
    case State::finished:
      return uiText("Explored");
    case State::failed:
      return uiText("Explore failed: %1").arg(message_);
  }
  return {};
}

}  // namespace fusebench

#include "moc_explore_controller.cpp"

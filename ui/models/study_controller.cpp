// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/study_controller.h"

#include <exception>
#include <mutex>
#include <utility>
#include <vector>

#include "ui/models/comparison.h"

namespace fusebench {
namespace {
constexpr int kGatherMilliseconds = 33;
}

/// Filled by the measuring thread, emptied by the window's. Shared, so that a late report after the
/// controller is gone still has somewhere to go.
class StudyController::Mailbox : public StudyObserver {
 public:
  struct Contents {
    std::optional<Run> header;
    std::map<int, Cell> cells;
    std::optional<StudyProgress> progress;
    std::vector<std::string> lost;
    std::optional<StudyOutcome> outcome;
  };

  explicit Mailbox(std::function<void()> notify) : notify_(std::move(notify)) {}

  void started(const Run& header) override {
    post([&](Contents& c) { c.header = header; });
  }
  void cellChanged(int index, const Cell& cell) override {
    post([&](Contents& c) { c.cells[index] = cell; });
  }
  void progressed(const StudyProgress& progress) override {
    post([&](Contents& c) { c.progress = progress; });
  }
  void workerLost(const std::string& what) override {
    post([&](Contents& c) { c.lost.push_back(what); });
  }
  void ended(StudyOutcome outcome) {
    post([&](Contents& c) { c.outcome = std::move(outcome); });
  }

  Contents take() {
    const std::lock_guard lock(mutex_);
    notified_ = false;
    return std::exchange(contents_, {});
  }

 private:
  template <typename Change>
  void post(Change&& change) {
    {
      const std::lock_guard lock(mutex_);
      change(contents_);
      if (std::exchange(notified_, true)) return;
    }
    notify_();
  }

  std::mutex mutex_;
  Contents contents_;
  bool notified_ = false;
  std::function<void()> notify_;
};

StudyController::StudyController(RunModel& run, StudyRunner runner, QObject* parent)
    : QObject(parent), run_(run), runner_(std::move(runner)) {
  gather_.setSingleShot(true);
  gather_.setInterval(kGatherMilliseconds);
  connect(&gather_, &QTimer::timeout, this, &StudyController::collect);
}

StudyController::~StudyController() {
  if (thread_.joinable()) {
    thread_.request_stop();
    thread_.join();
  }
}

bool StudyController::busy() const {
  return state_ == State::preparing || state_ == State::running || state_ == State::stopping;
}

bool StudyController::canGoOn() const {
  return !busy() && run_.run() && hasUnfinishedCells(*run_.run());
}

void StudyController::setExperiment(Experiment experiment) {
  if (busy()) return;
  experiment_ = std::move(experiment);
  message_.clear();
  run_.clear();
  emit experimentChanged();
  setState(State::idle);
}

void StudyController::setRun(Run run) {
  if (busy()) return;
  experiment_ = run.experiment;
  message_.clear();
  emit experimentChanged();
  run_.show(std::move(run), true);
  setState(State::finished);
}

void StudyController::start(bool quick) {
  launch(quick, std::nullopt);
}

void StudyController::goOn() {
  if (canGoOn()) launch(run_.run()->quick, *run_.run());
}

void StudyController::launch(bool quick, std::optional<Run> continueFrom) {
  if (busy() || !experiment_) return;
  if (thread_.joinable()) thread_.join();  // its function has returned: finish() was called by it
  message_.clear();
  progress_ = {};
  mailbox_ = std::make_shared<Mailbox>([this] {
    // The destructor joins the measuring thread, so `this` outlives every call; a queued call that
    // is still under way then is dropped by Qt.
    QMetaObject::invokeMethod(
        this,
        [this] {
          if (!gather_.isActive()) gather_.start();
        },
        Qt::QueuedConnection);
  });
  StudyOptions options = options_;
  options.quick = quick;
  setState(State::preparing);
  thread_ =
      std::jthread([runner = runner_, experiment = *experiment_, options,
                    from = std::move(continueFrom), mailbox = mailbox_](std::stop_token stop) {
        StudyOutcome outcome;
        try {
          outcome = runner(experiment, options, *mailbox, stop, from ? &*from : nullptr);
        } catch (const std::exception& error) {
          outcome.failed = true;
          outcome.message = error.what();
        }
        mailbox->ended(std::move(outcome));
      });
}

void StudyController::stop() {
  if (state_ != State::preparing && state_ != State::running) return;
  thread_.request_stop();
  setState(State::stopping);
}

void StudyController::collect() {
  if (!mailbox_) return;
  Mailbox::Contents contents = mailbox_->take();
  if (contents.header) run_.show(std::move(*contents.header), false);
  run_.update(contents.cells);
  if (contents.progress) {
    progress_ = *contents.progress;
    if (state_ == State::preparing && progress_.phase == "measuring") setState(State::running);
    emit progressed();
  }
  for (const std::string& what : contents.lost) emit workerLost(QString::fromStdString(what));
  if (contents.outcome) finish(std::move(*contents.outcome));
}

void StudyController::finish(StudyOutcome outcome) {
  if (thread_.joinable()) thread_.join();
  message_ = QString::fromStdString(outcome.message);
  // A runner that threw has no run to give: what it reported on the way stays.
  if (!outcome.run.cells.empty()) run_.show(std::move(outcome.run), false);
  progress_.secondsLeft = 0;
  setState(outcome.failed ? State::failed : State::finished);
}

void StudyController::setState(State state) {
  state_ = state;
  emit stateChanged(state);
}

}  // namespace fusebench

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/runs/study_controller.h"

#include <algorithm>
#include <exception>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

#include "ui/models/results/comparison.h"

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
    std::optional<BudgetNeed> need;
    std::optional<StudyOutcome> outcome;
  };

  /// Both are called on the measuring thread: when there is something, and when all is there.
  /// `journal`: where what is reported is kept, too; it may be null.
  Mailbox(std::function<void()> notify, std::function<void()> notifyEnd,
          std::shared_ptr<RunJournal> journal)
      : notify_(std::move(notify)),
        notifyEnd_(std::move(notifyEnd)),
        journal_(std::move(journal)) {}

  void started(const Run& header) override {
    if (journal_) journal_->started(header);
    post([&](Contents& c) { c.header = header; });
  }
  void cellChanged(int index, const Cell& cell) override {
    if (journal_) journal_->cellChanged(index, cell);
    post([&](Contents& c) { c.cells[index] = cell; });
  }
  void progressed(const StudyProgress& progress) override {
    post([&](Contents& c) { c.progress = progress; });
  }
  void overBudget(const BudgetNeed& need) override {
    post([&](Contents& c) { c.need = need; });
  }
  void workerLost(const std::string& what) override {
    post([&](Contents& c) { c.lost.push_back(what); });
  }
  void ended(StudyOutcome outcome) {
    post([&](Contents& c) { c.outcome = std::move(outcome); });
    notifyEnd_();
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
  std::function<void()> notify_, notifyEnd_;
  std::shared_ptr<RunJournal> journal_;
};

StudyController::StudyController(RunModel& run, StudyRunner runner, QObject* parent)
    : QObject(parent), run_(run), runner_(std::move(runner)) {
  gather_.setSingleShot(true);
  connect(&gather_, &QTimer::timeout, this, &StudyController::collect);
}

StudyController::~StudyController() {
  if (measuring_.thread.joinable()) left_.push_back(std::move(measuring_));
  for (Measuring& left : left_) left.thread.request_stop();
  for (Measuring& left : left_) left.thread.join();
}

/// Joins the threads that have nothing more to do than to end.
void StudyController::joinLeft() {
  std::erase_if(left_, [](Measuring& left) {
    if (!*left.done) return false;
    left.thread.join();
    return true;
  });
}

bool StudyController::busy() const {
  return state_ == State::preparing || state_ == State::running || state_ == State::stopping;
}

bool StudyController::canGoOn() const {
  if (busy() || !run_.run()) return false;
  const std::shared_ptr<const Run> run = run_.measured();
  const std::vector<Cell>& cells = run->cells;
  return std::any_of(cells.begin(), cells.end(), [](const Cell& cell) {
    return cell.stop != Stop::converged && cell.stop != Stop::cap && cell.stop != Stop::unavailable;
  });
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
  if (canGoOn()) retry();
}

void StudyController::retry() {
  if (busy() || !run_.run()) return;
  const std::shared_ptr<const Run> run = run_.measured();
  experiment_ = run->experiment;
  launch(run->quick, *run);
}

void StudyController::startInPlace(Experiment experiment, bool quick) {
  if (busy()) return;
  experiment_ = std::move(experiment);
  emit experimentChanged();
  launch(quick, std::nullopt);
}

void StudyController::replace(Experiment experiment) {
  abandon();
  experiment_ = std::move(experiment);
  launch(false, std::nullopt);
}

void StudyController::abandon() {
  if (!busy()) return;
  mailbox_.reset();
  measuring_.thread.request_stop();
  left_.push_back(std::move(measuring_));
  run_.interrupt();
  progress_ = {};
  setState(State::idle);
}

void StudyController::launch(bool quick, std::optional<Run> continueFrom) {
  if (busy() || !experiment_) return;
  joinLeft();
  message_.clear();
  progress_ = {};
  reported_ = false;
  // The destructor joins the measuring threads, so `this` outlives every call; a queued call that
  // is still under way then is dropped by Qt.
  const auto queue = [this](void (StudyController::*slot)()) {
    return [this, slot] { QMetaObject::invokeMethod(this, slot, Qt::QueuedConnection); };
  };
  journal_ = runsFolder_.isEmpty() ? nullptr : std::make_shared<RunJournal>(runsFolder_);
  mailbox_ = std::make_shared<Mailbox>(queue(&StudyController::gatherSoon),
                                       queue(&StudyController::collect), journal_);
  StudyOptions options = options_;
  options.quick = quick;
  setState(State::preparing);
  measuring_.done = std::make_shared<std::atomic<bool>>(false);
  measuring_.thread = std::jthread([runner = runner_, experiment = *experiment_, options,
                                    from = std::move(continueFrom), mailbox = mailbox_,
                                    done = measuring_.done](std::stop_token stop) {
    StudyOutcome outcome;
    try {
      outcome = runner(experiment, options, *mailbox, stop, from ? &*from : nullptr);
    } catch (const std::exception& error) {
      outcome.failed = true;
      outcome.message = error.what();
    }
    mailbox->ended(std::move(outcome));
    *done = true;
  });
}

void StudyController::stop() {
  if (state_ != State::preparing && state_ != State::running) return;
  measuring_.thread.request_stop();
  setState(State::stopping);
}

void StudyController::gatherSoon() {
  if (gather_.isActive()) return;
  // After a pause at once: only what follows closely is gathered.
  const qint64 since = lastCollected_.isValid() ? lastCollected_.elapsed() : kGatherMilliseconds;
  gather_.start(
      static_cast<int>(std::clamp<qint64>(kGatherMilliseconds - since, 0, kGatherMilliseconds)));
}

void StudyController::collect() {
  if (!mailbox_) return;
  lastCollected_.start();
  Mailbox::Contents contents = mailbox_->take();
  if (contents.header) {
    run_.show(std::move(*contents.header), false);
    reported_ = true;
  }
  run_.update(contents.cells);
  if (contents.progress) {
    progress_ = *contents.progress;
    if (state_ == State::preparing && progress_.phase != "preparing" && progress_.phase != "done")
      setState(State::running);
    emit progressed();
  }
  if (contents.need) emit overBudget(*contents.need);
  for (const std::string& what : contents.lost) emit workerLost(QString::fromStdString(what));
  if (contents.outcome) finish(std::move(*contents.outcome));
}

void StudyController::finish(StudyOutcome outcome) {
  if (measuring_.thread.joinable()) measuring_.thread.join();  // its study has returned
  message_ = QString::fromStdString(outcome.message);
  // A runner that threw has no run to give: what it reported on the way stays.
  if (!outcome.run.cells.empty()) {
    run_.complete(std::move(outcome.run));
    reported_ = true;
  }
  if (journal_ && (!reported_ || !run_.run() || sampleCount(*run_.measured()) == 0))
    journal_->discard();
  progress_.secondsLeft = 0;
  setState(outcome.failed ? State::failed : State::finished);
}

void StudyController::setState(State state) {
  state_ = state;
  emit stateChanged(state);
}

}  // namespace fusebench

#include "moc_study_controller.cpp"

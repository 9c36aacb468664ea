// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/results/run_model.h"

#include <QThreadPool>
#include <atomic>
#include <numeric>

#include "ui/models/results/comparison.h"

namespace fusebench {

void RunModel::show(Run run, bool saved) {
  if (run.cells.empty())  // a header: the places are known, the results are not
    for (CellKey& key : cells(run.experiment)) {
      Cell cell;
      cell.key = std::move(key);
      run.cells.push_back(std::move(cell));
    }
  emit runAboutToReset();
  // The same run, complete at last: what is known of its cells holds.
  if (!run_ || run_->startedAt != run.startedAt) summaries_.clear();
  replace(std::make_shared<Run>(std::move(run)));
  summaries_.update(*run_);
  emit runReset();
  setUnsaved(!saved && worthSaving());
}

void RunModel::complete(Run run) {
  const bool same =
      run_ && run_->startedAt == run.startedAt && run_->cells.size() == run.cells.size();
  if (same) {
    replace(std::make_shared<Run>(std::move(run)));
    std::vector<int> cells(run_->cells.size());
    std::iota(cells.begin(), cells.end(), 0);
    summaries_.update(*run_);
    emit cellsChanged(cells);
    setUnsaved(worthSaving());
  } else {
    show(std::move(run), false);
  }
  emit completed();
}

void RunModel::clear() {
  emit runAboutToReset();
  replace(nullptr);
  summaries_.clear();
  emit runReset();
  setUnsaved(false);
}

void RunModel::update(const std::map<int, Cell>& changed) {
  if (!run_ || changed.empty()) return;
  std::vector<int> cells;
  Run& run = own();
  for (const auto& [index, cell] : changed)
    if (index >= 0 && static_cast<std::size_t>(index) < run.cells.size()) {
      run.cells[static_cast<std::size_t>(index)] = cell;
      cells.push_back(index);
    }
  summaries_.update(*run_, cells);
  emit cellsChanged(cells);
  setUnsaved(worthSaving());
}

void RunModel::interrupt() {
  if (!run_) return;
  std::map<int, Cell> ended;
  for (std::size_t i = 0; i < run_->cells.size(); ++i)
    if (run_->cells[i].stop == Stop::running) {
      Cell& cell = ended[static_cast<int>(i)] = run_->cells[i];
      cell.stop = Stop::interrupted;
    }
  if (ended.empty()) return;
  own().interrupted = true;
  const bool unsaved = unsaved_;
  update(ended);
  setUnsaved(unsaved);
}

/// Letting go of a large run takes milliseconds, which are not the window's.
void RunModel::replace(std::shared_ptr<Run> run) {
  std::swap(run_, run);
  if (run) QThreadPool::globalInstance()->start([old = std::move(run)] {});
}

/// The run, to be changed: nobody else sees the change.
Run& RunModel::own() {
  if (run_.use_count() > 1) run_ = std::make_shared<Run>(*run_);
  // What another thread read before it let go has been read.
  std::atomic_thread_fence(std::memory_order_acquire);
  return *run_;
}

bool RunModel::worthSaving() const {
  return !run_->explored && sampleCount(*run_) > 0;
}

void RunModel::markSaved() {
  setUnsaved(false);
}

void RunModel::setUnsaved(bool unsaved) {
  if (unsaved == unsaved_) return;
  unsaved_ = unsaved;
  emit unsavedChanged(unsaved);
}

}  // namespace fusebench

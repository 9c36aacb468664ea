// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/results/run_model.h"

#include <QThreadPool>
#include <algorithm>
#include <atomic>
#include <numeric>
#include <utility>

#include "profiler/study/study.h"
#include "ui/models/results/comparison.h"
#include "ui/models/results/same_measurement.h"

namespace fusebench {

namespace {

bool isExploredOf(const Run& run, const Run& asked) {
  return run.explored && !asked.explored && run.device == asked.device &&
         run.cells.size() == asked.cells.size() && sampleCount(run) > 0 &&
         sameMeasurement(run.experiment, asked.experiment);
}

}  // namespace

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
  const std::shared_ptr<const Run> before = run_;
  const bool borrows = !saved && before && (lent() > 0 || isExploredOf(*before, run));
  const std::vector<bool> stillLent = std::exchange(lent_, {});
  own_.reset();
  if (borrows) borrow(*before, stillLent, run);
  replace(std::make_shared<Run>(std::move(run)));
  summaries_.update(*run_);
  emit runReset();
  setUnsaved(!saved && worthSaving());
}

/// Fills the gaps of a run with what exploring measured: all of a run, or the cells that were still
/// lent to the one before.
void RunModel::borrow(const Run& before, const std::vector<bool>& stillLent, Run& run) {
  if (before.cells.size() != run.cells.size() ||
      !sameMeasurement(before.experiment, run.experiment))
    return;
  own_ = std::make_shared<Run>(run);
  lent_.assign(run.cells.size(), false);
  for (std::size_t i = 0; i < run.cells.size(); ++i) {
    const Cell& known = before.cells[i];
    if (known.samples.empty() || (!stillLent.empty() && !stillLent[i])) continue;
    if (run.cells[i].samples.size() >= std::min(kLeastSamples, known.samples.size())) continue;
    const Stop stop = run.cells[i].stop;
    run.cells[i] = known;
    run.cells[i].stop = stop;
    lent_[i] = true;
  }
  if (lent() == 0) own_.reset();
}

std::size_t RunModel::lent() const {
  return static_cast<std::size_t>(std::count(lent_.begin(), lent_.end(), true));
}

/// A cell as its study has it now. One that is lent stays until there is better, or it is known
/// that there will not be any; it only ends as the study's does.
void RunModel::take(std::size_t index, const Cell& cell) {
  if (own_) own_->cells[index] = cell;
  Cell& shown = run_->cells[index];
  if (!lent_.empty() && lent_[index]) {
    const bool better = cell.samples.size() >= std::min(kLeastSamples, shown.samples.size());
    const bool cannot = cell.stop == Stop::failed || cell.stop == Stop::unavailable;
    if (!better && !cannot) {
      shown.stop = cell.stop;
      return;
    }
    lent_[index] = false;
  }
  shown = cell;
}

void RunModel::complete(Run run) {
  const bool same =
      run_ && run_->startedAt == run.startedAt && run_->cells.size() == run.cells.size();
  if (same) {
    if (lent() > 0) {
      own_ = std::make_shared<Run>(run);
      alone();  // another thread may be reading it
      Run mixed = run;
      for (std::size_t i = 0; i < mixed.cells.size(); ++i) {
        take(i, run.cells[i]);
        mixed.cells[i] = run_->cells[i];
      }
      run = std::move(mixed);
    }
    if (lent() == 0) {
      own_.reset();
      lent_.clear();
    }
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
  own_.reset();
  lent_.clear();
  summaries_.clear();
  emit runReset();
  setUnsaved(false);
}

void RunModel::update(const std::map<int, Cell>& changed) {
  if (!run_ || changed.empty()) return;
  std::vector<int> cells;
  const Run& run = alone();
  if (own_.use_count() > 1) own_ = std::make_shared<Run>(*own_);
  for (const auto& [index, cell] : changed)
    if (index >= 0 && static_cast<std::size_t>(index) < run.cells.size()) {
      take(static_cast<std::size_t>(index), cell);
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
  alone().interrupted = true;
  const bool unsaved = unsaved_;
  update(ended);
  setUnsaved(unsaved);
}

/// Destroying a large run takes milliseconds, so another thread does it.
void RunModel::replace(std::shared_ptr<Run> run) {
  std::swap(run_, run);
  if (run) QThreadPool::globalInstance()->start([old = std::move(run)] {});
}

/// The run, to be changed: nobody else sees the change.
Run& RunModel::alone() {
  if (run_.use_count() > 1) run_ = std::make_shared<Run>(*run_);
  // Makes sure that all reads by a thread that has dropped its reference are complete.
  std::atomic_thread_fence(std::memory_order_acquire);
  return *run_;
}

bool RunModel::worthSaving() const {
  return !run_->explored && sampleCount(*measured()) > 0;
}

void RunModel::relabel(const Experiment& experiment) {
  if (!run_ || !sameMeasurement(run_->experiment, experiment)) return;
  Experiment named = experiment;
  named.measure = run_->experiment.measure;
  if (toJson(named) == toJson(run_->experiment)) return;
  emit runAboutToReset();
  alone().experiment = named;
  if (own_) {
    own_ = std::make_shared<Run>(*own_);
    own_->experiment = std::move(named);
  }
  emit runReset();
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

#include "moc_run_model.cpp"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/run_model.h"

#include <numeric>

#include "ui/models/comparison.h"

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
  run_ = std::move(run);
  summaries_.update(*run_);
  emit runReset();
  setUnsaved(!saved && worthSaving());
}

void RunModel::complete(Run run) {
  const bool same =
      run_ && run_->startedAt == run.startedAt && run_->cells.size() == run.cells.size();
  if (same) {
    run_ = std::move(run);
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
  run_.reset();
  summaries_.clear();
  emit runReset();
  setUnsaved(false);
}

void RunModel::update(const std::map<int, Cell>& changed) {
  if (!run_ || changed.empty()) return;
  std::vector<int> cells;
  for (const auto& [index, cell] : changed)
    if (index >= 0 && static_cast<std::size_t>(index) < run_->cells.size()) {
      run_->cells[static_cast<std::size_t>(index)] = cell;
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
  run_->interrupted = true;
  const bool unsaved = unsaved_;
  update(ended);
  setUnsaved(unsaved);
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

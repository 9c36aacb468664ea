// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/run_model.h"

#include "ui/models/comparison.h"

namespace fusebench {

void RunModel::show(Run run, bool saved) {
  if (run.cells.empty())  // a header: the places are known, the results are not
    for (CellKey& key : cells(run.experiment)) {
      Cell cell;
      cell.key = std::move(key);
      run.cells.push_back(std::move(cell));
    }
  const bool measured = sampleCount(run) > 0;
  run_ = std::move(run);
  emit runReset();
  setUnsaved(!saved && measured);
}

void RunModel::clear() {
  run_.reset();
  emit runReset();
  setUnsaved(false);
}

void RunModel::update(const std::map<int, Cell>& changed) {
  if (!run_ || changed.empty()) return;
  for (const auto& [index, cell] : changed)
    if (index >= 0 && static_cast<std::size_t>(index) < run_->cells.size())
      run_->cells[static_cast<std::size_t>(index)] = cell;
  emit cellsChanged();
  setUnsaved(sampleCount(*run_) > 0);
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

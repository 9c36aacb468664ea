// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <map>
#include <memory>
#include <vector>

#include "profiler/run/run.h"
#include "ui/models/results/cell_summaries.h"

namespace fusebench {

/// The run that the window shows: the one being measured, or one that was opened. Lives on the
/// window's thread; StudyController carries results over from the measuring thread.
class RunModel : public QObject {
  Q_OBJECT

 public:
  using QObject::QObject;

  /// Null before the first run.
  const Run* run() const { return run_.get(); }
  /// A snapshot of the run, to be saved or read on another thread: a copy is made only if the run
  /// changes while the snapshot is in use.
  std::shared_ptr<const Run> shared() const { return run_; }
  /// The run to save, export and continue: without the cells that are borrowed from exploring.
  std::shared_ptr<const Run> measured() const { return own_ ? own_ : run_; }
  /// How many cells show Explore's results because the requested run has too few samples of them
  /// for an interval.
  std::size_t lent() const;
  bool isLent(std::size_t cell) const { return cell < lent_.size() && lent_[cell]; }
  /// The summaries of its cells.
  const CellSummaries& summaries() const { return summaries_; }
  /// Whether it has samples that are not in a file. Results of Explore do not count.
  bool unsaved() const { return unsaved_; }

  /// Shows another run; `saved` if it came from a file. A run that is just beginning borrows
  /// Explore's results for the same experiment until it has better ones.
  void show(Run run, bool saved);
  /// The displayed run as its study returned it at the end: the same cells, with all changes. Shows
  /// it if it is another run.
  void complete(Run run);
  void clear();
  /// Replaces cells by what was measured since; places outside of the run are ignored.
  void update(const std::map<int, Cell>& changed);
  void markSaved();
  /// Adopts names, titles and colors from the experiment if it is otherwise that of the run. A run
  /// that was handed out by shared() keeps its old names.
  void relabel(const Experiment& experiment);
  /// Nothing more comes: cells that were still being measured ended where they are.
  void interrupt();

 signals:
  /// The previous run is still available. Views that show it row by row must drop it now, because
  /// other listeners of runReset may request a row before it is their turn.
  void runAboutToReset();
  void runReset();
  /// These indices of Run::cells, ascending, have new data.
  void cellsChanged(const std::vector<int>& cells);
  /// Nothing more comes.
  void completed();
  void unsavedChanged(bool unsaved);

 private:
  void setUnsaved(bool unsaved);
  bool worthSaving() const;
  void replace(std::shared_ptr<Run> run);
  Run& alone();
  void borrow(const Run& before, const std::vector<bool>& stillLent, Run& run);
  void take(std::size_t index, const Cell& cell);

  std::shared_ptr<Run> run_;
  std::shared_ptr<Run> own_;     ///< run_ without borrowed cells; null: the same
  std::vector<bool> lent_ = {};  ///< of the cells; empty: none is
  CellSummaries summaries_;
  bool unsaved_ = false;
};

}  // namespace fusebench

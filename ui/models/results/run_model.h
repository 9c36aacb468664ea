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
  /// The same as it is now, to be kept or read on another thread: a copy is made only when the
  /// shown one changes while somebody holds it.
  std::shared_ptr<const Run> shared() const { return run_; }
  /// What is kept, exported and gone on with: the run without the cells that exploring lends it.
  std::shared_ptr<const Run> measured() const { return own_ ? own_ : run_; }
  /// How many cells are shown as exploring measured them, since the run that was asked for has
  /// fewer samples of them as yet than an interval takes.
  std::size_t lent() const;
  bool isLent(std::size_t cell) const { return cell < lent_.size() && lent_[cell]; }
  /// What is shown of each of its cells.
  const CellSummaries& summaries() const { return summaries_; }
  /// Whether it holds samples that no file has. What exploring measured does not count.
  bool unsaved() const { return unsaved_; }

  /// Shows another run; `saved` if it came from a file. One that is only beginning borrows from
  /// exploring what that measured of the same experiment, until it has better.
  void show(Run run, bool saved);
  /// The shown run as its study gave it at the end: the same cells, whatever of them has changed
  /// since. Shows it if it is another one.
  void complete(Run run);
  void clear();
  /// Replaces cells by what was measured since; places outside of the run are ignored.
  void update(const std::map<int, Cell>& changed);
  void markSaved();
  /// Takes over what the experiment calls its parts, if it is that of the run but for names, titles
  /// and colours. What is kept of the run stays as it was named.
  void relabel(const Experiment& experiment);
  /// Nothing more comes: cells that were still being measured ended where they are.
  void interrupt();

 signals:
  /// The run is still the one before: what shows it row by row lets go of it now, since other
  /// listeners of runReset may ask for a row before its turn comes.
  void runAboutToReset();
  void runReset();
  /// These indices of Run::cells, ascending, hold something new.
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
  std::shared_ptr<Run> own_;     ///< what run_ is without what is lent to it; null: the same
  std::vector<bool> lent_ = {};  ///< of the cells; empty: none is
  CellSummaries summaries_;
  bool unsaved_ = false;
};

}  // namespace fusebench

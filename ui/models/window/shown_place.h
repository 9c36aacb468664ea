// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <optional>
#include <string>
#include <vector>

#include "ui/models/results/run_model.h"
#include "ui/models/setup/document_model.h"

namespace fusebench {

/// The point that all views mark: the position of the cursor, the pinned position, and the selected
/// value of the second axis.
class ShownPlace : public QObject {
  Q_OBJECT

 public:
  ShownPlace(const DocumentModel& document, const RunModel& run, QObject* parent = nullptr);

  /// The experiment of the chart's axis: the measured one; before that, the one to be measured.
  const Experiment& experiment() const;
  std::optional<double> pinned() const { return pinned_; }
  std::size_t slice() const { return slice_; }

  /// Moves the cursor here until its next move; not a number: to its pinned position. `scroll`:
  /// lists also scroll to the point.
  void mark(std::optional<double> x, bool scroll = true);
  void pin(std::optional<double> x, bool scroll = true);
  /// Pins it there, or unpins it if it was pinned there.
  void toggle(double x);
  /// The axes are those of another run: a pinned position is kept if that point exists.
  void restore();
  void setSlice(std::size_t slice);

 signals:
  void pinChanged(std::optional<double> x);
  void marked(std::optional<double> x, bool scroll);
  /// The cursor is where it is pinned: a value for each axis.
  void arrived(const std::vector<std::int64_t>& at);
  void sliceChanged(std::size_t slice);

 private:
  const DocumentModel& document_;
  const RunModel& run_;
  std::optional<double> pinned_;
  std::string pinnedAxis_;
  std::size_t slice_ = 0;
};

}  // namespace fusebench

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <optional>
#include <string>
#include <vector>

#include "ui/models/results/run_model.h"
#include "ui/models/setup/document_model.h"

namespace fusebench {

/// The place on the axes that all views mark: the position of the cursor, where it is pinned, and
/// the selected value of the second axis.
class ShownPlace : public QObject {
  Q_OBJECT

 public:
  ShownPlace(const DocumentModel& document, const RunModel& run, QObject* parent = nullptr);

  /// What the chart's axis is of: what was measured; before that, what will be.
  const Experiment& experiment() const;
  std::optional<double> pinned() const { return pinned_; }
  std::size_t slice() const { return slice_; }

  /// Moves the cursor here until its next move; not a number: to where it is pinned. `scroll`:
  /// lists show the place, too.
  void mark(std::optional<double> x, bool scroll = true);
  void pin(std::optional<double> x, bool scroll = true);
  /// Pins it there, or unpins it if it was pinned there.
  void toggle(double x);
  /// The axes are of another run: what was pinned stays if there is such a place.
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

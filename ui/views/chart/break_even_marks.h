// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <vector>

#include "ui/views/chart/plot_frame.h"

namespace fusebench {

/// Break-evens: a line with its interval, a dot on the curve, and a chip above it with the
/// position.
class BreakEvenMarks {
 public:
  explicit BreakEvenMarks(PlotFrame& frame) : frame_(frame) {}
  /// The content has changed.
  void make();
  void restyle();
  /// Called after every layout: places the chips where they cover neither each other nor the
  /// curves.
  void place();
  bool empty() const { return marks_.empty(); }
  void setShowChips(bool on) { chips_ = on; }
  /// Full sentence of the mark whose chip or dot is at this position; empty if there is none.
  QString tipAt(const QPointF& position) const;
  QStringList sentences() const;

 private:
  struct Mark {
    Crossing crossing;
    QCPItemRect* interval;
    QCPItemLine* line;
    QCPItemEllipse* dot;
    QCPItemText* chip;
  };
  void style(Mark& mark);

  PlotFrame& frame_;
  std::vector<Mark> marks_;
  bool chips_ = true;
};

}  // namespace fusebench

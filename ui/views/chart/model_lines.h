// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "ui/views/chart/cost_lines.h"

namespace fusebench {

/// Fitted lines with the cost of a launch according to them.
class ModelLines {
 public:
  explicit ModelLines(PlotFrame& frame) : frame_(frame) {}
  void setShown(bool shown) { shown_ = shown; }
  void make();
  void restyle();
  /// The lines themselves, for the current axes.
  void fill();
  /// A name is above or below its line, where it covers neither a curve nor another name; otherwise
  /// it is hidden.
  void place(const Covers& covers);
  /// Whether a name intersects this area.
  bool meets(const QRectF& area) const;

 private:
  struct Line {
    QCPGraph* line;
    QCPItemText* label;
  };
  PlotFrame& frame_;
  std::vector<Line> lines_;
  std::vector<QRectF> taken_;  ///< by the names
  bool shown_ = true;
};

}  // namespace fusebench

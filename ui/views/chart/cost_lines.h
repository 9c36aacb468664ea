// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <functional>
#include <vector>

#include "ui/views/chart/plot_frame.h"

namespace fusebench {

/// Whether something drawn in this area, in pixels, would cover a curve or a name.
using Covers = std::function<bool(const QRectF& area)>;

/// The costs of the basic steps of a call: levels to compare latencies with.
class CostLines {
 public:
  explicit CostLines(PlotFrame& frame) : frame_(frame) {}
  void make();
  void restyle();
  /// Names start at the left end of their levels. A name that would cover another name or a curve
  /// moves to the right, or is left out.
  void place(const Covers& covers);
  /// Names of the levels that are drawn with their names.
  QStringList named() const;

 private:
  struct Line {
    QCPItemLine* line;
    QCPItemText* label;
  };
  PlotFrame& frame_;
  std::vector<Line> lines_;
};

}  // namespace fusebench

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "ui/views/chart/plot_frame.h"

namespace fusebench {

/// Names at the ends of the shown run's curves.
class EndLabels {
 public:
  explicit EndLabels(PlotFrame& frame) : frame_(frame) {}
  void setShown(bool shown) { shown_ = shown; }
  void make();
  void restyle();
  /// They move up and down until none covers another.
  void place();
  /// Whether one lies in an area of pixels.
  bool meets(const QRectF& area) const;

 private:
  PlotFrame& frame_;
  std::vector<QCPItemText*> labels_;  ///< one a curve
  bool shown_ = true;
};

}  // namespace fusebench

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <vector>

#include "ui/views/chart/plot_frame.h"

namespace fusebench {

/// The cursor with rings around the points there, and the pin with a knob to drag it by.
class PlotCursor {
 public:
  explicit PlotCursor(PlotFrame& frame);
  void make();
  void restyle();
  void place();
  /// Marks the points at one value of the axis; nothing: no mark.
  void highlight(std::optional<double> x);
  void setPin(std::optional<double> x);

 private:
  void placePin();

  PlotFrame& frame_;
  QCPItemLine* line_;
  QCPItemLine* pinLine_;
  QCPItemEllipse* knob_;
  std::vector<QCPItemEllipse*> rings_;  ///< one a curve
  std::optional<double> highlighted_, pin_;
};

}  // namespace fusebench

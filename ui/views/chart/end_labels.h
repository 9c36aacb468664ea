// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <vector>

#include "ui/views/chart/plot_frame.h"

namespace fusebench {

/// Names at the ends of the shown run's curves.
class EndLabels {
 public:
  explicit EndLabels(PlotFrame& frame) : frame_(frame) {}
  void setShown(bool shown) { shown_ = shown; }
  void make();
  /// Curves that are drawn faintly have faint names.
  void setFaint(std::vector<bool> faint);
  void restyle();
  /// They move up and down until none covers another.
  void place();
  /// Whether a label intersects this area, in pixels.
  bool meets(const QRectF& area) const;
  /// The curve whose name is at this position.
  std::optional<std::size_t> curveAt(const QPointF& position) const;

 private:
  QRectF areaOf(const QCPItemText& label) const;
  PlotFrame& frame_;
  std::vector<QCPItemText*> labels_;   ///< one a curve
  std::vector<QCPItemLine*> leaders_;  ///< one per curve: from its end to a name that had to move
  std::vector<bool> faint_;            ///< one a curve; what is missing is not
  bool shown_ = true;
};

}  // namespace fusebench

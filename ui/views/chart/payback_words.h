// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "ui/views/chart/plot_frame.h"

namespace fusebench {

/// Paybacks that are not numbers. Each is shown in words above a line over the range of the axis
/// for which it holds.
class PaybackWords {
 public:
  explicit PaybackWords(PlotFrame& frame) : frame_(frame) {}
  void make();
  void restyle();
  void place();
  bool empty() const { return words_.empty(); }
  /// The range that leaves room for rows of words above and below it.
  AxisRange withRoom(const AxisRange& range) const;

 private:
  struct Word {
    QCPItemLine* line;
    QCPItemText* label;
  };
  /// In pixels: a line and where its text starts; row 0 is nearest to the edge.
  struct Place {
    double left = 0, right = 0, text = 0;
    int row = 0;
  };
  std::vector<Place> places() const;
  double rowHeight(int rows) const;
  double heightOf(bool low, int row, int above, int below) const;

  PlotFrame& frame_;
  std::vector<Word> words_;
};

}  // namespace fusebench

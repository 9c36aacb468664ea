// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "ui/models/chart/curves.h"

namespace fusebench {

/// The part of an axis that is on the screen.
struct AxisWindow {
  double left = 0, right = 1;  ///< values at the edges
  int pixels = 1;              ///< between them
  bool logarithmic = false;    ///< then left > 0
};

/// Returns at most two points per pixel column, the lowest and the highest one, with their bands
/// widened to cover all points that they represent. Keeps the extremes of blocks of points, so that
/// the cost of a frame depends on the screen and not on the number of points.
class Thinner {
 public:
  Thinner() = default;
  /// The points must outlive it: ascending x.
  explicit Thinner(const std::vector<CurvePoint>& points);

  /// The points inside the window, and one beyond each edge so that lines run on to it.
  std::vector<CurvePoint> thinned(const AxisWindow& window) const;

 private:
  struct Extremes {
    std::size_t lowest = 0, highest = 0;  ///< positions
    double low = 0, high = 0;             ///< of the bands
  };
  Extremes extremes(std::size_t begin, std::size_t end) const;
  void widen(Extremes& extremes, std::size_t at) const;
  void widen(Extremes& extremes, const Extremes& block) const;

  const std::vector<CurvePoint>* points_ = nullptr;
  std::vector<Extremes> blocks_;
};

std::vector<CurvePoint> thinned(const std::vector<CurvePoint>& points, const AxisWindow& window);

}  // namespace fusebench

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <cstdint>
#include <vector>

#include "ui/models/chart/break_even_map.h"
#include "ui/models/chart/ratio_scale.h"

namespace fusebench {

/// A break-even map, ready to be drawn in the window or a file. Positions are fractions of the
/// plot: x from its left edge, y from its lower one. Colors are given as strengths, see ratioColor.
struct MapPicture {
  enum class Fill : std::uint8_t {
    absent,   ///< it was not measured: an outline and a dash
    crossed,  ///< it will never be measured
    blank,    ///< nothing is known yet
    pale,     ///< the color of a nearby measured point
    full
  };
  struct Cell {
    MapPoint low, high;  ///< the corners with the smallest and with the largest shares
    Fill fill = Fill::blank;
    double strength = 0;
    QString figure = {};  ///< the speedup, or a dash; empty: not shown here
  };
  struct Tick {
    double at = 0;
    QString text;
    bool one = false;  ///< in the scale: as fast as the baseline
  };

  std::vector<Cell> cells;  ///< in the order of the map's places
  Contours contours;
  std::vector<Tick> x, y;
  QString xLabel, yLabel;
  std::vector<Tick> scale;  ///< ticks of the color bar, most important first; none: no bar
  RatioScale ratios;

  bool empty() const { return cells.empty(); }
  /// The strength whose color the bar shows at a fraction of its height.
  double strengthAt(double share) const;
};

MapPicture mapPicture(const BreakEvenMap& map);

}  // namespace fusebench

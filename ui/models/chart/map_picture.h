// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <cstdint>
#include <vector>

#include "ui/models/chart/break_even_map.h"
#include "ui/models/chart/ratio_scale.h"

namespace fusebench {

/// What is drawn of a break-even map, wherever it is drawn. Places are shares of the plot: x from
/// its left edge, y from its lower one. Colours are strengths, see ratioColor.
struct MapPicture {
  enum class Fill : std::uint8_t {
    absent,   ///< it was not measured: an outline and a dash
    crossed,  ///< it will never be measured
    blank,    ///< nothing is known yet
    pale,     ///< the colour of a measured place near by
    full
  };
  struct Cell {
    MapPoint low, high;  ///< the corners with the smallest and with the largest shares
    Fill fill = Fill::blank;
    double strength = 0;
    QString figure = {};  ///< how many times as fast; empty: not measured here
  };
  struct Tick {
    double at = 0;
    QString text;
    bool one = false;  ///< of the scale: as fast as the baseline
  };

  std::vector<Cell> cells;  ///< in the order of the map's places
  Contours contours;
  std::vector<Tick> x, y;
  QString xLabel, yLabel;
  std::vector<Tick> scale;  ///< of the bar of colours, what matters most first; none: no bar
  RatioScale ratios;

  bool empty() const { return cells.empty(); }
  /// The colour of the bar at a share of its height.
  double strengthAt(double share) const;
};

MapPicture mapPicture(const BreakEvenMap& map);

}  // namespace fusebench

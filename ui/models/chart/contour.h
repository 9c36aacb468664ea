// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

namespace fusebench {

/// The state of one point of a map.
enum class PlaceState : std::uint8_t {
  pending,   ///< not measured yet
  measured,  ///< its value is known
  empty,     ///< it was not measured: the measurement ended before
  hole       ///< it will not be measured: a variant cannot run there
};

/// A field over a grid whose lines need not be evenly spaced. Place (i, j) is
/// element i * y.size() + j of the fields. `low` and `high` bound `value`; all
/// three are read only where measured.
struct ContourGrid {
  std::vector<double> x, y;  ///< ascending
  std::vector<PlaceState> state;
  std::vector<double> value, low, high;

  std::size_t at(std::size_t i, std::size_t j) const { return i * y.size() + j; }
};

struct MapPoint {
  double x = 0, y = 0;
  friend bool operator==(const MapPoint&, const MapPoint&) = default;
};
/// Closed if the first point is repeated at the end.
using MapLine = std::vector<MapPoint>;

struct Contours {
  std::vector<MapLine> line;  ///< where `value` is 0
  std::vector<MapLine> low;   ///< where `low` is 0
  std::vector<MapLine> high;  ///< where `high` is 0
  /// Where low <= 0 <= high: convex polygons, all wound alike, that tile the
  /// region.
  std::vector<MapLine> band;
};

/// The contours at 0, by marching squares over the measured places. Each square is split into four
/// triangles around its center (the mean of its corners), on each of which the field is linear:
/// this leaves no saddle to decide and makes line and band agree. While places are pending, the
/// squares are those of the coarser grid that is complete (bisectionLevels of
/// profiler/study/study_schedule.h gives its lines). A square with a hole at a corner has no
/// contour.
Contours contoursAtZero(const ContourGrid& grid);

}  // namespace fusebench

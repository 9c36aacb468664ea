// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/chart/contour.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

namespace fusebench {
namespace {

/// A corner of a triangle. `id` tells it apart from all others of the grid.
struct Corner {
  std::size_t id = 0;
  MapPoint at;
  double value = 0, low = 0, high = 0;
};
using Triangle = std::array<Corner, 3>;
using Edge = std::pair<std::size_t, std::size_t>;

/// Grid lines that bound a rectangle.
struct Rectangle {
  std::size_t left, right, bottom, top;
};

// ---- the squares that can be drawn ----

class Squares {
 public:
  explicit Squares(const ContourGrid& grid) : grid_(grid) {}

  std::vector<Rectangle> all() {
    if (grid_.x.size() > 1 && grid_.y.size() > 1)
      visit({0, grid_.x.size() - 1, 0, grid_.y.size() - 1});
    return std::move(found_);
  }

 private:
  bool is(PlaceState state, std::size_t i, std::size_t j) const {
    return grid_.state[grid_.at(i, j)] == state;
  }
  bool cornersMeasured(const Rectangle& r) const {
    return is(PlaceState::measured, r.left, r.bottom) &&
           is(PlaceState::measured, r.right, r.bottom) && is(PlaceState::measured, r.left, r.top) &&
           is(PlaceState::measured, r.right, r.top);
  }

  /// The lines of a side after one bisection; the same rule as the order of
  /// measuring.
  static std::vector<std::size_t> lines(std::size_t first, std::size_t last) {
    if (last - first < 2) return {first, last};
    return {first, (first + last) / 2, last};
  }

  void visit(const Rectangle& r) {
    const auto across = lines(r.left, r.right), up = lines(r.bottom, r.top);
    if (across.size() == 2 && up.size() == 2) {
      if (cornersMeasured(r)) found_.push_back(r);
      return;
    }
    bool pending = false;
    for (const std::size_t i : across)
      for (const std::size_t j : up) pending = pending || is(PlaceState::pending, i, j);
    if (pending && cornersMeasured(r)) {
      found_.push_back(r);
      return;
    }
    for (std::size_t i = 0; i + 1 < across.size(); ++i)
      for (std::size_t j = 0; j + 1 < up.size(); ++j)
        visit({across[i], across[i + 1], up[j], up[j + 1]});
  }

  const ContourGrid& grid_;
  std::vector<Rectangle> found_;
};

Corner cornerAt(const ContourGrid& grid, std::size_t i, std::size_t j) {
  const std::size_t at = grid.at(i, j);
  return {at, {grid.x[i], grid.y[j]}, grid.value[at], grid.low[at], grid.high[at]};
}

std::vector<Triangle> trianglesOf(const ContourGrid& grid) {
  std::vector<Triangle> triangles;
  std::size_t nextId = grid.state.size();
  for (const Rectangle& r : Squares(grid).all()) {
    // Counter-clockwise, so that all polygons cut from them are wound alike.
    const std::array<Corner, 4> corners = {
        cornerAt(grid, r.left, r.bottom), cornerAt(grid, r.right, r.bottom),
        cornerAt(grid, r.right, r.top), cornerAt(grid, r.left, r.top)};
    Corner center;
    center.id = nextId++;
    for (const Corner& corner : corners) {
      center.at.x += corner.at.x / 4;
      center.at.y += corner.at.y / 4;
      center.value += corner.value / 4;
      center.low += corner.low / 4;
      center.high += corner.high / 4;
    }
    for (std::size_t k = 0; k < 4; ++k)
      triangles.push_back({corners[k], corners[(k + 1) % 4], center});
  }
  return triangles;
}

// ---- lines ----

MapPoint between(const Corner& a, const Corner& b, double valueA, double valueB) {
  const double t = valueA / (valueA - valueB);
  return {a.at.x + t * (b.at.x - a.at.x), a.at.y + t * (b.at.y - a.at.y)};
}

/// Pieces of a contour, each from one edge of a triangle to another, joined
/// where they share one.
class LineJoiner {
 public:
  void add(const Triangle& triangle, double Corner::*field) {
    std::vector<Edge> crossed;
    for (std::size_t k = 0; k < 3; ++k) {
      const Corner *a = &triangle[k], *b = &triangle[(k + 1) % 3];
      if ((a->*field >= 0) == (b->*field >= 0)) continue;
      if (b->id < a->id) std::swap(a, b);  // from both sides the same point, to the last bit
      const Edge edge{a->id, b->id};
      points_[edge] = between(*a, *b, a->*field, b->*field);
      crossed.push_back(edge);
    }
    if (crossed.size() != 2) return;
    next_[crossed[0]].push_back(crossed[1]);
    next_[crossed[1]].push_back(crossed[0]);
  }

  std::vector<MapLine> joined() {
    std::vector<MapLine> lines;
    // Open lines from their ends first; what is left then are rings.
    for (const bool rings : {false, true})
      for (const auto& [edge, ignored] : points_) {
        const std::size_t ways = next_[edge].size();
        if (ways == 0 || (!rings && ways != 1)) continue;
        lines.push_back(follow(edge));
      }
    return lines;
  }

 private:
  MapLine follow(Edge edge) {
    MapLine line{points_[edge]};
    while (!next_[edge].empty()) {
      const Edge to = next_[edge].back();
      next_[edge].pop_back();
      std::erase(next_[to], edge);
      line.push_back(points_[to]);
      edge = to;
    }
    return line;
  }

  std::map<Edge, MapPoint> points_;
  std::map<Edge, std::vector<Edge>> next_;
};

// ---- the band ----

/// The part of a convex polygon where `field` * sign >= 0 (Sutherland and
/// Hodgman, "Reentrant polygon clipping", 1974).
std::vector<Corner> clipped(const std::vector<Corner>& polygon, double Corner::*field,
                            double sign) {
  std::vector<Corner> kept;
  for (std::size_t k = 0; k < polygon.size(); ++k) {
    const Corner &a = polygon[k], &b = polygon[(k + 1) % polygon.size()];
    const double va = sign * (a.*field), vb = sign * (b.*field);
    if (va >= 0) kept.push_back(a);
    if ((va >= 0) == (vb >= 0)) continue;
    const double t = va / (va - vb);
    Corner cut;
    cut.at = between(a, b, va, vb);
    cut.low = a.low + t * (b.low - a.low);
    cut.high = a.high + t * (b.high - a.high);
    kept.push_back(cut);
  }
  return kept;
}

MapLine bandWithin(const Triangle& triangle) {
  std::vector<Corner> polygon(triangle.begin(), triangle.end());
  polygon = clipped(polygon, &Corner::low, -1);
  polygon = clipped(polygon, &Corner::high, 1);
  MapLine outline;
  for (const Corner& corner : polygon) outline.push_back(corner.at);
  return outline.size() < 3 ? MapLine{} : outline;
}

}  // namespace

Contours contoursAtZero(const ContourGrid& grid) {
  LineJoiner line, low, high;
  Contours contours;
  for (const Triangle& triangle : trianglesOf(grid)) {
    line.add(triangle, &Corner::value);
    low.add(triangle, &Corner::low);
    high.add(triangle, &Corner::high);
    if (MapLine piece = bandWithin(triangle); !piece.empty())
      contours.band.push_back(std::move(piece));
  }
  contours.line = line.joined();
  contours.low = low.joined();
  contours.high = high.joined();
  return contours;
}

}  // namespace fusebench

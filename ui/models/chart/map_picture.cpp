// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/chart/map_picture.h"

#include <algorithm>
#include <cmath>

#include "ui/models/base/format.h"

namespace fusebench {
namespace {

/// Coordinates of an axis as shares of what it shows.
class Shares {
 public:
  explicit Shares(const MapAxis& axis) : edges_(axis.edges()) {}
  double operator()(double coordinate) const {
    return (coordinate - edges_.front()) / (edges_.back() - edges_.front());
  }
  double edge(std::size_t i) const { return (*this)(edges_[i]); }
  double middle(std::size_t i) const { return (edge(i) + edge(i + 1)) / 2; }

 private:
  std::vector<double> edges_;
};

std::vector<MapLine> placed(std::vector<MapLine> lines, const Shares& x, const Shares& y) {
  for (MapLine& line : lines)
    for (MapPoint& point : line) point = {x(point.x), y(point.y)};
  return lines;
}

std::vector<MapPicture::Tick> ticksOf(const MapAxis& axis, const Shares& shares) {
  std::vector<MapPicture::Tick> ticks;
  const auto style = placeStyle(axis.values);
  for (std::size_t i = 0; i < axis.values.size(); ++i)
    ticks.push_back({shares.middle(i), axisValueText(axis.values[i], style)});
  return ticks;
}

std::vector<MapPicture::Tick> ticksOf(const RatioScale& scale) {
  const double low = std::log(scale.lowest), high = std::log(scale.highest);
  std::vector<MapPicture::Tick> ticks;
  const auto add = [&](double ratio, bool one) {
    ticks.push_back({(std::log(ratio) - low) / (high - low), ratioTickText(ratio), one});
  };
  add(1, true);
  for (const double ratio : scale.ticks())
    if (std::abs(ratio - 1) > 1e-9) add(ratio, false);
  return ticks;
}

MapPicture::Fill fillOf(const BreakEvenMap& map, std::size_t place) {
  if (map.places[place].state == PlaceState::hole) return MapPicture::Fill::crossed;
  if (map.places[place].state == PlaceState::empty) return MapPicture::Fill::absent;
  if (!map.source[place]) return MapPicture::Fill::blank;
  return map.places[place].state == PlaceState::pending ? MapPicture::Fill::pale
                                                        : MapPicture::Fill::full;
}

QString figureOf(const MapPlace& place) {
  const QString text = formatRatio(place.speedUp.value);
  return place.certainty() == Certainty::unsure ? QStringLiteral("≈ ") + text : text;
}

}  // namespace

double MapPicture::strengthAt(double share) const {
  const double low = std::log(ratios.lowest), high = std::log(ratios.highest);
  return ratios.strength(std::exp(low + share * (high - low)));
}

MapPicture mapPicture(const BreakEvenMap& map) {
  MapPicture picture;
  if (map.empty()) return picture;
  const Shares x(map.x), y(map.y);
  picture.ratios = ratioScale(map);
  for (std::size_t i = 0; i < map.x.values.size(); ++i)
    for (std::size_t j = 0; j < map.y.values.size(); ++j) {
      const std::size_t k = map.index(i, j);
      MapPicture::Cell cell{{x.edge(i), y.edge(j)}, {x.edge(i + 1), y.edge(j + 1)}};
      cell.fill = fillOf(map, k);
      if (map.source[k])
        cell.strength = picture.ratios.strength(map.places[*map.source[k]].speedUp.value);
      if (cell.fill == MapPicture::Fill::full) cell.figure = figureOf(map.places[k]);
      if (cell.fill == MapPicture::Fill::absent) cell.figure = QStringLiteral("–");
      picture.cells.push_back(std::move(cell));
    }
  picture.contours = {placed(map.contours.line, x, y), placed(map.contours.low, x, y),
                      placed(map.contours.high, x, y), placed(map.contours.band, x, y)};
  picture.x = ticksOf(map.x, x);
  picture.y = ticksOf(map.y, y);
  picture.xLabel = map.x.label;
  picture.yLabel = map.y.label;
  // Without a measured place the map shows no colors, so it gets no color scale.
  if (std::ranges::any_of(
          map.places, [](const MapPlace& place) { return place.state == PlaceState::measured; }))
    picture.scale = ticksOf(picture.ratios);
  return picture;
}

}  // namespace fusebench

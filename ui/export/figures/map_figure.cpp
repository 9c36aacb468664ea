// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/figures/map_figure.h"

#include <algorithm>
#include <cmath>

#include "ui/theme/colors.h"
#include "ui/export/figures/figure_heading.h"
#include "ui/models/base/format.h"
#include "ui/models/chart/ratio_scale.h"

namespace fusebench {
namespace {

class MapDrawing {
 public:
  MapDrawing(Figure& figure, const BreakEvenMap& map, const FigureStyle& style)
      : figure_(figure),
        pen_(figure),
        map_(map),
        style_(style),
        theme_(style.theme),
        scale_(ratioScale(map)),
        xEdges_(map.x.edges()),
        yEdges_(map.y.edges()) {}

  void draw() {
    drawPlaces();
    drawContours();
    drawFigures();
    drawAxes();
    drawScale();
  }

 private:
  QPointF pixelOf(const MapPoint& p) const {
    const QRectF& plot = figure_.plot;
    return {
        plot.left() + (p.x - xEdges_.front()) / (xEdges_.back() - xEdges_.front()) * plot.width(),
        plot.bottom() -
            (p.y - yEdges_.front()) / (yEdges_.back() - yEdges_.front()) * plot.height()};
  }

  QRectF boxOf(std::size_t i, std::size_t j) const {
    return QRectF(pixelOf({xEdges_[i], yEdges_[j + 1]}), pixelOf({xEdges_[i + 1], yEdges_[j]}));
  }

  /// As the window's: blue for faster, orange for slower, further towards the text's colour at the
  /// ends. Without colours: dark for faster, and light with a frame for slower.
  QColor colorOf(double ratio) const {
    const double strength = scale_.strength(ratio);
    if (std::isnan(strength)) return theme_.panel;
    const QColor& hue = theme_.seriesColors[strength > 0 ? 0 : 1];
    const double amount = std::pow(std::abs(strength), 0.8);
    if (hue.saturation() == 0)  // light for slower, dark for faster
      return blend(QColor(Qt::black), QColor(Qt::white),
                   0.3 + 0.45 * (strength > 0 ? amount : -0.6 * amount));
    constexpr double kFullHue = 0.6;
    if (amount <= kFullHue) return blend(hue, theme_.raised, amount / kFullHue);
    return blend(theme_.text, hue, 0.6 * (amount - kFullHue) / (1 - kFullHue));
  }

  template <typename Visit>
  void forEachPlace(Visit&& visit) {
    for (std::size_t i = 0; i < map_.x.values.size(); ++i)
      for (std::size_t j = 0; j < map_.y.values.size(); ++j) visit(i, j);
  }

  void drawPlaces() {
    pen_.group(QStringLiteral("places"));
    forEachPlace([&](std::size_t i, std::size_t j) {
      const std::size_t k = map_.index(i, j);
      FigureSpot spot{boxOf(i, j), placeTitle(map_, i, j), {}};
      for (const PlaceRow& row : placeRows(map_, map_.places[k]))
        spot.rows.push_back({row.name, row.value, row.beside, {}});
      figure_.spots.push_back(std::move(spot));
      const QRectF box = boxOf(i, j).adjusted(0.75, 0.75, -0.75, -0.75);
      if (map_.places[k].state == PlaceState::hole) {
        pen_.lines({QPolygonF({box.topLeft(), box.bottomRight()}),
                    QPolygonF({box.bottomLeft(), box.topRight()})},
                   {theme_.border, style_.unit(), {}});
      } else if (!map_.source[k]) {
        pen_.rect(box, blend(theme_.raised, theme_.panel, 0.6));
      } else {
        const QColor full = colorOf(map_.places[*map_.source[k]].speedUp.value);
        const bool pending = map_.places[k].state == PlaceState::pending;
        pen_.rect(box, pending ? blend(full, theme_.panel, 0.6) : full);
      }
    });
  }

  void drawFigures() {
    pen_.group(QStringLiteral("figures"));
    const double em = 0.86 * style_.em;
    forEachPlace([&](std::size_t i, std::size_t j) {
      const MapPlace& place = map_.at(i, j);
      const std::size_t k = map_.index(i, j);
      if (place.state != PlaceState::measured || !map_.source[k]) return;
      QString text = formatRatio(place.speedUp.value);
      if (place.certainty() == Certainty::unsure) text.prepend(QStringLiteral("≈ "));
      const QRectF box = boxOf(i, j);
      const double width = figureTextWidth(text, em);
      if (width > box.width() - 6 || em > box.height() - 4) return;
      const QColor full = colorOf(place.speedUp.value);
      // A ground of its own keeps it readable on the contour.
      pen_.rect(
          {box.center().x() - width / 2 - 2, box.center().y() - 0.6 * em, width + 4, 1.2 * em},
          full);
      const QColor dark = theme_.dark ? theme_.window : theme_.text;
      const QColor light = theme_.dark ? theme_.text : QColor(Qt::white);
      pen_.text(box.center(), text, em, isBright(full) ? dark : light, Qt::AlignHCenter);
    });
  }

  std::vector<QPolygonF> placed(const std::vector<MapLine>& lines) const {
    std::vector<QPolygonF> shapes;
    for (const MapLine& line : lines) {
      QPolygonF shape;
      for (const MapPoint& point : line) shape << pixelOf(point);
      shapes.push_back(std::move(shape));
    }
    return shapes;
  }

  void drawContours() {
    pen_.group(QStringLiteral("contour"), true);
    const double u = style_.unit();
    QColor ink = theme_.text;
    ink.setAlphaF(0.16f);
    if (!map_.contours.band.empty()) pen_.areas(placed(map_.contours.band), ink);
    ink.setAlphaF(0.5f);
    for (const auto* lines : {&map_.contours.low, &map_.contours.high})
      if (!lines->empty()) pen_.lines(placed(*lines), {ink, u, {4 * u, 3 * u}});
    if (map_.contours.line.empty()) return;
    // A rim of the ground's colour keeps the line visible on every colour.
    pen_.lines(placed(map_.contours.line), {theme_.panel, 5 * u, {}});
    pen_.lines(placed(map_.contours.line), {theme_.text, 2.2 * u, {}});
  }

  void drawAxes() {
    pen_.group(QStringLiteral("axes"));
    const QRectF& plot = figure_.plot;
    const double em = 0.92 * style_.em;
    double freeFrom = -1e9, freeBelow = 1e9;
    for (std::size_t i = 0; i < map_.x.values.size(); ++i) {
      const QString text = axisValueText(map_.x.values[i], placeStyle(map_.x.values));
      const double width = figureTextWidth(text, em), middle = boxOf(i, 0).center().x();
      if (middle - width / 2 < freeFrom) continue;
      freeFrom = middle + width / 2 + 0.6 * em;
      pen_.text({middle, plot.bottom() + em}, text, em, theme_.muted, Qt::AlignHCenter);
    }
    for (std::size_t j = 0; j < map_.y.values.size(); ++j) {
      const double middle = boxOf(0, j).center().y();
      if (middle + 0.65 * em > freeBelow) continue;
      freeBelow = middle - 0.65 * em;
      pen_.text({plot.left() - 0.6 * em, middle},
                axisValueText(map_.y.values[j], placeStyle(map_.y.values)), em, theme_.muted,
                Qt::AlignRight);
    }
    pen_.text({plot.center().x(), plot.bottom() + 2.5 * em}, map_.x.label, em, theme_.muted,
              Qt::AlignHCenter);
    pen_.text({1.4 * em, plot.center().y()}, map_.y.label, em, theme_.muted, Qt::AlignHCenter,
              false, -90);
  }

  void drawScale() {
    pen_.group(QStringLiteral("scale"));
    const QRectF& plot = figure_.plot;
    const double em = 0.92 * style_.em, u = style_.unit();
    const QRectF bar(plot.right() + 1.4 * em, plot.top(), em, plot.height());
    const double low = std::log(scale_.lowest), high = std::log(scale_.highest);
    constexpr int kSteps = 48;
    for (int step = 0; step < kSteps; ++step) {
      const double share = (step + 0.5) / kSteps, height = bar.height() / kSteps;
      pen_.rect({bar.left(), bar.bottom() - (step + 1) * height - 0.2, bar.width(), height + 0.4},
                colorOf(std::exp(low + share * (high - low))));
    }
    std::vector<double> taken;
    const auto mark = [&](double ratio) {
      const double y = bar.bottom() - (std::log(ratio) - low) / (high - low) * bar.height();
      for (const double other : taken)
        if (std::abs(other - y) < 1.3 * em) return;
      taken.push_back(y);
      pen_.line({ratio == 1 ? bar.left() : bar.right(), y}, {bar.right() + 0.4 * em, y},
                {ratio == 1 ? theme_.text : theme_.muted, (ratio == 1 ? 2 : 1) * u, {}});
      pen_.text({bar.right() + 0.7 * em, y}, ratioTickText(ratio), em,
                ratio == 1 ? theme_.text : theme_.muted);
    };
    mark(1);
    for (const double tick : scale_.ticks())
      if (std::abs(tick - 1) > 1e-9) mark(tick);
  }

  Figure& figure_;
  FigurePen pen_;
  const BreakEvenMap& map_;
  const FigureStyle& style_;
  const Theme& theme_;
  RatioScale scale_;
  std::vector<double> xEdges_, yEdges_;
};

}  // namespace

Figure mapFigure(const BreakEvenMap& map, const Experiment& experiment, const FigureStyle& style) {
  Figure figure;
  figure.id = QStringLiteral("map");
  figure.size = style.size;
  figure.ground = style.theme.panel;
  figure.ink = style.theme.text;
  const QString subject =
      QStringLiteral("Speed-up of %1 over %2").arg(map.variantName, map.baselineName);
  figure.title = style.title.isEmpty() ? subject : style.title;
  if (map.empty()) return figure;
  figure.description = summaryOf(map, experiment);
  const double em = style.em, pad = 0.9 * em;
  double top = drawTitle(figure, style);
  FigurePen pen(figure);
  pen.group(QStringLiteral("heading"));
  pen.text({pad, top + 0.6 * em}, subject, em, style.theme.muted);
  top += 2 * em;
  const double bottom = drawCaption(figure, style);
  double widest = 0;
  for (const double value : map.y.values)
    widest = std::max(widest,
                      figureTextWidth(axisValueText(value, placeStyle(map.y.values)), 0.92 * em));
  figure.plot = QRectF(QPointF(widest + 3.2 * em, top),
                       QPointF(figure.size.width() - 6.4 * em, bottom - 3.1 * em));
  if (figure.plot.width() > 20 && figure.plot.height() > 20) MapDrawing(figure, map, style).draw();
  return figure;
}

}  // namespace fusebench

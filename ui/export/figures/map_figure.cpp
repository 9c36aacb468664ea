// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/figures/map_figure.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "ui/export/figures/figure_heading.h"
#include "ui/look/map_colors.h"
#include "ui/models/base/format.h"
#include "ui/models/base/ui_text.h"
#include "ui/models/chart/map_picture.h"
#include "ui/theme/colors.h"

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
        picture_(mapPicture(map)) {}

  void draw() {
    listSpots();
    drawPlaces();
    drawContours();
    drawFigures();
    drawAxes();
    drawScale();
  }

 private:
  QPointF pixelOf(const MapPoint& shares) const {
    const QRectF& plot = figure_.plot;
    return {plot.left() + shares.x * plot.width(), plot.bottom() - shares.y * plot.height()};
  }

  QRectF boxOf(const MapPicture::Cell& cell) const {
    return QRectF(pixelOf({cell.low.x, cell.high.y}), pixelOf({cell.high.x, cell.low.y}));
  }

  void listSpots() {
    for (std::size_t i = 0; i < map_.x.values.size(); ++i)
      for (std::size_t j = 0; j < map_.y.values.size(); ++j) {
        FigureSpot spot{boxOf(picture_.cells[map_.index(i, j)]), placeTitle(map_, i, j), {}};
        for (const PlaceRow& row : placeRows(map_, map_.at(i, j)))
          spot.rows.push_back({row.name, row.value, row.beside, {}});
        figure_.spots.push_back(std::move(spot));
      }
  }

  void drawPlaces() {
    pen_.group(QStringLiteral("places"));
    for (const MapPicture::Cell& cell : picture_.cells) {
      const QRectF box = boxOf(cell).adjusted(0.75, 0.75, -0.75, -0.75);
      const QColor full = ratioColor(cell.strength, theme_);
      switch (cell.fill) {
        case MapPicture::Fill::absent:
          pen_.rect(box, theme_.panel, {theme_.border, style_.unit(), {}});
          break;
        case MapPicture::Fill::crossed:
          pen_.lines({QPolygonF({box.topLeft(), box.bottomRight()}),
                      QPolygonF({box.bottomLeft(), box.topRight()})},
                     {theme_.border, style_.unit(), {}});
          break;
        case MapPicture::Fill::blank:
          pen_.rect(box, blend(theme_.raised, theme_.panel, 0.6));
          break;
        case MapPicture::Fill::pale:
          pen_.rect(box, blend(full, theme_.panel, 0.6));
          break;
        case MapPicture::Fill::full:
          pen_.rect(box, full);
      }
    }
  }

  void drawFigures() {
    pen_.group(QStringLiteral("figures"));
    const double em = 0.86 * style_.em;
    for (const MapPicture::Cell& cell : picture_.cells) {
      if (cell.figure.isEmpty()) continue;
      const QRectF box = boxOf(cell);
      const double width = figureTextWidth(cell.figure, em);
      if (width > box.width() - 6 || em > box.height() - 4) continue;
      if (cell.fill == MapPicture::Fill::absent) {
        pen_.text(box.center(), cell.figure, em, theme_.muted, Qt::AlignHCenter);
        continue;
      }
      const QColor full = ratioColor(cell.strength, theme_);
      // A ground of its own keeps it readable on the contour.
      pen_.rect(
          {box.center().x() - width / 2 - 2, box.center().y() - 0.6 * em, width + 4, 1.2 * em},
          full);
      const QColor dark = theme_.dark ? theme_.window : theme_.text;
      const QColor light = theme_.dark ? theme_.text : QColor(Qt::white);
      pen_.text(box.center(), cell.figure, em, isBright(full) ? dark : light, Qt::AlignHCenter);
    }
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
    if (!picture_.contours.band.empty()) pen_.areas(placed(picture_.contours.band), ink);
    ink.setAlphaF(0.5f);
    for (const auto* lines : {&picture_.contours.low, &picture_.contours.high})
      if (!lines->empty()) pen_.lines(placed(*lines), {ink, u, {4 * u, 3 * u}});
    if (picture_.contours.line.empty()) return;
    // A rim in the background color keeps the line visible on every color.
    pen_.lines(placed(picture_.contours.line), {theme_.panel, 5 * u, {}});
    pen_.lines(placed(picture_.contours.line), {theme_.text, 2.2 * u, {}});
  }

  void drawAxes() {
    pen_.group(QStringLiteral("axes"));
    const QRectF& plot = figure_.plot;
    const double em = 0.92 * style_.em;
    double freeFrom = -1e9, freeBelow = 1e9;
    for (const MapPicture::Tick& tick : picture_.x) {
      const double width = figureTextWidth(tick.text, em), middle = pixelOf({tick.at, 0}).x();
      if (middle - width / 2 < freeFrom) continue;
      freeFrom = middle + width / 2 + 0.6 * em;
      pen_.text({middle, plot.bottom() + em}, tick.text, em, theme_.muted, Qt::AlignHCenter);
    }
    for (const MapPicture::Tick& tick : picture_.y) {
      const double middle = pixelOf({0, tick.at}).y();
      if (middle + 0.65 * em > freeBelow) continue;
      freeBelow = middle - 0.65 * em;
      pen_.text({plot.left() - 0.6 * em, middle}, tick.text, em, theme_.muted, Qt::AlignRight);
    }
    pen_.text({plot.center().x(), plot.bottom() + 2.5 * em}, picture_.xLabel, em, theme_.muted,
              Qt::AlignHCenter);
    pen_.text({1.4 * em, plot.center().y()}, picture_.yLabel, em, theme_.muted, Qt::AlignHCenter,
              false, -90);
  }

  void drawScale() {
    if (picture_.scale.empty()) return;
    pen_.group(QStringLiteral("scale"));
    const QRectF& plot = figure_.plot;
    const double em = 0.92 * style_.em, u = style_.unit();
    const QRectF bar(plot.right() + 1.4 * em, plot.top(), em, plot.height());
    constexpr int kSteps = 48;
    for (int step = 0; step < kSteps; ++step) {
      const double share = (step + 0.5) / kSteps, height = bar.height() / kSteps;
      pen_.rect({bar.left(), bar.bottom() - (step + 1) * height - 0.2, bar.width(), height + 0.4},
                ratioColor(picture_.strengthAt(share), theme_));
    }
    std::vector<double> taken;
    for (const MapPicture::Tick& tick : picture_.scale) {
      const double y = bar.bottom() - tick.at * bar.height();
      if (std::ranges::any_of(taken, [&](double other) { return std::abs(other - y) < 1.3 * em; }))
        continue;
      taken.push_back(y);
      const QColor& ink = tick.one ? theme_.text : theme_.muted;
      pen_.line({tick.one ? bar.left() : bar.right(), y}, {bar.right() + 0.4 * em, y},
                {ink, (tick.one ? 2 : 1) * u, {}});
      pen_.text({bar.right() + 0.7 * em, y}, tick.text, em, ink);
    }
  }

  Figure& figure_;
  FigurePen pen_;
  const BreakEvenMap& map_;
  const FigureStyle& style_;
  const Theme& theme_;
  MapPicture picture_;
};

}  // namespace

Figure mapFigure(const BreakEvenMap& map, const Experiment& experiment, const FigureStyle& style) {
  Figure figure;
  figure.id = QStringLiteral("map");
  figure.size = style.size;
  figure.ground = style.theme.panel;
  figure.ink = style.theme.text;
  const QString subject = uiText("Speedup of %1 over %2").arg(map.variantName, map.baselineName);
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

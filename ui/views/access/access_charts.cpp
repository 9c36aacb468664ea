// SPDX-License-Identifier: GPL-3.0-or-later
// The parts of the charts of a run.
#include <qcustomplot.h>

#include <algorithm>
#include <cmath>

#include "ui/models/base/ui_text.h"
#include "ui/views/access/access_parts.h"
#include "ui/views/chart/chart_view.h"
#include "ui/views/chart/map_canvas.h"
#include "ui/views/chart/readout_card.h"
#include "ui/views/scatter/scatter_view.h"

namespace fusebench {
namespace {

constexpr std::size_t kMostPointsSaid = 40;

QString pointWords(const CurvePlot& plot, const CurvePoint& point) {
  const Quantity quantity = quantityOf(plot.content().metric);
  QString words = uiText("%1 at %2")
                      .arg(formatQuantity(point.y.value, quantity),
                           axisValueText(point.x, placeStyle(plot.axes().values)));
  if (point.y.low < point.y.high)
    words += QStringLiteral(" (%1)").arg(formatQuantityInterval(point.y, quantity));
  return words;
}

AccessPart curvePart(const ChartView& chart, const CurvePlot& plot, const Curve& curve) {
  AccessPart part;
  part.role = QAccessible::Graphic;
  part.name = uiText("Curve %1").arg(curve.name + partSuffix(curve.part));
  if (curve.simulated) part.name += QStringLiteral(", ") + uiText("simulated");
  if (curve.points.empty()) {
    part.value = uiText("not measured");
    return part;
  }
  // At the cursor; without one at its end, next to its label.
  const auto cursor = chart.cursorValue();
  const auto shown =
      !cursor ? curve.points.end() - 1
              : std::min_element(curve.points.begin(), curve.points.end(),
                                 [&](const CurvePoint& a, const CurvePoint& b) {
                                   return std::abs(a.x - *cursor) < std::abs(b.x - *cursor);
                                 });
  part.value = pointWords(plot, *shown);
  QStringList points;
  for (const CurvePoint& point : curve.points) {
    if (points.size() == qsizetype(kMostPointsSaid)) {
      points << uiText("and %1 more").arg(curve.points.size() - kMostPointsSaid);
      break;
    }
    points << pointWords(plot, point);
  }
  part.description = points.join(QStringLiteral("; "));
  // Around its points, as far as the axes show them.
  QRectF around;
  for (const CurvePoint& point : curve.points) {
    const QPointF at(plot.pixelOf(point.x),
                     plot.rect().axis(QCPAxis::atLeft)->coordToPixel(point.y.value));
    if (std::isfinite(at.x()) && std::isfinite(at.y()))
      around |= QRectF(at - QPointF(2, 2), QSizeF(4, 4));
  }
  part.place = around.toAlignedRect()
                   .intersected(plot.rect().rect())
                   .translated(chart.plot().mapTo(&chart, QPoint()));
  return part;
}

}  // namespace

AccessParts chartParts(QWidget& widget) {
  const auto& chart = static_cast<ChartView&>(widget);
  AccessParts parts;
  if (chart.cursorValue() && !chart.readout().text().isEmpty()) {
    AccessPart cursor;
    cursor.role = QAccessible::Indicator;
    cursor.name = chart.readout().text();
    cursor.description = chart.pin() ? uiText("the cursor, pinned") : uiText("the cursor");
    cursor.place = {chart.readout().mapTo(&chart, QPoint()), chart.readout().size()};
    cursor.current = true;
    parts.push_back(std::move(cursor));
  }
  for (const CurvePlot* plot : {&chart.measured(), chart.published()}) {
    if (!plot) continue;
    for (const Curve& curve : plot->curves()) {
      parts.push_back(curvePart(chart, *plot, curve));
      if (plot != &chart.measured())
        parts.back().name = uiText("Published: %1").arg(parts.back().name);
    }
  }
  for (const QString& sentence : chart.measured().markerSentences()) {
    AccessPart mark;
    mark.role = QAccessible::Indicator;
    mark.name = sentence;
    mark.value = uiText("break-even");
    parts.push_back(std::move(mark));
  }
  boundParts(parts, parts.size());
  return parts;
}

AccessParts mapParts(QWidget& widget) {
  auto& canvas = static_cast<MapCanvas&>(widget);
  const BreakEvenMap& map = canvas.map();
  AccessParts parts;
  for (std::size_t x = 0; x < map.x.values.size(); ++x)
    for (std::size_t y = 0; y < map.y.values.size() && parts.size() < kMostAccessParts; ++y) {
      const MapPlace& place = map.at(x, y);
      AccessPart part;
      part.role = QAccessible::Cell;
      part.name = placeTitle(map, x, y);
      part.place = canvas.cellRect({x, y}).toAlignedRect();
      part.current = canvas.cursorPlace() == MapIndex{x, y};
      if (place.state == PlaceState::hole) {
        part.value = uiText("Not measured: %1").arg(place.problem);
      } else {
        const std::vector<PlaceRow> rows = placeRows(map, place);
        QStringList words;
        for (const PlaceRow& row : rows) words << QStringLiteral("%1 %2").arg(row.name, row.value);
        if (!rows.empty()) part.value = rows.back().value;
        part.description = words.join(QStringLiteral("; "));
      }
      part.press = [&canvas, x, y] {
        canvas.setCursorPlace(MapIndex{x, y});
        emit canvas.picked(x, y);
      };
      parts.push_back(std::move(part));
    }
  boundParts(parts, map.places.size());
  return parts;
}

AccessParts scatterParts(QWidget& widget) {
  auto& view = static_cast<ScatterView&>(widget);
  AccessParts parts;
  const auto spots = static_cast<int>(view.figure().spots.size());
  for (int i = 0; i < spots && parts.size() < kMostAccessParts; ++i) {
    AccessPart part;
    QStringList lines = view.wordsOf(i).split(u'\n');
    part.name = lines.takeFirst();
    part.value = lines.join(QStringLiteral(", "));
    part.place = view.placeOf(i).toAlignedRect();
    part.current = i == view.current();
    part.press = [&view, i] { view.setCurrent(i); };
    parts.push_back(std::move(part));
  }
  boundParts(parts, view.figure().spots.size());
  return parts;
}

}  // namespace fusebench

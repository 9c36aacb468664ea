// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/figures/scatter_figure.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "ui/export/figures/figure_heading.h"
#include "ui/export/figures/figure_ticks.h"
#include "ui/models/base/ui_text.h"

namespace fusebench {
namespace {

constexpr double kLeastRadius = 3.5, kMostRadius = 17;

AxisRange rangeOf(const std::vector<ScatterPoint>& points, double ScatterPoint::*which) {
  if (points.empty()) return {1, 10, true};
  double low = points.front().*which, high = low;
  for (const ScatterPoint& point : points) {
    low = std::min(low, point.*which);
    high = std::max(high, point.*which);
  }
  // Room for the largest mark at either end.
  const double pad = std::max(1.25, std::pow(high / low, 0.09));
  return {low / pad, high * pad, true};
}

class ScatterDrawing {
 public:
  ScatterDrawing(Figure& figure, const ScatterContent& content, const FigureStyle& style)
      : figure_(figure), pen_(figure), content_(content), style_(style), theme_(style.theme) {}

  void draw() {
    figure_.x = rangeOf(content_.points, &ScatterPoint::x);
    figure_.y = rangeOf(content_.points, &ScatterPoint::y);
    drawAxes();
    drawPaths();
    drawMarks();
    drawNames();
  }

 private:
  QPointF at(const ScatterPoint& point) const {
    return {figure_.pixelX(point.x), figure_.pixelY(point.y)};
  }
  double radius(const ScatterPoint& point) const {
    return style_.unit() * scatterRadius(content_.size ? point.size : 0, content_.largest);
  }
  QColor color(const ScatterPoint& point) const {
    return point.variant < 0 ? theme_.muted : theme_.series(point.series).color;
  }
  static QString nameOf(const ScatterPoint& point) {
    return point.published ? uiText("%1, published").arg(point.name) : point.name;
  }

  static FigureTicks ticksOf(Metric metric, double room, const AxisRange& range) {
    QuantityTicker ticker;
    ticker.setTickCount(room > 300 ? 6 : 4);
    ticker.setLogarithmic(true);
    ticker.setQuantity(quantityOf(metric));
    return figureTicks(ticker, range);
  }

  void drawAxes() {
    const double em = style_.em, small = 0.92 * em, pad = 0.9 * em;
    const double top = drawTitle(figure_, style_) + 0.5 * em;
    const double bottom = drawCaption(figure_, style_) - 3.1 * em;
    pen_.group(QStringLiteral("axes"));
    const FigureTicks y = ticksOf(content_.y, bottom - top, figure_.y);
    const double left = pad + 1.7 * em + widestText(y.labels, small) + 0.6 * em;
    const double right = figure_.size.width() - 2 * pad;
    figure_.plot =
        QRectF(QPointF(left, top), QPointF(std::max(left + 20, right), std::max(top + 20, bottom)));
    const FigureTicks x = ticksOf(content_.x, figure_.plot.width(), figure_.x);
    for (std::size_t i = 0; i < y.at.size(); ++i) {
      const double level = figure_.pixelY(y.at[i]);
      pen_.line({left, level}, {figure_.plot.right(), level}, {theme_.grid, style_.unit(), {}});
      pen_.text({left - 0.6 * em, level}, y.labels[static_cast<qsizetype>(i)], small, theme_.muted,
                Qt::AlignRight);
    }
    for (std::size_t i = 0; i < x.at.size(); ++i) {
      const double place = figure_.pixelX(x.at[i]);
      pen_.line({place, figure_.plot.top()}, {place, figure_.plot.bottom()},
                {theme_.grid, style_.unit(), {}});
      pen_.text({place, figure_.plot.bottom() + 1.1 * em}, x.labels[static_cast<qsizetype>(i)],
                small, theme_.muted, Qt::AlignHCenter);
    }
    pen_.line(figure_.plot.bottomLeft(), figure_.plot.bottomRight(),
              {theme_.border, style_.unit(), {}});
    pen_.text({figure_.plot.center().x(), figure_.plot.bottom() + 2.5 * em}, metricName(content_.x),
              small, theme_.muted, Qt::AlignHCenter);
    pen_.text({pad + 0.5 * em, figure_.plot.center().y()}, metricName(content_.y), small,
              theme_.muted, Qt::AlignHCenter, false, -90);
  }

  void drawPaths() {
    pen_.group(QStringLiteral("paths"), true);
    for (std::size_t i = 1; i < content_.points.size(); ++i) {
      const ScatterPoint &from = content_.points[i - 1], &to = content_.points[i];
      if (from.last || to.published) continue;
      QColor faint = color(to);
      faint.setAlphaF(0.45F);
      pen_.line(at(from), at(to), {faint, 1.2 * style_.unit(), {}});
    }
  }

  void drawMarks() {
    pen_.group(QStringLiteral("marks"), true);
    // Small ones over large ones.
    std::vector<const ScatterPoint*> order;
    for (const ScatterPoint& point : content_.points) order.push_back(&point);
    std::ranges::stable_sort(order, std::greater{},
                             [&](const ScatterPoint* point) { return radius(*point); });
    for (const ScatterPoint* point : order) {
      const QColor full = color(*point);
      QColor inside = full;
      inside.setAlphaF(0.55F);
      const FigureStroke edge{full, 1.4 * style_.unit(),
                              point->published ? QVector<double>{3, 2} : QVector<double>{}};
      pen_.ellipse(at(*point), radius(*point), point->published ? QColor() : inside, edge);
      addSpot(*point);
    }
  }

  void addSpot(const ScatterPoint& point) {
    const double reach = std::max(radius(point), 6.0);
    FigureSpot spot{QRectF(at(point) - QPointF(reach, reach), QSizeF(2 * reach, 2 * reach)),
                    QStringLiteral("%1 · %2").arg(point.name, point.place),
                    {}};
    const auto row = [&](Metric metric, double value) {
      spot.rows.push_back(
          {metricName(metric), formatQuantity(value, quantityOf(metric)), {}, color(point)});
    };
    row(content_.x, point.x);
    row(content_.y, point.y);
    if (content_.size && point.size > 0) row(*content_.size, point.size);
    figure_.spots.push_back(std::move(spot));
  }

  /// A possible position of a name: its anchor for the pen, and the area that it covers.
  struct NamePlace {
    QPointF at;
    Qt::AlignmentFlag align = Qt::AlignLeft;
    QRectF box;
  };

  /// To the sides of the mark, above it, below it, then ever further above and below.
  std::vector<NamePlace> placesOf(const ScatterPoint& point, double width) const {
    const double em = style_.em, high = 1.3 * em, gap = radius(point) + 0.35 * em;
    const QPointF mark = at(point);
    std::vector<NamePlace> places;
    const auto add = [&](const QPointF& place, Qt::AlignmentFlag align) {
      const double before = align == Qt::AlignLeft    ? 0
                            : align == Qt::AlignRight ? width
                                                      : width / 2;
      places.push_back({place, align, {place.x() - before, place.y() - high / 2, width, high}});
    };
    add(mark + QPointF(gap, 0), Qt::AlignLeft);
    add(mark - QPointF(gap, 0), Qt::AlignRight);
    add(mark - QPointF(0, gap + high / 2), Qt::AlignHCenter);
    add(mark + QPointF(0, gap + high / 2), Qt::AlignHCenter);
    constexpr int kMostSteps = 12;
    for (int step = 1; step <= kMostSteps; ++step)
      for (const double up : {-step * high, step * high}) {
        add(mark + QPointF(gap, up), Qt::AlignLeft);
        add(mark + QPointF(-gap, up), Qt::AlignRight);
      }
    return places;
  }

  /// Draws each variant's name next to its last mark. Names do not cover each other, and do not
  /// cover marks where that can be avoided.
  void drawNames() {
    pen_.group(QStringLiteral("names"));
    std::vector<QRectF> names, marks;
    for (const FigureSpot& spot : figure_.spots) marks.push_back(spot.area);
    const auto within = [](const std::vector<QRectF>& taken, const QRectF& box) {
      return std::ranges::any_of(taken, [&](const QRectF& other) { return other.intersects(box); });
    };
    for (const ScatterPoint& point : content_.points) {
      if (!point.last) continue;
      const QString name = nameOf(point);
      const std::vector<NamePlace> places = placesOf(point, figureTextWidth(name, style_.em, true));
      const auto free = [&](const NamePlace& place) {
        return figure_.plot.contains(place.box) && !within(names, place.box);
      };
      auto best = std::ranges::find_if(
          places, [&](const NamePlace& place) { return free(place) && !within(marks, place.box); });
      if (best == places.end()) best = std::ranges::find_if(places, free);
      if (best == places.end()) best = places.begin();
      names.push_back(best->box);
      pen_.text(best->at, name, style_.em, color(point), best->align, true);
      figure_.series.push_back({name, QStringLiteral("names"), color(point), point.variant});
    }
  }

  Figure& figure_;
  FigurePen pen_;
  const ScatterContent& content_;
  const FigureStyle& style_;
  const Theme& theme_;
};

}  // namespace

double scatterRadius(double size, double largest) {
  if (!(size > 0) || !(largest > 0)) return kLeastRadius + 1.5;
  return std::max(kLeastRadius, kMostRadius * std::sqrt(size / largest));
}

Figure scatterFigure(const ScatterContent& content, const FigureStyle& style) {
  Figure figure;
  figure.id = QStringLiteral("scatter");
  figure.size = style.size;
  figure.ground = style.theme.panel;
  figure.ink = style.theme.text;
  figure.title = style.title.isEmpty() ? scatterTitle(content) : style.title;
  figure.description = scatterCaption(content);
  ScatterDrawing(figure, content, style).draw();
  return figure;
}

}  // namespace fusebench

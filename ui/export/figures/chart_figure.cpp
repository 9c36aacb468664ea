// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/figures/chart_figure.h"

#include <QLineF>
#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "profiler/analysis/wording.h"
#include "ui/export/figures/chart_frame.h"
#include "ui/export/figures/figure_marks.h"
#include "ui/export/figures/figure_svg.h"
#include "ui/look/curve_dashes.h"
#include "ui/look/curve_hatch.h"
#include "ui/models/base/format.h"
#include "ui/models/base/ui_text.h"
#include "ui/models/chart/chart_drawing.h"
#include "ui/models/chart/chart_ranges.h"
#include "ui/models/chart/marker_text.h"

namespace fusebench {
namespace {

constexpr std::size_t kMostMarks = 60;  ///< per curve

QColor faded(QColor color, double alpha) {
  color.setAlphaF(static_cast<float>(alpha));
  return color;
}

/// Draws what ChartContent holds into a figure whose axes are set.
class ChartDrawing {
 public:
  ChartDrawing(Figure& figure, const ChartSubject& subject, const FigureStyle& style)
      : figure_(figure), pen_(figure), subject_(subject), style_(style), theme_(style.theme) {}

  /// Whether one of the lines goes through the place, or near it.
  static bool isCrossed(const QRectF& place, const std::vector<QPolygonF>& lines) {
    const double step = place.height() / 2;
    const QRectF near = place.adjusted(-step, -step / 2, step, step / 2);
    const auto passes = [&](const QPolygonF& line) {
      for (qsizetype i = 0; i + 1 < line.size(); ++i) {
        const QLineF segment(line[i], line[i + 1]);
        const int parts = 1 + static_cast<int>(segment.length() / step);
        for (int part = 0; part <= parts; ++part)
          if (near.contains(segment.pointAt(static_cast<double>(part) / parts))) return true;
      }
      return false;
    };
    return std::ranges::any_of(lines, passes);
  }

  /// Where a name inside the plot could not be read, and where it could be read worse.
  struct Obstacles {
    std::vector<QPolygonF> lines, bands;
    std::vector<QRectF> marks, breakEvens;

    bool cover(const QRectF& place) const {
      return meetsOneOf(marks, place) || isCrossed(place, lines) ||
             std::ranges::any_of(
                 bands, [&](const QPolygonF& band) { return band.intersects(QPolygonF(place)); });
    }
    bool shade(const QRectF& place) const { return meetsOneOf(breakEvens, place); }
    static bool meetsOneOf(const std::vector<QRectF>& areas, const QRectF& place) {
      return std::ranges::any_of(areas, [&](const QRectF& area) { return area.intersects(place); });
    }
  };

  /// Marks with `clear` around them.
  Obstacles obstaclesOf(double clear) {
    Obstacles found;
    const auto& curves = subject_.content.curves;
    for (std::size_t i = 0; i < curves.size(); ++i) {
      stepAside(i);
      std::ranges::move(strokes(strokePoints(curves[i], curves[i].points), &Estimate::value),
                        std::back_inserter(found.lines));
      std::ranges::move(bandsOf(curves[i]), std::back_inserter(found.bands));
      if (curves[i].points.size() > kMostMarks) continue;
      const double reach = markRadius(curves[i]) + style_.unit() + clear;
      for (const CurvePoint& p : curves[i].points)
        if (drawable(p.y.value))
          found.marks.emplace_back(figure_.pixelX(p.x) + aside_ - reach,
                                   figure_.pixelY(p.y.value) - reach, 2 * reach, 2 * reach);
    }
    aside_ = 0;
    if (!style_.markers) return found;
    for (const Crossing& crossing : markedCrossings(subject_.content)) {
      const auto [from, to] = shadedAround(crossing);
      const double at = figure_.pixelX(crossing.at);
      const double left = std::min(at - clear, figure_.pixelX(from));
      const double right = std::max(at + clear, figure_.pixelX(to));
      found.breakEvens.emplace_back(left, figure_.plot.top(), right - left, figure_.plot.height());
    }
    return found;
  }

  void drawRule() {
    if (!subject_.content.rule) return;
    const double y = figure_.pixelY(*subject_.content.rule);
    pen_.group(QStringLiteral("rule"), true);
    pen_.line({figure_.plot.left(), y}, {figure_.plot.right(), y},
              {theme_.muted, 1.1 * style_.unit(), {}});
  }

  /// Draws the cost of single steps of a call as levels. A name is above the left end of its level,
  /// or further right where it would cover another name, a curve or a mark. It avoids bands and
  /// break-evens if it can. A name without room is left out.
  void drawCosts() {
    if (subject_.content.costs.empty()) return;
    pen_.group(QStringLiteral("costs"), true);
    const double u = style_.unit(), size = style_.em * 0.82;
    for (const CostLevel& cost : subject_.content.costs) {
      const double y = figure_.pixelY(cost.value);
      pen_.line({figure_.plot.left(), y}, {figure_.plot.right(), y},
                {theme_.muted, 0.8 * u, {u, 3 * u}});
    }
    const Obstacles obstacles = obstaclesOf(size / 4);
    std::vector<QRectF> taken;
    for (const CostLevel& cost : subject_.content.costs) {
      const QString name = textOf(cost);
      const double width = figureTextWidth(name, size);
      const double level = figure_.pixelY(cost.value), middle = level - 0.5 * style_.em;
      const auto strikes = [&](const CostLevel& other) {
        const double y = figure_.pixelY(other.value);
        return y < level && y > middle - size / 2;
      };
      if (std::ranges::any_of(subject_.content.costs, strikes)) continue;
      const auto placeWhere = [&](auto&& isFree) -> std::optional<QRectF> {
        for (double left = figure_.plot.left() + 0.5 * style_.em;
             left + width <= figure_.plot.right(); left += 0.5 * style_.em) {
          const QRectF place(left, middle - size / 2, width, size);
          const auto meets = [&place](const QRectF& other) { return other.intersects(place); };
          if (figure_.plot.contains(place) && !std::ranges::any_of(taken, meets) && isFree(place))
            return place;
        }
        return std::nullopt;
      };
      auto place = placeWhere(
          [&](const QRectF& at) { return !obstacles.cover(at) && !obstacles.shade(at); });
      if (!place) place = placeWhere([&](const QRectF& at) { return !obstacles.cover(at); });
      if (!place) continue;
      pen_.text({place->left(), middle}, name, size, theme_.muted, Qt::AlignLeft, false);
      taken.push_back(place->adjusted(-style_.em, 0, style_.em, 0));
    }
  }

  void drawCurves() {
    const auto& curves = subject_.content.curves;
    for (std::size_t i = 0; i < curves.size(); ++i) {
      stepAside(i);
      subject_.whiskers ? drawWhiskers(curves[i]) : drawBand(curves[i]);
    }
    for (std::size_t i = 0; i < curves.size(); ++i) {
      stepAside(i);
      drawCurve(curves[i]);
    }
    aside_ = 0;
  }

  void drawModels() {
    if (!style_.models) return;
    pen_.group(QStringLiteral("models"), true);
    for (const ModelLine& model : subject_.content.models) {
      const double u = style_.unit();
      pen_.lines(strokes(curveOf(model).points, &Estimate::value, true),
                 {theme_.text, u, {2 * u, 4 * u}});
    }
  }

  void drawBreakEvens(double top) {
    if (!style_.markers) return;
    pen_.group(QStringLiteral("break-evens"));
    LabelRows rows(kBreakEvenGap, kBreakEvenRows);
    for (const Crossing& crossing : markedCrossings(subject_.content))
      drawBreakEven(crossing, top, rows);
  }

  void drawWords(double row) {
    pen_.group(QStringLiteral("words"));
    if (wordsAlone(subject_.content)) return spreadWords(row);
    LabelRows above(12), below(12);
    for (const WordSpan& span : subject_.content.words) {
      const bool low = liesLow(span);
      const auto [left, right, start, width] = placeOf(span);
      const auto place = static_cast<double>(
          *(low ? below : above).place(std::min(left, start), std::max(right, start + width)));
      drawWord(span, low ? figure_.plot.bottom() - 0.35 * row - row * place
                         : figure_.plot.top() + row * (place + 1) - 0.35 * row);
    }
  }

  /// Nothing else is in the chart: rows of words over its height.
  void spreadWords(double least) {
    LabelRows rows(12);
    std::vector<std::size_t> places;
    std::size_t count = 0;
    for (const WordSpan& span : subject_.content.words) {
      const auto [left, right, start, width] = placeOf(span);
      places.push_back(*rows.place(std::min(left, start), std::max(right, start + width)));
      count = std::max(count, places.back() + 1);
    }
    const double step = wordStep(figure_.plot.height(), count, least);
    const double first =
        figure_.plot.center().y() - step * (static_cast<double>(count) - 1) / 2 + 0.35 * least;
    for (std::size_t i = 0; i < places.size(); ++i)
      drawWord(subject_.content.words[i], first + step * static_cast<double>(places[i]));
  }

  /// Where a span's line and its text are drawn.
  struct WordPlace {
    double left = 0, right = 0, start = 0, width = 0;
  };
  WordPlace placeOf(const WordSpan& span) const {
    // A place alone has a dash of its own, too.
    const double dash = span.from == span.to ? 3 * style_.unit() : 0;
    WordPlace at;
    at.left = figure_.pixelX(span.from) - dash;
    at.right = std::max(at.left + 1, figure_.pixelX(span.to) + dash);
    at.width = figureTextWidth(textOf(subject_.content, span), style_.em * 0.92, true);
    at.start =
        std::max(std::min(at.left, figure_.size.width() - 8 - at.width), figure_.plot.left());
    return at;
  }

  void drawWord(const WordSpan& span, double y) {
    const WordPlace at = placeOf(span);
    const QColor color = theme_.series(span.series).color;
    pen_.line({at.left, y}, {at.right, y}, {color, 3 * style_.unit(), {}});
    pen_.text({at.start, y - 0.8 * style_.em}, textOf(subject_.content, span), style_.em * 0.92,
              color, Qt::AlignLeft, true);
  }

  void drawEndLabels() {
    std::vector<double> heights;
    std::vector<double> ends;  // ends of the named curves, pixels
    std::vector<EndLabel> named;
    for (const EndLabel& label : endLabels(subject_, style_, figure_.plot.height())) {
      // A chart that is zoomed in names its curves where they leave it.
      const auto& points = label.curve->points;
      const auto last = std::find_if(points.rbegin(), points.rend(), [&](const CurvePoint& point) {
        return point.x <= figure_.x.high && point.x >= figure_.x.low;
      });
      if (last == points.rend()) continue;
      const double y = figure_.pixelY(last->y.value);
      if (!std::isfinite(y) || y < figure_.plot.top() - 8 || y > figure_.plot.bottom() + 8)
        continue;
      heights.push_back(y);
      named.push_back(label);
      ends.push_back(figure_.pixelX(last->x));
    }
    const std::vector<double> curveEnds = heights;
    heights = spreadApart(std::move(heights), 1.35 * style_.em, figure_.plot.top() + 6,
                          figure_.plot.bottom() - 6);
    const std::size_t count = subject_.content.curves.size();
    const double beside =
        subject_.whiskers && count > 0 ? whiskerAside(count - 1, count) * figure_.plot.width() : 0;
    for (std::size_t i = 0; i < named.size(); ++i) {
      const Curve& curve = *named[i].curve;
      pen_.group(groupOf(curve));
      double left = ends[i] + 0.85 * style_.em + beside;
      const SeriesStyle series = theme_.series(curve.series);
      // From the curve's end to a name that had to move away from it.
      if (std::abs(heights[i] - curveEnds[i]) > 0.25 * style_.em)
        pen_.line({ends[i] + beside + 0.3 * style_.em, curveEnds[i]},
                  {left - 0.15 * style_.em, heights[i]}, {series.color, style_.unit(), {}});
      const bool gray = isGray(theme_);
      if (gray) {
        drawMark(pen_, series.marker, {left + 0.35 * style_.em, heights[i]}, 3.4 * style_.unit(),
                 series.color, curve.overlay < 0 ? series.color : theme_.panel,
                 1.4 * style_.unit());
        left += kNameBehindMark * style_.em;
      }
      pen_.text({left, heights[i]}, named[i].text, style_.em, gray ? theme_.text : series.color,
                Qt::AlignLeft, curve.overlay < 0);
    }
  }

  static QString groupOf(const Curve& curve) {
    QString group = QStringLiteral("curve-") + idOf(curve.name);
    group += partId(curve.part);
    if (curve.overlay >= 0) group += QStringLiteral("-run%1").arg(curve.overlay + 2);
    return group;
  }

 private:
  /// A mark is drawn as a whole or not at all when the plot shows only a part of the axes.
  bool within(const QPointF& at) const { return figure_.plot.adjusted(-1, -1, 1, 1).contains(at); }
  bool drawable(double y) const { return std::isfinite(y) && (y > 0 || !subject_.logValue); }

  /// Straight from point to point, in pieces where some are missing. A fitted line is straight in
  /// its values instead, and bent by a logarithmic axis.
  std::vector<QPolygonF> strokes(const std::vector<CurvePoint>& points, double Estimate::*end,
                                 bool fitted = false) const {
    std::vector<QPolygonF> pieces(1);
    const auto add = [&](double x, double y) {
      if (drawable(y))
        pieces.back() << QPointF(figure_.pixelX(x) + aside_, figure_.pixelY(y));
      else if (!pieces.back().isEmpty())
        pieces.emplace_back();
    };
    const bool bent = fitted && (subject_.logValue || subject_.logAxis);
    for (std::size_t i = 0; i < points.size(); ++i) {
      const CurvePoint& p = points[i];
      if (!p.joined && !pieces.back().isEmpty()) pieces.emplace_back();
      add(p.x, p.y.*end);
      if (!bent || i + 1 == points.size() || !points[i + 1].joined) continue;
      const CurvePoint& q = points[i + 1];
      for (const auto& [x, y] : between(p.x, p.y.*end, q.x, q.y.*end, subject_.logAxis)) add(x, y);
    }
    if (pieces.back().isEmpty()) pieces.pop_back();
    return pieces;
  }

  /// Between the ends of the intervals.
  std::vector<QPolygonF> bandsOf(const Curve& curve) const {
    std::vector<CurvePoint> run;
    std::vector<QPolygonF> areas;
    const auto close = [&] {
      const auto low = strokes(run, &Estimate::low), high = strokes(run, &Estimate::high);
      if (run.size() > 1 && low.size() == 1 && high.size() == 1) {
        QPolygonF area = low[0];
        for (auto p = high[0].rbegin(); p != high[0].rend(); ++p) area << *p;
        areas.push_back(std::move(area));
      }
      run.clear();
    };
    for (CurvePoint point : strokePoints(curve, curve.points)) {
      if (!point.joined) close();
      if (point.y.kind == Estimate::Kind::none) {
        close();
        continue;
      }
      if (subject_.logValue) point.y.low = std::max(point.y.low, figure_.y.low * 1e-3);
      run.push_back(point);
    }
    close();
    return areas;
  }

  void drawBand(const Curve& curve) {
    std::vector<QPolygonF> areas = bandsOf(curve);
    if (areas.empty()) return;
    pen_.group(groupOf(curve), true);
    const double alpha = curve.overlay >= 0 ? 0.08
                         : theme_.dark      ? 0.22
                         : isGray(theme_)   ? 0.12
                                            : 0.18;
    pen_.areas(std::move(areas), faded(theme_.series(curve.series).color, alpha));
  }

  double markRadius(const Curve& curve) const {
    return (curve.overlay >= 0 || curve.part != CurvePart::main ? 2.5 : 4) * style_.unit();
  }

  /// Side by side, so that whiskers at one place do not cover each other.
  void stepAside(std::size_t curve) {
    if (!subject_.whiskers) return;
    aside_ = whiskerAside(curve, subject_.content.curves.size()) * figure_.plot.width();
  }

  void drawWhiskers(const Curve& curve) {
    const double u = style_.unit(), cap = 2.5 * u;
    std::vector<QPolygonF> shapes;
    for (const CurvePoint& p : curve.points) {
      if (p.y.kind == Estimate::Kind::none || !drawable(p.y.low)) continue;
      const double x = figure_.pixelX(p.x) + aside_;
      const double low = figure_.pixelY(p.y.low), high = figure_.pixelY(p.y.high);
      shapes.push_back(QPolygonF({{x, low}, {x, high}}));
      for (const double y : {low, high}) shapes.push_back(QPolygonF({{x - cap, y}, {x + cap, y}}));
    }
    if (shapes.empty()) return;
    pen_.group(groupOf(curve), true);
    pen_.lines(std::move(shapes), {theme_.series(curve.series).color, 1.2 * u, {}});
  }

  void drawCurve(const Curve& curve) {
    const SeriesStyle series = theme_.series(curve.series);
    const bool other = curve.overlay >= 0;
    const double u = style_.unit(), width = (other ? 1.2 : lineWidthOf(curve)) * u;
    FigureStroke stroke{other ? faded(series.color, 0.65) : series.color, width, {}};
    for (const qreal dash : dashesOf(curve, subject_.content, series))
      stroke.dashes << dash * width;
    pen_.group(groupOf(curve), true);
    const std::vector<QPolygonF> drawn =
        strokes(strokePoints(curve, curve.points), &Estimate::value);
    pen_.lines(drawn, stroke);
    if (curve.simulated) {
      std::vector<QPolygonF> hatch;
      for (const QPolygonF& piece : drawn)
        for (const QLineF& across : hatchAlong(piece, 6 * u, 5 * u))
          hatch.push_back(QPolygonF({across.p1(), across.p2()}));
      if (!hatch.empty()) pen_.lines(std::move(hatch), {stroke.color, 0.9 * u, {}});
    }
    for (const Observation& o : curve.observations)
      if (drawable(o.y))
        pen_.ellipse({figure_.pixelX(o.x), figure_.pixelY(o.y)}, 2 * u, faded(series.color, 0.35));
    if (curve.points.size() > kMostMarks) return;
    pen_.group(groupOf(curve));
    for (const CurvePoint& p : curve.points)
      if (const QPointF at(figure_.pixelX(p.x) + aside_, figure_.pixelY(p.y.value));
          drawable(p.y.value) && within(at))
        drawMark(pen_, series.marker, at, markRadius(curve), stroke.color,
                 p.done && !other ? stroke.color : theme_.panel, 1.4 * u);
  }

  void drawBreakEven(const Crossing& crossing, double top, LabelRows& rows) {
    const QRectF& plot = figure_.plot;
    const double at = figure_.pixelX(crossing.at), u = style_.unit();
    if (at < plot.left() || at > plot.right()) return;
    const QColor color = theme_.series(seriesNamed(subject_.content, crossing.variant)).color;
    const auto [from, to] = shadedAround(crossing);
    const double low = std::max(plot.left(), figure_.pixelX(from));
    const double high = std::min(plot.right(), figure_.pixelX(to));
    if (high > low) pen_.rect({low, plot.top(), high - low, plot.height()}, faded(color, 0.13));
    pen_.line({at, plot.top()}, {at, plot.bottom()}, {color, u, {4 * u, 3 * u}});
    const std::optional<double> level = levelOf(subject_.content, crossing, subject_.scales());
    if (level && drawable(*level))
      pen_.ellipse({at, figure_.pixelY(*level)}, 4.5 * u, theme_.panel, {color, 2 * u, {}});
    const QString text = markerText(crossing, placeStyle(subject_.values), MarkerDetail::interval);
    const double em = 0.92 * style_.em, height = 1.7 * em;
    const double width = figureTextWidth(text, em, true) + 1.1 * em;
    const double left =
        std::clamp(at - width / 2, 4.0, std::max(4.0, figure_.size.width() - 4 - width));
    const auto row = rows.place(left, left + width);
    if (!row) return;  // no room: the sentence below the chart names this break-even
    const auto above = static_cast<double>(kBreakEvenRows - 1 - *row);
    const QRectF chip(left, top + above * (height + 3), width, height);
    pen_.rect(chip, theme_.raised, {color, u, {}}, 3 * u);
    pen_.text(chip.center(), text, em, theme_.text, Qt::AlignHCenter, true);
  }

  Figure& figure_;
  FigurePen pen_;
  const ChartSubject& subject_;
  const FigureStyle& style_;
  const Theme& theme_;
  double aside_ = 0;  ///< horizontal shift of the current curve, pixels
};

QString descriptionOf(const ChartSubject& subject) {
  QStringList parts;
  QStringList names;
  for (const Curve& curve : subject.content.curves)
    if (curve.overlay < 0 && curve.part == CurvePart::main) names << curve.name;
  parts << uiText("%1 over %2, one curve for each of: %3.")
               .arg(subject.valueLabel, subject.axisLabel, names.join(QStringLiteral(", ")));
  for (const Crossing& crossing : subject.content.crossings)
    parts << markerSentence(crossing, placeStyle(subject.values), subject.axisUnit);
  for (const ModelLine& model : subject.content.models)
    parts << QStringLiteral("%1: %2.").arg(model.variant, model.label);
  return parts.join(u' ');
}

void listSeries(Figure& figure, const ChartSubject& subject, const Theme& theme) {
  for (const Curve& curve : subject.content.curves) {
    FigureSeries series{curve.name, ChartDrawing::groupOf(curve), theme.series(curve.series).color,
                        curve.variant};
    series.name += partSuffix(curve.part);
    if (curve.overlay >= 0 && static_cast<std::size_t>(curve.overlay) < subject.overlayNames.size())
      series.name += QStringLiteral(" (%1)").arg(
          subject.overlayNames[static_cast<std::size_t>(curve.overlay)]);
    figure.series.push_back(std::move(series));
  }
}

}  // namespace

Figure chartFigure(const ChartSubject& subject, const FigureStyle& style) {
  Figure figure;
  figure.id = idOf(subject.id);
  figure.size = style.size;
  figure.ground = style.theme.panel;
  figure.ink = style.theme.text;
  figure.title = style.title.isEmpty() ? subject.title : style.title;
  figure.description = descriptionOf(subject);
  listSeries(figure, subject, style.theme);
  figure.x = subject.x.value_or(wholeAxis(subject.values, subject.content.curves, subject.logAxis));
  figure.y = subject.y.value_or(wholeValues(subject.content, subject.logValue, {100, 100'000}));
  const ChartFrame frame = drawFrame(figure, subject, style);
  ChartDrawing drawing(figure, subject, style);
  drawing.drawRule();
  drawing.drawCosts();
  drawing.drawCurves();
  drawing.drawModels();
  drawing.drawBreakEvens(frame.chipsTop);
  drawing.drawWords(frame.wordRow);
  drawing.drawEndLabels();
  return figure;
}

}  // namespace fusebench

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/figures/chart_frame.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "ui/export/figures/figure_heading.h"
#include "ui/export/figures/figure_marks.h"
#include "ui/export/figures/figure_ticks.h"
#include "ui/models/base/ui_text.h"
#include "ui/models/chart/chart_drawing.h"

namespace fusebench {
namespace {

constexpr double kTickerEm = 12;  ///< that ValueTicker measures labels with, in pixels

struct Entry {
  QString name;
  SeriesStyle look;
  bool thin = false;  ///< another run, all of whose curves are thin
};

/// The curves, unless they are named at their ends, and the overlaid runs.
std::vector<Entry> legendEntries(const ChartSubject& subject, const FigureStyle& style) {
  std::vector<Entry> entries;
  if (style.legend == LegendPlace::none) return entries;
  if (style.legend != LegendPlace::ends)
    for (const Curve& curve : subject.content.curves)
      if (curve.overlay < 0 && curve.part == CurvePart::main)
        entries.push_back({curve.name, style.theme.series(curve.series)});
  QStringList named;
  for (const Entry& entry : entries) named << entry.name;
  // Other runs' variants that the shown run lacks. Only the legend shows their colors.
  if (style.legend != LegendPlace::ends)
    for (const Curve& curve : subject.content.curves)
      if (curve.overlay >= 0 && curve.part == CurvePart::main && !named.contains(curve.name)) {
        entries.push_back({curve.name, style.theme.series(curve.series), true});
        named << curve.name;
      }
  for (std::size_t run = 0; run < subject.overlayNames.size(); ++run)
    if (std::any_of(subject.content.curves.begin(), subject.content.curves.end(),
                    [&](const Curve& curve) { return curve.overlay == static_cast<int>(run); }))
      entries.push_back({uiText("thin: ") + subject.overlayNames[run],
                         {style.theme.muted, {}, MarkerShape::circle},
                         true});
  return entries;
}

/// Entries in rows from the left; the height they take.
double legend(Figure& figure, const std::vector<Entry>& entries, const FigureStyle& style,
              const QPointF& corner, double width, bool draw) {
  if (entries.empty()) return 0;
  FigurePen pen(figure);
  pen.group(QStringLiteral("legend"));
  const double em = style.em, u = style.unit(), row = 1.6 * em;
  double x = corner.x(), y = corner.y() + row / 2;
  for (const Entry& entry : entries) {
    const double taken = 2.9 * em + figureTextWidth(entry.name, em);
    if (x > corner.x() && x + taken > corner.x() + width) {
      x = corner.x();
      y += row;
    }
    if (draw) {
      const QColor& color = entry.look.color;
      const double stroke = (entry.thin ? 1.2 : 2) * u;
      FigureStroke line{color, stroke, {}};
      for (const qreal dash : entry.look.dashes) line.dashes << dash * stroke;
      pen.line({x, y}, {x + 2.2 * em, y}, line);
      drawMark(pen, entry.look.marker, {x + 1.1 * em, y}, (entry.thin ? 2.5 : 3.6) * u, color,
               entry.thin ? style.theme.panel : color, u);
      pen.text({x + 2.7 * em, y}, entry.name, em, style.theme.text);
    }
    x += taken + 1.4 * em;
  }
  return y + row / 2 - corner.y();
}

struct WordRows {
  int above = 0, below = 0;
};
/// At most so many rows as there are spans; most share one with others of their kind.
WordRows wordRows(const ChartSubject& subject) {
  std::vector<int> above, below;
  for (const WordSpan& span : subject.content.words) {
    auto& known = liesLow(span) ? below : above;
    if (std::find(known.begin(), known.end(), span.variant) == known.end())
      known.push_back(span.variant);
  }
  return {static_cast<int>(above.size()), static_cast<int>(below.size())};
}

}  // namespace

bool isGray(const Theme& theme) {
  return theme.seriesColors[1].saturation() == 0;
}

double whiskerAside(std::size_t place, std::size_t count) {
  return (static_cast<double>(place) - 0.5 * (static_cast<double>(count) - 1)) * kWhiskerStep;
}

std::vector<EndLabel> endLabels(const ChartSubject& subject, const FigureStyle& style,
                                double height) {
  std::vector<EndLabel> own, known, unknown;
  if (style.legend != LegendPlace::ends) return own;
  QStringList names;
  for (const Curve& curve : subject.content.curves)
    if (curve.overlay < 0 && curve.part == CurvePart::main) {
      own.push_back({&curve, curve.name});
      names << curve.name;
    }
  constexpr qsizetype kMostOfRun = 16;
  for (const Curve& curve : subject.content.curves) {
    const auto run = static_cast<std::size_t>(curve.overlay);
    if (curve.overlay < 0 || curve.part != CurvePart::main || run >= subject.overlayNames.size())
      continue;
    QString name = subject.overlayNames[run];
    if (name.size() > kMostOfRun) name = name.left(kMostOfRun - 1) + u'…';
    (names.contains(curve.name) ? known : unknown)
        .push_back({&curve, QStringLiteral("%1 · %2").arg(curve.name, name)});
  }
  const auto room = static_cast<std::size_t>(std::max(0.0, (height - 12) / (1.35 * style.em)));
  own.insert(own.end(), unknown.begin(), unknown.end());
  if (own.size() + known.size() <= room) own.insert(own.end(), known.begin(), known.end());
  return own;
}

ChartFrame drawFrame(Figure& figure, const ChartSubject& subject, const FigureStyle& style) {
  const Theme& theme = style.theme;
  const double em = style.em, small = 0.92 * em, pad = 0.9 * em;
  const double width = figure.size.width(), height = figure.size.height();
  const bool anyNumber = std::any_of(subject.content.curves.begin(), subject.content.curves.end(),
                                     [](const Curve& curve) { return !curve.points.empty(); });
  ChartFrame frame;
  FigurePen pen(figure);

  QuantityTicker values;
  values.setTickCount(height > 300 ? 6 : 4);
  values.setLogarithmic(subject.logValue);
  values.setQuantity(quantityOf(subject.content.metric));
  values.setLimits(figure.y.low, figure.y.high);

  double top = drawTitle(figure, style);
  const std::vector<Entry> entries = legendEntries(subject, style);
  if (!entries.empty() && style.legend != LegendPlace::bottom)
    top += legend(figure, entries, style, {pad, top}, width - 2 * pad, true) + 0.3 * em;
  if (!subject.heading.isEmpty()) {
    pen.group(QStringLiteral("heading"));
    for (const QString& line : subject.heading) {
      pen.text({pad, top + 0.6 * em}, line, small, theme.muted);
      top += 1.4 * small;
    }
    top += 0.3 * em;
  }
  double bottom = drawCaption(figure, style);
  if (style.legend == LegendPlace::bottom) {
    bottom -= legend(figure, entries, style, {pad, 0}, width - 2 * pad, false);
    legend(figure, entries, style, {pad, bottom}, width - 2 * pad, true);
    bottom -= 0.3 * em;
  }
  pen.group(QStringLiteral("axes"));
  frame.chipsTop = top;
  if (style.markers && !subject.content.crossings.empty()) {
    const double chip = 1.7 * 0.92 * em;
    // A single marker needs no upper row.
    const bool both = subject.content.crossings.size() > 1;
    if (!both) frame.chipsTop = top - (chip + 3);
    top += (both ? 2 : 1) * (chip + 3) + 0.2 * em;
  } else {
    top += 0.5 * em;
  }

  QStringList names;
  for (const EndLabel& label : endLabels(subject, style, bottom - top - 3.1 * em))
    names << label.text;
  double right = width - pad - (names.isEmpty() ? em : widestText(names, em, true) + 0.4 * em);
  if (!names.isEmpty() && isGray(theme)) right -= kNameBehindMark * em;
  if (const std::size_t count = subject.content.curves.size(); subject.whiskers && count > 0)
    right -= whiskerAside(count - 1, count) * right;
  const double plotBottom = bottom - 3.1 * em;
  frame.wordRow = 2.3 * em;
  const WordRows rows = wordRows(subject);
  const double above = rows.above * frame.wordRow;
  const double below = rows.below * frame.wordRow + (rows.below ? 0.35 * em : 0);
  const double tall = plotBottom - top;
  figure.y = withRoom(figure.y, above, below, std::max(0.35 * tall, tall - above - below));
  const FigureTicks y = anyNumber ? figureTicks(values, figure.y) : FigureTicks{};
  const double left = pad + 1.7 * em + widestText(y.labels, small) + 0.6 * em;
  figure.plot = QRectF(QPointF(left, top),
                       QPointF(std::max(left + 20, right), std::max(top + 20, plotBottom)));

  ValueTicker places;
  places.setValues(subject.values);
  places.setLogarithmic(subject.logAxis);
  places.setPixels(static_cast<int>(figure.plot.width() * kTickerEm / small));
  const FigureTicks x = figureTicks(places, figure.x);
  for (std::size_t i = 0; i < y.at.size(); ++i) {
    const double at = figure.pixelY(y.at[i]);
    pen.line({left, at}, {figure.plot.right(), at}, {theme.grid, style.unit(), {}});
    pen.text({left - 0.6 * em, at}, y.labels[static_cast<qsizetype>(i)], small, theme.muted,
             Qt::AlignRight);
  }
  pen.line(figure.plot.bottomLeft(), figure.plot.bottomRight(), {theme.border, style.unit(), {}});
  for (std::size_t i = 0; i < x.at.size(); ++i) {
    const double at = figure.pixelX(x.at[i]);
    pen.line({at, figure.plot.bottom()}, {at, figure.plot.bottom() + 0.35 * em},
             {theme.border, style.unit(), {}});
    pen.text({at, figure.plot.bottom() + 1.1 * em}, x.labels[static_cast<qsizetype>(i)], small,
             theme.muted, Qt::AlignHCenter);
  }
  pen.text({figure.plot.center().x(), figure.plot.bottom() + 2.5 * em}, subject.axisLabel, small,
           theme.muted, Qt::AlignHCenter);
  pen.text({pad + 0.5 * em, figure.plot.center().y()}, subject.valueLabel, small, theme.muted,
           Qt::AlignHCenter, false, -90);
  return frame;
}

}  // namespace fusebench

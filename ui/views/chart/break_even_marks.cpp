// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/chart/break_even_marks.h"

#include <algorithm>
#include <optional>

#include "ui/models/base/format.h"
#include "ui/models/chart/chart_drawing.h"
#include "ui/models/chart/marker_text.h"

namespace fusebench {
namespace {

constexpr int kChipRow = 23;

}  // namespace

void BreakEvenMarks::make() {
  for (const Mark& mark : marks_) {
    frame_.plot.removeItem(mark.interval);
    frame_.plot.removeItem(mark.line);
    frame_.plot.removeItem(mark.dot);
    frame_.plot.removeItem(mark.chip);
  }
  marks_.clear();
  for (const Crossing& crossing : markedCrossings(frame_.content)) {
    auto* interval = new QCPItemRect(&frame_.plot);
    QCPItemLine* line = frame_.addVertical(kBandLayer);
    QCPItemEllipse* dot = frame_.addDot(kLabelLayer);
    Mark mark{crossing, interval, line, dot, frame_.addText(Qt::AlignLeft | Qt::AlignTop)};
    for (QCPItemPosition* position : {interval->topLeft, interval->bottomRight}) {
      position->setAxisRect(&frame_.rect);
      position->setAxes(frame_.xAxis(), frame_.yAxis());
      position->setTypeX(QCPItemPosition::ptPlotCoords);
      position->setTypeY(QCPItemPosition::ptAxisRectRatio);
    }
    const auto [low, high] = shadedAround(crossing);
    interval->topLeft->setCoords(low, 0);
    interval->bottomRight->setCoords(high, 1);
    interval->setLayer(kBandLayer);
    interval->setClipAxisRect(&frame_.rect);
    line->start->setCoords(crossing.at, 0);
    line->end->setCoords(crossing.at, 1);
    mark.chip->setPadding(QMargins(6, 2, 6, 2));
    style(mark);
    marks_.push_back(std::move(mark));
  }
}

void BreakEvenMarks::restyle() {
  for (Mark& mark : marks_) style(mark);
}

void BreakEvenMarks::style(Mark& mark) {
  const Theme& theme = *frame_.theme;
  const QColor color = theme.series(seriesNamed(frame_.content, mark.crossing.variant)).color;
  QColor faint = color;
  faint.setAlphaF(theme.dark ? 0.16f : 0.13f);
  mark.interval->setPen(Qt::NoPen);
  mark.interval->setBrush(faint);
  QPen line(color, 1);
  line.setDashPattern({4, 3});
  mark.line->setPen(line);
  mark.dot->setPen(QPen(color, 2));
  mark.dot->setBrush(theme.panel);
  mark.chip->setFont(textFont(0.9, QFont::DemiBold));
  mark.chip->setColor(theme.text);
  mark.chip->setBrush(theme.raised);
  mark.chip->setPen(QPen(color, 1));
}

QString BreakEvenMarks::tipAt(const QPointF& position) const {
  for (const Mark& mark : marks_) {
    const QRectF chip(mark.chip->topLeft->pixelPosition(), mark.chip->bottomRight->pixelPosition());
    const QRectF dot(mark.dot->topLeft->pixelPosition(), mark.dot->bottomRight->pixelPosition());
    if ((mark.chip->visible() && chip.contains(position)) ||
        (mark.dot->visible() && dot.adjusted(-3, -3, 3, 3).contains(position)))
      return markerSentence(mark.crossing, placeStyle(frame_.axes.values), frame_.axes.unit);
  }
  return {};
}

QStringList BreakEvenMarks::sentences() const {
  QStringList sentences;
  for (const Mark& mark : marks_)
    sentences << markerSentence(mark.crossing, placeStyle(frame_.axes.values), frame_.axes.unit);
  return sentences;
}

void BreakEvenMarks::place() {
  // Chips are in the margin above the curves, centered on their marks as far as the edges allow.
  // More than three omit their interval, and a chip without room is hidden.
  const QCPAxisRect& rect = frame_.rect;
  LabelRows rows(kBreakEvenGap, kBreakEvenRows);
  const double least = rect.left() - 40;
  const double right = rect.right() + rect.margins().right() - 4;
  const auto detail = marks_.size() <= 3 ? MarkerDetail::interval : MarkerDetail::place;
  for (Mark& mark : marks_) {
    const double at = frame_.pixelOf(mark.crossing.at);
    const bool inside = at >= rect.left() && at <= rect.right();
    mark.chip->setText(markerText(mark.crossing, placeStyle(frame_.axes.values), detail));
    const double width = widthOf(*mark.chip);
    const double left = std::clamp(at - width / 2, least, std::max(least, right - width));
    const auto row = inside && chips_ ? rows.place(left, left + width) : std::nullopt;
    mark.chip->setVisible(row.has_value());
    if (row)
      mark.chip->position->setCoords(left, rect.top() - kChipRow * (static_cast<double>(*row) + 1));
    const std::optional<double> level = levelOf(frame_.content, mark.crossing, frame_.scales());
    const double height = level ? frame_.heightOf(*level) : rect.bottom();
    mark.dot->setVisible(inside && level && height >= rect.top() && height <= rect.bottom());
    setDot(*mark.dot, at, height, 4.5);
  }
}

}  // namespace fusebench

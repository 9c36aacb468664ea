// SPDX-License-Identifier: GPL-3.0-or-later
// The part of CurvePlot that writes: names at the curves' ends, break-even markers, the hover
// cursor.
#include <algorithm>
#include <cmath>

#include "ui/models/format.h"
#include "ui/views/curve_plot.h"

namespace fusebench {
namespace {

constexpr double kLabelGap = 17;
constexpr double kLabelDistance = 11;
constexpr int kChipRow = 23;
constexpr double kRing = 6.5;

QString chipText(const Crossing& crossing) {
  QString text = QStringLiteral("%1 %2").arg(QString::fromStdString(crossing.variant),
                                             formatPlace(crossing.at));
  if (crossing.high > crossing.low)
    text += QStringLiteral(" (%1 – %2)").arg(formatPlace(crossing.low), formatPlace(crossing.high));
  return text;
}

}  // namespace

void CurvePlot::clearMarkers() {
  for (const Marker& marker : markers_) {
    plot_.removeItem(marker.interval);
    plot_.removeItem(marker.line);
    plot_.removeItem(marker.dot);
    plot_.removeItem(marker.chip);
  }
  markers_.clear();
}

void CurvePlot::setCrossings(const std::vector<Crossing>& crossings) {
  clearMarkers();
  QCPAxis* x = rect_.axis(QCPAxis::atBottom);
  QCPAxis* y = rect_.axis(QCPAxis::atLeft);
  for (const Crossing& crossing : crossings) {
    if (crossing.kind != Crossing::Kind::breakEven || crossing.status != CrossingStatus::found)
      continue;
    Marker marker{crossing, new QCPItemRect(&plot_), new QCPItemLine(&plot_),
                  new QCPItemEllipse(&plot_), new QCPItemText(&plot_)};
    for (QCPItemPosition* position : {marker.interval->topLeft, marker.interval->bottomRight,
                                      marker.line->start, marker.line->end}) {
      position->setAxisRect(&rect_);
      position->setAxes(x, y);
      position->setTypeX(QCPItemPosition::ptPlotCoords);
      position->setTypeY(QCPItemPosition::ptAxisRectRatio);
    }
    marker.interval->topLeft->setCoords(crossing.low, 0);
    marker.interval->bottomRight->setCoords(crossing.high, 1);
    marker.interval->setLayer(kBandLayer);
    marker.interval->setClipAxisRect(&rect_);
    marker.line->start->setCoords(crossing.at, 0);
    marker.line->end->setCoords(crossing.at, 1);
    marker.line->setLayer(kBandLayer);
    marker.line->setClipAxisRect(&rect_);
    marker.dot->setLayer(kLabelLayer);
    marker.dot->setClipToAxisRect(false);
    marker.dot->topLeft->setType(QCPItemPosition::ptAbsolute);
    marker.dot->bottomRight->setType(QCPItemPosition::ptAbsolute);
    marker.chip->setLayer(kLabelLayer);
    marker.chip->setClipToAxisRect(false);
    marker.chip->position->setType(QCPItemPosition::ptAbsolute);
    marker.chip->setPositionAlignment(Qt::AlignLeft | Qt::AlignTop);
    marker.chip->setPadding(QMargins(6, 2, 6, 2));
    marker.chip->setText(chipText(crossing));
    styleMarker(marker);
    markers_.push_back(std::move(marker));
  }
  std::sort(markers_.begin(), markers_.end(),
            [](const Marker& a, const Marker& b) { return a.crossing.at < b.crossing.at; });
}

void CurvePlot::styleMarker(Marker& marker) {
  const QColor color = theme_->series(variantOf(marker.crossing.variant)).color;
  QColor faint = color;
  faint.setAlphaF(theme_->dark ? 0.16f : 0.13f);
  marker.interval->setPen(Qt::NoPen);
  marker.interval->setBrush(faint);
  QPen line(color, 1);
  line.setDashPattern({4, 3});
  marker.line->setPen(line);
  marker.dot->setPen(QPen(color, 2));
  marker.dot->setBrush(theme_->panel);
  marker.chip->setFont(textFont(0.9, QFont::DemiBold));
  marker.chip->setColor(theme_->text);
  marker.chip->setBrush(theme_->raised);
  marker.chip->setPen(QPen(color, 1));
}

void CurvePlot::placeLabels() {
  const QCPAxis* y = rect_.axis(QCPAxis::atLeft);
  std::vector<double> ends;
  std::vector<std::size_t> shown;
  for (std::size_t i = 0; i < series_.size(); ++i) {
    series_[i].label->setVisible(!curves_[i].points.empty());
    if (curves_[i].points.empty()) continue;
    ends.push_back(y->coordToPixel(curves_[i].points.back().latency.value));
    shown.push_back(i);
  }
  ends = spreadApart(std::move(ends), kLabelGap, rect_.top() + 6, rect_.bottom() - 6);
  for (std::size_t k = 0; k < shown.size(); ++k)
    series_[shown[k]].label->position->setCoords(
        pixelOf(curves_[shown[k]].points.back().x) + kLabelDistance, ends[k]);

  // Chips stand in the margin above the curves, each as far left as its marker and its neighbour
  // let it.
  std::vector<double> rowEnds;
  const double right = rect_.right() + rect_.margins().right() - 4;
  for (Marker& marker : markers_) {
    const double at = pixelOf(marker.crossing.at);
    const double width =
        QFontMetricsF(marker.chip->font()).horizontalAdvance(marker.chip->text()) + 14;
    const double left = std::clamp(at - width / 2, static_cast<double>(rect_.left()) - 40,
                                   std::max(static_cast<double>(rect_.left()) - 40, right - width));
    std::size_t row = 0;
    while (row < rowEnds.size() && rowEnds[row] + 6 > left) ++row;
    if (row == rowEnds.size()) rowEnds.push_back(0);
    rowEnds[row] = left + width;
    marker.chip->position->setCoords(left, rect_.top() - kChipRow * (static_cast<double>(row) + 1));
    double level = y->coordToPixel(y->range().lower);
    for (const Curve& curve : curves_)
      if (curve.name == QString::fromStdString(marker.crossing.variant))
        if (const auto value = valueAt(curve, marker.crossing.at)) level = y->coordToPixel(*value);
    marker.dot->topLeft->setCoords(at - 4.5, level - 4.5);
    marker.dot->bottomRight->setCoords(at + 4.5, level + 4.5);
  }
  highlight(highlighted_);
}

void CurvePlot::highlight(std::optional<double> x) {
  highlighted_ = x;
  cursor_->setVisible(x.has_value());
  if (x) {
    cursor_->start->setCoords(*x, 0);
    cursor_->end->setCoords(*x, 1);
  }
  for (std::size_t i = 0; i < series_.size(); ++i) {
    const auto value = x ? valueAt(curves_[i], *x) : std::nullopt;
    series_[i].ring->setVisible(value.has_value());
    if (!value) continue;
    const double px = pixelOf(*x);
    const double py = rect_.axis(QCPAxis::atLeft)->coordToPixel(*value);
    series_[i].ring->topLeft->setCoords(px - kRing, py - kRing);
    series_[i].ring->bottomRight->setCoords(px + kRing, py + kRing);
  }
}

}  // namespace fusebench

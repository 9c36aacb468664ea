// SPDX-License-Identifier: GPL-3.0-or-later
// The part of CurvePlot that writes: names at the curves' ends, break-even markers, what a launch
// costs, the cursors.
#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <string>

#include "ui/models/base/format.h"
#include "ui/models/chart/marker_text.h"
#include "ui/views/chart/curve_plot.h"

namespace fusebench {
namespace {

constexpr double kLabelGap = 17;
constexpr double kLabelDistance = 11;
constexpr int kChipRow = 23;
constexpr std::size_t kLabelChipRows = 2;
constexpr double kRing = 6.5;
constexpr double kKnob = 5.5;
constexpr int kMostMarkers = 8;          ///< of one variant
constexpr std::size_t kModelLabels = 3;  ///< more would cover the curves

double widthOf(const QCPItemText& item) {
  return QFontMetricsF(item.font()).horizontalAdvance(item.text()) + item.padding().left() +
         item.padding().right() + 2;
}

void setEllipse(QCPItemEllipse& item, double x, double y, double radius) {
  item.topLeft->setCoords(x - radius, y - radius);
  item.bottomRight->setCoords(x + radius, y + radius);
}

}  // namespace

std::vector<double> spreadApart(std::vector<double> positions, double gap, double low,
                                double high) {
  std::vector<std::size_t> order(positions.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return positions[a] < positions[b]; });
  double least = low;
  for (const std::size_t i : order) {
    positions[i] = std::max(positions[i], least);
    least = positions[i] + gap;
  }
  double most = high;
  for (auto i = order.rbegin(); i != order.rend(); ++i) {
    positions[*i] = std::min(positions[*i], most);
    most = positions[*i] - gap;
  }
  return positions;
}

void CurvePlot::makeMarkers() {
  for (const Marker& marker : markers_) {
    plot_.removeItem(marker.interval);
    plot_.removeItem(marker.line);
    plot_.removeItem(marker.dot);
    plot_.removeItem(marker.chip);
  }
  markers_.clear();
  const auto isMarked = [](const Crossing& crossing) {
    return crossing.kind == Crossing::Kind::breakEven && crossing.status == CrossingStatus::found;
  };
  std::map<std::string, int> counts;
  for (const Crossing& crossing : content_.crossings)
    counts[crossing.variant] += isMarked(crossing);
  for (const Crossing& crossing : content_.crossings) {
    // Two curves that are the same but for noise cross at every other place: no marker could be
    // read.
    if (!isMarked(crossing) || counts[crossing.variant] > kMostMarkers) continue;
    Marker marker{crossing, new QCPItemRect(&plot_), addVertical(kBandLayer),
                  new QCPItemEllipse(&plot_), addText(Qt::AlignLeft | Qt::AlignTop)};
    for (QCPItemPosition* position : {marker.interval->topLeft, marker.interval->bottomRight}) {
      position->setAxisRect(&rect_);
      position->setAxes(rect_.axis(QCPAxis::atBottom), rect_.axis(QCPAxis::atLeft));
      position->setTypeX(QCPItemPosition::ptPlotCoords);
      position->setTypeY(QCPItemPosition::ptAxisRectRatio);
    }
    marker.interval->topLeft->setCoords(crossing.low, 0);
    marker.interval->bottomRight->setCoords(crossing.high, 1);
    marker.interval->setLayer(kBandLayer);
    marker.interval->setClipAxisRect(&rect_);
    marker.line->start->setCoords(crossing.at, 0);
    marker.line->end->setCoords(crossing.at, 1);
    marker.dot->setLayer(kLabelLayer);
    marker.dot->setClipToAxisRect(false);
    marker.dot->topLeft->setType(QCPItemPosition::ptAbsolute);
    marker.dot->bottomRight->setType(QCPItemPosition::ptAbsolute);
    marker.chip->setPadding(QMargins(6, 2, 6, 2));
    styleMarker(marker);
    markers_.push_back(std::move(marker));
  }
  std::sort(markers_.begin(), markers_.end(),
            [](const Marker& a, const Marker& b) { return a.crossing.at < b.crossing.at; });
}

void CurvePlot::styleMarker(Marker& marker) {
  const QColor color = theme_->series(seriesNamed(marker.crossing.variant)).color;
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

void CurvePlot::makeModels() {
  while (models_.size() > content_.models.size()) {
    plot_.removePlottable(models_.back().line);
    plot_.removeItem(models_.back().label);
    models_.pop_back();
  }
  while (models_.size() < content_.models.size()) {
    Model model{addGraph(kLabelLayer), addText(Qt::AlignRight | Qt::AlignBottom)};
    model.label->setPadding(QMargins(4, 1, 4, 1));
    models_.push_back(model);
  }
  styleModels();
}

void CurvePlot::styleModels() {
  for (std::size_t i = 0; i < models_.size(); ++i) {
    QPen pen(theme_->text, 1);
    pen.setDashPattern({2, 4});
    models_[i].line->setPen(pen);
    models_[i].label->setText(content_.models[i].label);
    models_[i].label->setFont(textFont(0.9));
    models_[i].label->setColor(theme_->series(content_.models[i].series).color);
    QColor behind = theme_->panel;
    behind.setAlphaF(0.85f);
    models_[i].label->setBrush(behind);
  }
}

void CurvePlot::placeEndLabels() {
  const QCPAxis* y = rect_.axis(QCPAxis::atLeft);
  const double right = rect_.axis(QCPAxis::atBottom)->range().upper;
  std::vector<double> ends, at;
  std::vector<std::size_t> shown;
  for (std::size_t i = 0; i < series_.size(); ++i) {
    const Curve& curve = content_.curves[i];
    series_[i].label->setVisible(false);
    if (!endLabels_ || curve.points.empty() || curve.overlay >= 0 || curve.part != CurvePart::main)
      continue;
    const double x = std::min(curve.points.back().x, right);
    const auto value = valueAt(curve, x);
    if (!value || (axes_.logValue && !(*value > 0))) continue;
    const double pixel = y->coordToPixel(*value);
    if (pixel < rect_.top() - 2 || pixel > rect_.bottom() + 2) continue;
    series_[i].label->setVisible(true);
    ends.push_back(pixel);
    at.push_back(pixelOf(x));
    shown.push_back(i);
  }
  ends = spreadApart(std::move(ends), kLabelGap, rect_.top() + 6, rect_.bottom() - 6);
  for (std::size_t k = 0; k < shown.size(); ++k)
    series_[shown[k]].label->position->setCoords(at[k] + kLabelDistance, ends[k]);
}

QString CurvePlot::markerTip(const QPointF& position) const {
  for (const Marker& marker : markers_) {
    const QRectF chip(marker.chip->topLeft->pixelPosition(),
                      marker.chip->bottomRight->pixelPosition());
    const QRectF dot(marker.dot->topLeft->pixelPosition(),
                     marker.dot->bottomRight->pixelPosition());
    if ((marker.chip->visible() && chip.contains(position)) ||
        (marker.dot->visible() && dot.adjusted(-3, -3, 3, 3).contains(position)))
      return markerSentence(marker.crossing, placeStyle(axes_.values), axes_.label);
  }
  return {};
}

QStringList CurvePlot::markerSentences() const {
  QStringList sentences;
  for (const Marker& marker : markers_)
    sentences << markerSentence(marker.crossing, placeStyle(axes_.values), axes_.label);
  return sentences;
}

void CurvePlot::placeMarkers() {
  // Chips stand in the margin above the curves, each as far left as its marker and its neighbour
  // let it; without their interval, or not at all, where there is no room.
  const QCPAxis* y = rect_.axis(QCPAxis::atLeft);
  std::vector<double> rowEnds;
  const double least = rect_.left() - 40;
  const double right = rect_.right() + rect_.margins().right() - 4;
  const std::size_t crowd = markers_.size();
  for (Marker& marker : markers_) {
    const double at = pixelOf(marker.crossing.at);
    const bool inside = at >= rect_.left() && at <= rect_.right();
    const auto detail = crowd <= 3 ? MarkerDetail::interval : MarkerDetail::place;
    marker.chip->setText(markerText(marker.crossing, placeStyle(axes_.values), detail));
    const double width = widthOf(*marker.chip);
    const double left = std::clamp(at - width / 2, least, std::max(least, right - width));
    std::size_t row = 0;
    while (row < rowEnds.size() && rowEnds[row] + 6 > left) ++row;
    marker.chip->setVisible(inside && row < kLabelChipRows);
    if (marker.chip->visible()) {
      if (row == rowEnds.size()) rowEnds.push_back(0);
      rowEnds[row] = left + width;
      marker.chip->position->setCoords(left,
                                       rect_.top() - kChipRow * (static_cast<double>(row) + 1));
    }
    std::optional<double> level = content_.rule;
    for (const Curve& curve : content_.curves)
      if (!level && curve.overlay < 0 &&
          curve.name == QString::fromStdString(marker.crossing.variant))
        level = valueAt(curve, marker.crossing.at);
    const double height = level ? y->coordToPixel(*level) : rect_.bottom();
    marker.dot->setVisible(inside && level && height >= rect_.top() && height <= rect_.bottom());
    setEllipse(*marker.dot, at, height, 4.5);
  }
}

bool CurvePlot::covers(const QRectF& area) const {
  constexpr double kStep = 4;
  const QCPAxis* x = rect_.axis(QCPAxis::atBottom);
  const QCPAxis* y = rect_.axis(QCPAxis::atLeft);
  const QRectF near = area.adjusted(-3, -3, 3, 3);
  for (const Curve& curve : content_.curves)
    for (double pixel = near.left(); pixel <= near.right() + kStep; pixel += kStep) {
      const auto value = valueAt(curve, x->pixelToCoord(std::min(pixel, near.right())));
      if (!value || (axes_.logValue && !(*value > 0))) continue;
      const double height = y->coordToPixel(*value);
      if (height >= near.top() && height <= near.bottom()) return true;
    }
  return std::any_of(series_.begin(), series_.end(), [&](const Series& series) {
    if (!series.label->visible()) return false;
    const QPointF at = series.label->position->pixelPosition();
    return near.intersects(QRectF(at.x(), at.y() - 9, widthOf(*series.label), 18));
  });
}

void CurvePlot::placeModels() {
  // Above or below its line, where it covers neither a curve nor another label; else not at all.
  const QCPAxis* y = rect_.axis(QCPAxis::atLeft);
  const QRectF inside = QRectF(rect_.rect()).adjusted(4, 4, -4, -4);
  std::vector<QRectF> taken;
  for (std::size_t i = 0; i < models_.size(); ++i) {
    QCPItemText& label = *models_[i].label;
    label.setVisible(false);
    if (!showModels_ || taken.size() >= kModelLabels) continue;
    Curve line;
    for (const Observation& point : content_.models[i].points)
      line.points.push_back({point.x, {point.y, point.y, point.y, Estimate::Kind::none}});
    const double width = widthOf(label), height = QFontMetricsF(label.font()).height() + 2;
    for (const double share : {0.66, 0.54, 0.78, 0.42, 0.9, 0.3}) {
      const double x = rect_.left() + share * rect_.width();
      const auto value = valueAt(line, rect_.axis(QCPAxis::atBottom)->pixelToCoord(x));
      if (!value || (axes_.logValue && !(*value > 0))) continue;
      const double at = y->coordToPixel(*value);
      for (const double bottom : {at - 12, at + 12 + height, at - 34, at + 34 + height}) {
        const QRectF place(x - width, bottom - height, width, height);
        const bool free = inside.contains(place) && !covers(place) &&
                          std::none_of(taken.begin(), taken.end(), [&](const QRectF& other) {
                            return other.intersects(place.adjusted(-4, -4, 4, 4));
                          });
        if (!free) continue;
        label.setVisible(true);
        label.position->setCoords(x, bottom);
        taken.push_back(place);
        break;
      }
      if (label.visible()) break;
    }
  }
}

void CurvePlot::setPin(std::optional<double> x) {
  pin_ = x;
  placePin();
}

void CurvePlot::placePin() {
  const double at = pin_ ? pixelOf(*pin_) : 0;
  const bool inside = pin_ && at >= rect_.left() - 1 && at <= rect_.right() + 1;
  pinLine_->setVisible(inside);
  knob_->setVisible(inside);
  if (!inside) return;
  pinLine_->start->setCoords(*pin_, 0);
  pinLine_->end->setCoords(*pin_, 1);
  setEllipse(*knob_, at, rect_.bottom(), kKnob);
}

void CurvePlot::highlight(std::optional<double> x) {
  highlighted_ = x;
  cursor_->setVisible(x.has_value());
  if (x) {
    cursor_->start->setCoords(*x, 0);
    cursor_->end->setCoords(*x, 1);
  }
  for (std::size_t i = 0; i < series_.size(); ++i) {
    const Curve& curve = content_.curves[i];
    const auto value = x && curve.overlay < 0 ? valueAt(curve, *x) : std::nullopt;
    const double px = x ? pixelOf(*x) : 0;
    const double py = value ? rect_.axis(QCPAxis::atLeft)->coordToPixel(*value) : 0;
    const bool inside = value && (*value > 0 || !axes_.logValue) && px >= rect_.left() &&
                        px <= rect_.right() && py >= rect_.top() && py <= rect_.bottom();
    series_[i].ring->setVisible(inside);
    if (inside) setEllipse(*series_[i].ring, px, py, kRing);
  }
}

}  // namespace fusebench

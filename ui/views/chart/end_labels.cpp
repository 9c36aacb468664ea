// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/chart/end_labels.h"

#include <algorithm>
#include <cmath>

#include "ui/models/chart/chart_drawing.h"

namespace fusebench {
namespace {

constexpr double kLabelGap = 17;
constexpr double kLabelHeight = 18;
constexpr double kLabelDistance = 11;
constexpr double kLeaderStart = 4;  ///< behind the mark at the curve's end
constexpr double kLeaderEnd = 2;    ///< before the name
constexpr double kNear = 3;         ///< a name this near to its curve needs no leader line
constexpr float kFaintName = 0.3f;

}  // namespace

void EndLabels::make() {
  const std::size_t count = frame_.content.curves.size();
  while (labels_.size() > count) {
    frame_.plot.removeItem(labels_.back());
    labels_.pop_back();
    frame_.plot.removeItem(leaders_.back());
    leaders_.pop_back();
  }
  while (labels_.size() < count) {
    labels_.push_back(frame_.addText(Qt::AlignLeft | Qt::AlignVCenter));
    leaders_.push_back(frame_.addLeader());
  }
  restyle();
}

void EndLabels::restyle() {
  for (std::size_t i = 0; i < labels_.size(); ++i) {
    const Curve& curve = frame_.content.curves[i];
    labels_[i]->setText(curve.name);
    labels_[i]->setFont(textFont(0.96, QFont::DemiBold));
    QColor color = frame_.theme->series(curve.series).color;
    if (i < faint_.size() && faint_[i]) color.setAlphaF(kFaintName);
    labels_[i]->setColor(color);
    leaders_[i]->setPen(QPen(color, 1));
  }
}

void EndLabels::setFaint(std::vector<bool> faint) {
  faint_ = std::move(faint);
  restyle();
}

void EndLabels::place() {
  const QCPAxisRect& rect = frame_.rect;
  const double right = frame_.xAxis()->range().upper;
  std::vector<double> ends, at;
  std::vector<std::size_t> shown;
  for (std::size_t i = 0; i < labels_.size(); ++i) {
    const Curve& curve = frame_.content.curves[i];
    labels_[i]->setVisible(false);
    leaders_[i]->setVisible(false);
    if (!shown_ || curve.points.empty() || curve.overlay >= 0 || curve.part != CurvePart::main)
      continue;
    const double x = std::min(curve.points.back().x, right);
    const auto value = valueAt(curve, x, frame_.scales());
    if (!value || !frame_.drawable(*value)) continue;
    const double pixel = frame_.heightOf(*value);
    if (pixel < rect.top() - 2 || pixel > rect.bottom() + 2) continue;
    labels_[i]->setVisible(true);
    ends.push_back(pixel);
    at.push_back(frame_.pixelOf(x));
    shown.push_back(i);
  }
  const std::vector<double> names = spreadApart(ends, kLabelGap, rect.top() + 6, rect.bottom() - 6);
  for (std::size_t k = 0; k < shown.size(); ++k) {
    labels_[shown[k]]->position->setCoords(at[k] + kLabelDistance, names[k]);
    QCPItemLine& leader = *leaders_[shown[k]];
    leader.setVisible(std::abs(names[k] - ends[k]) > kNear);
    leader.start->setCoords(at[k] + kLeaderStart, ends[k]);
    leader.end->setCoords(at[k] + kLabelDistance - kLeaderEnd, names[k]);
  }
}

bool EndLabels::meets(const QRectF& area) const {
  return std::ranges::any_of(labels_, [&](const QCPItemText* label) {
    return label->visible() && area.intersects(areaOf(*label));
  });
}

QRectF EndLabels::areaOf(const QCPItemText& label) const {
  const QPointF at = label.position->pixelPosition();
  return {at.x(), at.y() - kLabelHeight / 2, widthOf(label), kLabelHeight};
}

std::optional<std::size_t> EndLabels::curveAt(const QPointF& position) const {
  for (std::size_t i = 0; i < labels_.size(); ++i)
    if (labels_[i]->visible() && areaOf(*labels_[i]).contains(position)) return i;
  return std::nullopt;
}

}  // namespace fusebench

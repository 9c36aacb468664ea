// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/chart/model_lines.h"

#include <algorithm>

#include "ui/models/chart/chart_drawing.h"

namespace fusebench {
namespace {

constexpr std::size_t kMostLabels = 3;  ///< more would cover the curves

}  // namespace

void ModelLines::make() {
  const std::vector<ModelLine>& models = frame_.content.models;
  while (lines_.size() > models.size()) {
    frame_.plot.removePlottable(lines_.back().line);
    frame_.plot.removeItem(lines_.back().label);
    lines_.pop_back();
  }
  while (lines_.size() < models.size()) {
    QCPGraph* line = frame_.addGraph(kLabelLayer);
    lines_.push_back({line, frame_.addText(Qt::AlignRight | Qt::AlignBottom)});
    lines_.back().label->setPadding(QMargins(4, 1, 4, 1));
  }
  restyle();
}

void ModelLines::restyle() {
  for (std::size_t i = 0; i < lines_.size(); ++i) {
    const ModelLine& model = frame_.content.models[i];
    QPen pen(frame_.theme->text, 1);
    pen.setDashPattern({2, 4});
    lines_[i].line->setPen(pen);
    lines_[i].label->setText(model.label);
    lines_[i].label->setFont(textFont(0.9));
    lines_[i].label->setColor(frame_.theme->series(model.series).color);
    QColor behind = frame_.theme->panel;
    behind.setAlphaF(0.85f);
    lines_[i].label->setBrush(behind);
  }
}

void ModelLines::fill() {
  for (std::size_t i = 0; i < lines_.size(); ++i) {
    QCPGraph& graph = *lines_[i].line;
    graph.data()->clear();
    graph.setVisible(shown_);
    const std::vector<Observation>& points = frame_.content.models[i].points;
    for (std::size_t k = 0; k + 1 < points.size(); ++k)
      frame_.addLine(graph, points[k].x, points[k].y, points[k + 1].x, points[k + 1].y);
    if (!points.empty() && frame_.drawable(points.back().y))
      graph.addData(points.back().x, points.back().y);
  }
}

void ModelLines::place(const Covers& covers) {
  // Above or below its line, where it covers neither a curve nor another label; else not at all.
  const QRectF inside = QRectF(frame_.rect.rect()).adjusted(4, 4, -4, -4);
  taken_.clear();
  for (std::size_t i = 0; i < lines_.size(); ++i) {
    QCPItemText& label = *lines_[i].label;
    label.setVisible(false);
    if (!shown_ || taken_.size() >= kMostLabels) continue;
    const Curve line = curveOf(frame_.content.models[i]);
    const double width = widthOf(label), height = QFontMetricsF(label.font()).height() + 2;
    for (const double share : {0.66, 0.54, 0.78, 0.42, 0.9, 0.3}) {
      const double x = frame_.rect.left() + share * frame_.rect.width();
      const auto value = valueAt(line, frame_.xAxis()->pixelToCoord(x), {});
      if (!value || !frame_.drawable(*value)) continue;
      const double at = frame_.heightOf(*value);
      for (const double bottom : {at - 12, at + 12 + height, at - 34, at + 34 + height}) {
        const QRectF place(x - width, bottom - height, width, height);
        const bool free = inside.contains(place) && !covers(place) &&
                          std::none_of(taken_.begin(), taken_.end(), [&](const QRectF& other) {
                            return other.intersects(place.adjusted(-4, -4, 4, 4));
                          });
        if (!free) continue;
        label.setVisible(true);
        label.position->setCoords(x, bottom);
        taken_.push_back(place);
        break;
      }
      if (label.visible()) break;
    }
  }
}

bool ModelLines::meets(const QRectF& area) const {
  return std::ranges::any_of(taken_, [&](const QRectF& place) { return place.intersects(area); });
}

}  // namespace fusebench

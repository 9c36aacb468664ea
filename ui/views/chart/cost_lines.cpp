// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/chart/cost_lines.h"

#include <algorithm>

#include "ui/models/chart/chart_drawing.h"

namespace fusebench {
namespace {

constexpr double kCostInset = 6;      ///< from the left edge to the first name
constexpr double kCostAboveLine = 2;  ///< from a level up to its name
constexpr double kCostApart = 12;     ///< between names side by side

}  // namespace

void CostLines::make() {
  const std::vector<CostLevel>& costs = frame_.content.costs;
  while (lines_.size() > costs.size()) {
    frame_.plot.removeItem(lines_.back().line);
    frame_.plot.removeItem(lines_.back().label);
    lines_.pop_back();
  }
  while (lines_.size() < costs.size()) {
    QCPItemLine* line = frame_.addLevel(kBandLayer);
    lines_.push_back({line, frame_.addText(Qt::AlignLeft | Qt::AlignBottom)});
  }
  for (std::size_t i = 0; i < lines_.size(); ++i) {
    lines_[i].line->start->setCoords(0, costs[i].value);
    lines_[i].line->end->setCoords(1, costs[i].value);
    lines_[i].label->setText(textOf(costs[i]));
  }
  restyle();
}

void CostLines::restyle() {
  for (const Line& cost : lines_) {
    cost.line->setPen(QPen(frame_.theme->muted, 1, Qt::DotLine));
    cost.label->setFont(textFont(0.84));
    cost.label->setColor(frame_.theme->muted);
    cost.label->setBrush(frame_.theme->panel);  // so that no level near it strikes it through
  }
}

void CostLines::place(const Covers& covers) {
  const QRectF inside = QRectF(frame_.rect.rect()).adjusted(0, 0, 0, 1);
  std::vector<QRectF> taken;
  for (std::size_t i = 0; i < lines_.size(); ++i) {
    QCPItemText& label = *lines_[i].label;
    label.setVisible(false);
    const QFontMetricsF metrics(label.font());
    const double width = metrics.horizontalAdvance(label.text()) + 2, height = metrics.height();
    const double bottom = frame_.heightOf(frame_.content.costs[i].value) - kCostAboveLine;
    for (double left = inside.left() + kCostInset; left + width <= inside.right();) {
      const QRectF place(left, bottom - height, width, height);
      if (!inside.contains(place)) break;
      const auto other = std::find_if(taken.begin(), taken.end(),
                                      [&](const QRectF& area) { return area.intersects(place); });
      if (other != taken.end()) {
        left = other->right() + kCostApart;
      } else if (covers(place)) {
        left += width / 2;
      } else {
        label.setVisible(true);
        label.position->setCoords(left, bottom);
        taken.push_back(place);
        break;
      }
    }
  }
}

QStringList CostLines::named() const {
  QStringList names;
  for (std::size_t i = 0; i < lines_.size(); ++i)
    if (lines_[i].label->visible()) names << frame_.content.costs[i].name;
  return names;
}

}  // namespace fusebench

// SPDX-License-Identifier: GPL-3.0-or-later
// The part of CurvePlot that draws what the steps of a call cost by themselves: levels to compare
// latencies with.
#include <algorithm>

#include "ui/models/base/format.h"
#include "ui/views/chart/curve_plot.h"

namespace fusebench {
namespace {

constexpr double kCostInset = 6;      ///< of the first name from the left edge
constexpr double kCostAboveLine = 2;  ///< from a level up to its name
constexpr double kCostApart = 12;     ///< between names side by side

}  // namespace

void CurvePlot::makeCosts() {
  while (costs_.size() > content_.costs.size()) {
    plot_.removeItem(costs_.back().line);
    plot_.removeItem(costs_.back().label);
    costs_.pop_back();
  }
  while (costs_.size() < content_.costs.size()) {
    Cost cost{new QCPItemLine(&plot_), addText(Qt::AlignLeft | Qt::AlignBottom)};
    cost.line->setLayer(kBandLayer);
    cost.line->setClipAxisRect(&rect_);
    for (QCPItemPosition* position : {cost.line->start, cost.line->end}) {
      position->setAxisRect(&rect_);
      position->setAxes(rect_.axis(QCPAxis::atBottom), rect_.axis(QCPAxis::atLeft));
      position->setTypeX(QCPItemPosition::ptAxisRectRatio);
      position->setTypeY(QCPItemPosition::ptPlotCoords);
    }
    costs_.push_back(cost);
  }
  for (std::size_t i = 0; i < costs_.size(); ++i) {
    const CostLevel& level = content_.costs[i];
    costs_[i].line->start->setCoords(0, level.value);
    costs_[i].line->end->setCoords(1, level.value);
    costs_[i].label->setText(QStringLiteral("%1 %2").arg(level.name, formatTime(level.value)));
  }
  styleCosts();
}

void CurvePlot::styleCosts() {
  for (const Cost& cost : costs_) {
    cost.line->setPen(QPen(theme_->muted, 1, Qt::DotLine));
    cost.label->setFont(textFont(0.84));
    cost.label->setColor(theme_->muted);
    cost.label->setBrush(theme_->panel);  // so that no level near it strikes it through
  }
}

/// Names stand at the left end of their levels; those that would cover one another or a curve move
/// to the right, or are left out.
void CurvePlot::placeCosts() {
  const QCPAxis* y = rect_.axis(QCPAxis::atLeft);
  const QRectF inside = QRectF(rect_.rect()).adjusted(0, 0, 0, 1);
  std::vector<QRectF> taken;
  for (std::size_t i = 0; i < costs_.size(); ++i) {
    QCPItemText& label = *costs_[i].label;
    label.setVisible(false);
    const QFontMetricsF metrics(label.font());
    const double width = metrics.horizontalAdvance(label.text()) + 2, height = metrics.height();
    const double bottom = y->coordToPixel(content_.costs[i].value) - kCostAboveLine;
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

QStringList CurvePlot::shownCosts() const {
  QStringList names;
  for (std::size_t i = 0; i < costs_.size(); ++i)
    if (costs_[i].label->visible()) names << content_.costs[i].name;
  return names;
}

}  // namespace fusebench

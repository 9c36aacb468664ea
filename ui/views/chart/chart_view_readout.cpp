// SPDX-License-Identifier: GPL-3.0-or-later
// The part of ChartView that reads the curves out at the cursor.
#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "ui/views/chart/chart_legend.h"
#include "ui/views/chart/chart_view.h"
#include "ui/views/chart/readout_card.h"

namespace fusebench {
namespace {
constexpr int kRoomForNotes = 620;      ///< width of the chart from which the notes fit
constexpr int kCardAway = 4;            ///< from the chart's edges
constexpr int kRoomForIntervals = 480;  ///< and the intervals
}  // namespace

void ChartView::setCursor(std::optional<double> x) {
  cursorValue_ = x;
  measured_->highlight(x);
  published_->highlight(publishedShown() ? x : std::nullopt);
  refreshReadout();
  plot_->layer(kHoverLayer)->replot();
}

void ChartView::setPin(std::optional<double> x) {
  pin_ = x;
  measured_->setPin(x);
  plot_->layer(kHoverLayer)->replot();
}

void ChartView::refreshReadout() {
  const Run* run = run_.run();
  const bool figures = cursorValue_ && run;
  if (figures) {
    Readout readout = readoutAt(*run, run_.summaries(), measured_->content(), overlayNames(),
                                slice_, *cursorValue_);
    std::erase_if(readout.rows,
                  [&](const ReadoutRow& row) { return !legend_->visibility().shown(row.name); });
    readout_->setReadout(std::move(readout), plot_->width() >= kRoomForIntervals,
                         plot_->width() >= kRoomForNotes, plot_->height() - 2 * kCardAway, *theme_);
  }
  readout_->setVisible(figures);
  placeReadout();
}

void ChartView::placeReadout() {
  if (!cursorValue_ || !readout_->isVisible()) return;
  // Places the readout next to the cursor, in the corner that covers the fewest points.
  const QRect area =
      measured_->rect().rect().adjusted(4, 4, measured_->rect().margins().right(), -4);
  const int at = static_cast<int>(measured_->pixelOf(*cursorValue_));
  const QSize size = readout_->size();
  const auto clamped = [&](int left) {
    return std::clamp(left, area.left(), std::max(area.left(), area.right() - size.width()));
  };
  QRect best;
  int fewest = std::numeric_limits<int>::max();
  // Where there are many curves the card is higher than the axes.
  const int lowest = std::max(kCardAway, plot_->height() - kCardAway - size.height());
  const auto within = [&](int top) { return std::clamp(top, kCardAway, lowest); };
  for (const int top : {within(area.top()), within(area.bottom() - size.height())})
    for (const int left : {clamped(at + 14), clamped(at - 14 - size.width())}) {
      const QRect place(QPoint(left, top), size);
      int hidden = measured_->pointsWithin(place.adjusted(-6, -6, 6, 6));
      if (place.left() <= at && at <= place.right()) hidden += 20;  // the cursor itself
      if (hidden < fewest) {
        fewest = hidden;
        best = place;
      }
    }
  readout_->move(best.topLeft());
}

}  // namespace fusebench

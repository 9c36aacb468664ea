// SPDX-License-Identifier: GPL-3.0-or-later
// Layout of the chart: plots side by side, their titles and margins, and the card of an empty
// chart.
#include <QFrame>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QTextBoundaryFinder>
#include <algorithm>

#include "ui/models/base/format.h"
#include "ui/views/chart/chart_legend.h"
#include "ui/views/chart/chart_view.h"

namespace fusebench {
namespace {

constexpr int kChartChipRows = 2;
constexpr int kLow = 220;         ///< below, the chips over the curves do
constexpr int kLegendShare = 5;   ///< of the view's height, at most a fifth
constexpr int kLegendLeast = 28;  ///< one row of it
constexpr int kNarrow = 520;      ///< below, the names at the curves' ends give way to the curves

/// Text broken so that no line is wider than the room, wherever its language breaks lines: Chinese
/// has no spaces.
QString wrapped(const QString& text, const QFont& font, int room) {
  const QFontMetrics metrics(font);
  QTextBoundaryFinder breaks(QTextBoundaryFinder::Line, text);
  QString result, line;
  for (qsizetype from = 0, to = 0; from < text.size(); from = to) {
    to = breaks.toNextBoundary();
    if (to < 0) to = text.size();
    const QString piece = text.mid(from, to - from);
    if (!line.isEmpty() && metrics.horizontalAdvance((line + piece).trimmed()) > room) {
      result += line.trimmed() + u'\n';
      line.clear();
    }
    line += piece;
  }
  return result + line;
}

}  // namespace

void ChartView::arrange() {
  const bool both = publishedShown();
  QCPLayoutGrid& grid = *plot_->plotLayout();
  if (both && !publishedRect_->layout()) {
    grid.addElement(0, 1, publishedTitle_);
    grid.addElement(1, 1, publishedRect_);
    grid.setColumnStretchFactor(0, 1);
    grid.setColumnStretchFactor(1, 0.68);
  } else if (!both && publishedRect_->layout()) {
    grid.take(publishedTitle_);
    grid.take(publishedRect_);
    grid.simplify();
  }
  publishedRect_->setVisible(both);
  publishedTitle_->setVisible(both);
  const int mine = both ? static_cast<int>(plot_->width() / 1.68) : plot_->width();
  const QFont font = textFont(0.92);
  measuredTitle_->setText(wrapped(captionText(), font, mine - 30));
  if (both)
    publishedTitle_->setText(
        wrapped(publishedCaption(*reference_), font, plot_->width() - mine - 30));
  const QFontMetricsF metrics(textFont(0.96, QFont::DemiBold));
  const bool labels = mine >= kNarrow || both;
  measured_->setShowEndLabels(labels);
  const auto rightMargin = [&](const std::vector<Curve>& curves) {
    double width = 0;
    for (const Curve& curve : curves)
      if (curve.overlay < 0) width = std::max(width, metrics.horizontalAdvance(curve.name));
    return labels ? static_cast<int>(width) + 18 : 18;
  };
  // The findings repeat the text of the chips, so in a low chart the curves get the room.
  const int chipRows = plot_->height() < kLow ? 0 : kChartChipRows;
  const int top = chipRows > 0 && (measured_->hasMarkers() || published_->hasMarkers())
                      ? chipRows * 23 + 4
                      : 12;
  measured_->setShowChips(chipRows > 0);
  published_->setShowChips(chipRows > 0);
  measured_->rect().setMinimumMargins(
      QMargins(labels ? 64 : 48, top, rightMargin(measured_->curves()), 8));
  published_->rect().setMinimumMargins(
      both ? QMargins(56, top, rightMargin(published_->curves()), 8) : QMargins());
  card_->placeIn(plot_->size());
}

/// All of the legend where there is room; else as many rows as leave the curves theirs.
void ChartView::fitLegend() {
  const int bar = legendRoom_->verticalScrollBar()->sizeHint().width();
  const int most = std::max(kLegendLeast, height() / kLegendShare);
  const int whole = legend_->heightForWidth(width());
  const int rows = whole <= most ? whole : std::min(most, legend_->heightForWidth(width() - bar));
  if (legendRoom_->minimumHeight() == rows && legendRoom_->maximumHeight() == rows) return;
  legendRoom_->setFixedHeight(rows);
}

void ChartView::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  fitLegend();
  layout()->activate();
  arrange();
}

void ChartView::setStill(bool still) {
  measured_->picture().setStill(still);
  published_->picture().setStill(still);
}

void ChartView::setPixelRatio(double ratio) {
  plot_->setBufferDevicePixelRatio(ratio);
  plot_->replot(QCustomPlot::rpImmediateRefresh);
}

}  // namespace fusebench

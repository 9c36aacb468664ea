// SPDX-License-Identifier: GPL-3.0-or-later
// The part of ChartView that reads the curves out at the cursor.
#include <QLabel>
#include <algorithm>
#include <limits>

#include "ui/views/chart_legend.h"
#include "ui/views/chart_view.h"

namespace fusebench {
namespace {
constexpr std::size_t kMostRows = 12;
constexpr int kRoomForNotes = 620;      ///< width of the chart from which the notes fit
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
    Readout readout =
        readoutAt(*run, summaries_, measured_->content(), overlayNames(), slice_, *cursorValue_);
    std::erase_if(readout.rows,
                  [&](const ReadoutRow& row) { return !legend_->visibility().shown(row.name); });
    readout_->setText(readoutHtml(readout));
    readout_->setAccessibleName(readout.plainText());
  }
  readout_->setVisible(figures);
  placeReadout();
}

QString ChartView::readoutHtml(const Readout& readout) const {
  const bool notes = plot_->width() >= kRoomForNotes;
  const bool intervals = plot_->width() >= kRoomForIntervals;
  QString rows;
  const std::size_t shown = std::min(readout.rows.size(), kMostRows);
  const auto cell = [](const QString& text, const QString& style, bool right) {
    return QStringLiteral("<td style='%1'%2>%3</td>")
        .arg(style, right ? QStringLiteral(" align='right'") : QString(),
             text.isEmpty() ? QString() : QStringLiteral("&nbsp;&nbsp;") + text.toHtmlEscaped());
  };
  const QString muted = QStringLiteral("color:%1").arg(theme_->muted.name());
  for (std::size_t i = 0; i < shown; ++i) {
    const ReadoutRow& row = readout.rows[i];
    const QString name = row.name.toHtmlEscaped();
    rows += QStringLiteral("<tr><td style='color:%1'>%2</td>")
                .arg(theme_->series(row.series).color.name(),
                     row.faint ? name : QStringLiteral("<b>%1</b>").arg(name));
    rows += cell(row.value, row.faint ? muted : QString(), true);
    if (intervals) rows += cell(row.interval, muted, true);
    rows += cell(row.beside, row.faint ? muted : QString(), true);
    if (notes) rows += cell(row.note, muted, false);
    rows += QStringLiteral("</tr>");
  }
  if (shown < readout.rows.size())
    rows += QStringLiteral("<tr><td style='%1'>and %2 more</td></tr>")
                .arg(muted)
                .arg(readout.rows.size() - shown);
  return QStringLiteral("<b>%1</b><table cellspacing='0' cellpadding='1'>%2</table>")
      .arg(readout.title.toHtmlEscaped(), rows);
}

void ChartView::placeReadout() {
  if (!cursorValue_ || !readout_->isVisible()) return;
  readout_->adjustSize();
  // Beside the cursor, in the corner that hides the fewest points.
  const QRect area =
      measured_->rect().rect().adjusted(4, 4, measured_->rect().margins().right(), -4);
  const int at = static_cast<int>(measured_->pixelOf(*cursorValue_));
  const QSize size = readout_->size();
  const auto clamped = [&](int left) {
    return std::clamp(left, area.left(), std::max(area.left(), area.right() - size.width()));
  };
  QRect best;
  int fewest = std::numeric_limits<int>::max();
  for (const int top : {area.top(), area.bottom() - size.height()})
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

// SPDX-License-Identifier: GPL-3.0-or-later
// How the bars of an anatomy look.
#include <QPainter>
#include <QPainterPath>

#include "ui/look/part_colors.h"
#include "ui/models/base/format.h"
#include "ui/models/base/ui_text.h"
#include "ui/theme/colors.h"
#include "ui/views/anatomy/anatomy_bars.h"

namespace fusebench {
namespace {

constexpr int kWholeBar = 26, kDeviceBar = 15, kLaunchBar = 11;
constexpr double kBarLabelFrom = 46;  ///< pixels of a segment that carries a label

}  // namespace

/// The name, with a sign of whether launches are shown.
void AnatomyBars::paintLabel(QPainter& painter, const Row& row) const {
  const AnatomyBar& bar = barOf(row);
  const bool name = row.leads();
  painter.setFont(labelFont(row));
  painter.setPen(name ? theme_->text : theme_->muted);
  const QRect place(kMarginLeft + kChevron, row.top, labelWidth() - kMarginLeft - kChevron,
                    row.height);
  painter.drawText(place, Qt::AlignVCenter | Qt::AlignLeft, shownLabel(row));
  const bool opens = !bar.launches.empty() || (bar.device && !bar.device->launches.empty());
  if (!name || !opens) return;
  const QPointF middle(kMarginLeft + 5, row.top + row.height / 2.0);
  QPolygonF chevron;
  if (open_.contains(bar.variant))
    chevron << middle + QPointF(-4, -2) << middle + QPointF(0, 3) << middle + QPointF(4, -2);
  else
    chevron << middle + QPointF(-2, -4) << middle + QPointF(3, 0) << middle + QPointF(-2, 4);
  painter.setPen(QPen(theme_->muted, 1.5));
  painter.drawPolyline(chevron);
}

void AnatomyBars::paintRow(QPainter& painter, const Row& row) const {
  const bool device = row.side == Side::device;
  const int height = !row.whole() ? kLaunchBar : device ? kDeviceBar : kWholeBar;
  const QRectF line(barLeft(), row.top + (row.height - height) / 2.0, barWidth(), height);
  paintLabel(painter, row);
  if (!row.problem.isEmpty()) {
    painter.setPen(theme_->muted);
    const QString why = uiText("not recorded: %1").arg(row.problem);
    painter.drawText(
        QRectF(line.left(), row.top, width() - kMarginRight - line.left(), row.height),
        Qt::AlignVCenter,
        painter.fontMetrics().elidedText(why, Qt::ElideRight,
                                         width() - kMarginRight - static_cast<int>(line.left())));
    return;
  }
  const auto pieces = segments(row);
  if (pieces.empty()) return;
  painter.save();
  const double round = row.whole() ? 4 : 2;
  QPainterPath outline;
  outline.addRoundedRect(QRectF(line.left(), line.top(), pieces.back().to - line.left(), height),
                         round, round);
  painter.setClipPath(outline);
  for (const auto& [piece, from, to] : pieces) {
    const QColor color = partColor(*theme_, piece.part);
    painter.fillRect(QRectF(from, line.top(), to - from, height), color);
    if (!row.whole() || to - from < kBarLabelFrom) continue;
    painter.setPen(inkOn(color));
    painter.setFont(textFont(device ? 0.85 : 0.9));
    painter.drawText(QRectF(from, line.top(), to - from, height), Qt::AlignCenter,
                     pieceShare(row, piece));
  }
  painter.restore();
  // Thin lines separate adjacent parts of similar lightness, and show where shaded time ends.
  painter.setPen(QPen(theme_->panel, 1));
  for (std::size_t i = 1; i < pieces.size(); ++i)
    painter.drawLine(QPointF(pieces[i].from, line.top()), QPointF(pieces[i].from, line.bottom()));
  if (device) {
    painter.setPen(QPen(theme_->border, 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawPath(outline);
  }

  const bool strong = row.whole() && !device;
  painter.setFont(strong ? textFont() : textFont(0.9));
  painter.setPen(strong ? theme_->text : theme_->muted);
  const double end = shares_ && row.whole() ? line.right() : pieces.back().to;
  painter.drawText(QRectF(end + 8, row.top, kTotalWidth, row.height), Qt::AlignVCenter,
                   formatTime(row.total));
}

void AnatomyBars::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    const Row& row = rows_[r];
    if (static_cast<int>(r) == hovered_)
      painter.fillRect(QRect(0, row.top, width(), row.height), theme_->raised);
    if (hasFocus() && row.leads() && row.bar == current_) {
      painter.setPen(QPen(theme_->accent, 1));
      painter.setBrush(Qt::NoBrush);
      painter.drawRoundedRect(QRectF(6.5, row.top + 2.5, width() - 13, row.height - 5), 4, 4);
    }
    paintRow(painter, row);
  }
}

}  // namespace fusebench

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/canvas/canvas_frame_item.h"

#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>

#include "ui/views/canvas/canvas_style.h"

namespace fusebench {
namespace {

constexpr double kFrameRadius = 8, kFrameTitleInset = 8;

}  // namespace

CanvasFrameItem::CanvasFrameItem(const CanvasFrame& frame, int number, const QRectF& area,
                                 const Theme& theme)
    : frame_(frame), number_(number), area_(area), theme_(&theme) {
  // Under the kernels' hulls; inner frames over outer ones.
  setZValue(-2 + 0.01 * frame.depth);
}

void CanvasFrameItem::setTheme(const Theme& theme) {
  theme_ = &theme;
  update();
}

QString CanvasFrameItem::title() const {
  const QString share =
      frame_.share >= 0 ? QStringLiteral(" · ") + shareText(frame_.share) : QString();
  return QStringLiteral("▾ ") + frame_.title + share;
}

QRectF CanvasFrameItem::titleFrame() const {
  const double width = QFontMetricsF(canvas::smallFont()).horizontalAdvance(title()) + 4;
  return {area_.left() + kFrameTitleInset, area_.top() + 1,
          std::min(width, area_.width() - 2 * kFrameTitleInset), canvas::kFrameHead - 2};
}

void CanvasFrameItem::paint(QPainter* painter, const QStyleOptionGraphicsItem*, QWidget*) {
  painter->setRenderHint(QPainter::Antialiasing);
  const QColor ground = canvasGround(*theme_);
  painter->setBrush(mixed(ground, theme_->text, theme_->dark ? 0.035 : 0.025));
  painter->setPen(QPen(mixed(ground, theme_->muted, 0.6), 1, Qt::DashLine));
  painter->drawRoundedRect(area_.adjusted(0.5, 0.5, -0.5, -0.5), kFrameRadius, kFrameRadius);
  painter->setFont(canvas::smallFont());
  painter->setPen(theme_->muted);
  const QRectF room = titleFrame();
  painter->drawText(
      room, Qt::AlignLeft | Qt::AlignVCenter,
      QFontMetricsF(canvas::smallFont()).elidedText(title(), Qt::ElideRight, room.width()));
}

}  // namespace fusebench

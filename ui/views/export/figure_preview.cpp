// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/export/figure_preview.h"

#include <QPainter>

#include "ui/export/figures/figure_paint.h"
#include "ui/models/base/ui_text.h"

namespace fusebench {
namespace {

constexpr double kPreviewMargin = 16;

}  // namespace

FigurePreview::FigurePreview(QWidget* parent) : QWidget(parent) {
  setAccessibleName(uiText("Preview"));
}

void FigurePreview::setFigure(Figure figure) {
  figure_ = std::move(figure);
  setAccessibleDescription(figure_.description);
  update();
}

void FigurePreview::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.fillRect(rect(), ground_);
  if ((figure_.items.empty() && !figure_.picture) || figure_.size.isEmpty()) return;
  const QSizeF room(width() - 2 * kPreviewMargin, height() - 2 * kPreviewMargin);
  const double scale =
      std::min({1.0, room.width() / figure_.size.width(), room.height() / figure_.size.height()});
  const QSizeF size = figure_.size * scale;
  painter.translate((width() - size.width()) / 2, (height() - size.height()) / 2);
  painter.scale(scale, scale);
  paintFigure(figure_, painter);
}

}  // namespace fusebench

#include "moc_figure_preview.cpp"

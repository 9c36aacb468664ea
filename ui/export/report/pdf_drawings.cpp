// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/report/pdf_drawings.h"

#include <QPainter>

#include "ui/export/figures/figure_paint.h"

namespace fusebench {
namespace {

constexpr int kIndex = QTextFormat::UserProperty + 1;

}  // namespace

QTextCharFormat PdfDrawings::add(const PdfDrawing& drawing) {
  QTextCharFormat format;
  format.setObjectType(kType);
  format.setProperty(kIndex, static_cast<int>(all_.size()));
  all_.push_back(drawing);
  return format;
}

const PdfDrawing& PdfDrawings::at(const QTextFormat& format) const {
  return all_[static_cast<std::size_t>(format.intProperty(kIndex))];
}

QSizeF PdfDrawings::intrinsicSize(QTextDocument*, int, const QTextFormat& format) {
  return at(format).size();
}

void PdfDrawings::drawObject(QPainter* painter, const QRectF& rect, QTextDocument*, int,
                             const QTextFormat& format) {
  const PdfDrawing& drawing = at(format);
  painter->save();
  painter->translate(rect.topLeft());
  painter->scale(drawing.scale, drawing.scale);
  if (drawing.figure) {
    paintFigure(*drawing.figure, *painter);
  } else {
    // A picture is drawn as many times larger as the device's dots are smaller.
    const double dots = kUnitsPerInch / painter->device()->logicalDpiX();
    painter->scale(dots, dots);
    painter->drawPicture(0, 0, *drawing.picture->picture);
  }
  painter->restore();
}

}  // namespace fusebench

#include "moc_pdf_drawings.cpp"

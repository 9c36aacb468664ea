// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/figures/figure.h"

#include <QFontMetricsF>

#include "ui/theme/theme.h"

namespace fusebench {
namespace {

constexpr double kMeasured = 100;           ///< em at which widths are measured
constexpr double kMiddleToBaseline = 0.36;  ///< of the em: half of a capital's height

QFontMetricsF metricsOf(bool bold) {
  QFont font = textFont(1, bold ? QFont::DemiBold : QFont::Normal);
  font.setPixelSize(static_cast<int>(kMeasured));
  return QFontMetricsF(font);
}

}  // namespace

double figureTextWidth(const QString& text, double size, bool bold) {
  return metricsOf(bold).horizontalAdvance(text) * size / kMeasured;
}

QString figureElided(const QString& text, double size, double width, bool bold) {
  return metricsOf(bold).elidedText(text, Qt::ElideMiddle, width * kMeasured / size);
}

QStringList figureLines(const QString& text, double size, double width) {
  QStringList lines;
  for (const QString& word : text.split(u' ', Qt::SkipEmptyParts)) {
    if (!lines.isEmpty() && figureTextWidth(lines.back() + u' ' + word, size) <= width)
      lines.back() += u' ' + word;
    else
      lines << word;
  }
  return lines;
}

FigureItem& FigurePen::add(FigureItem::Kind kind) {
  FigureItem item;
  item.kind = kind;
  item.group = group_;
  item.clipped = clipped_;
  figure_.items.push_back(std::move(item));
  return figure_.items.back();
}

void FigurePen::group(const QString& name, bool clipped) {
  group_ = name;
  clipped_ = clipped;
}

void FigurePen::line(const QPointF& from, const QPointF& to, const FigureStroke& stroke) {
  lines({QPolygonF({from, to})}, stroke);
}

void FigurePen::lines(std::vector<QPolygonF> shapes, const FigureStroke& stroke) {
  FigureItem& item = add(FigureItem::Kind::lines);
  item.shapes = std::move(shapes);
  item.stroke = stroke;
}

void FigurePen::areas(std::vector<QPolygonF> shapes, const QColor& fill,
                      const FigureStroke& stroke) {
  FigureItem& item = add(FigureItem::Kind::areas);
  item.shapes = std::move(shapes);
  item.fill = fill;
  item.stroke = stroke;
}

void FigurePen::rect(const QRectF& rect, const QColor& fill, const FigureStroke& stroke,
                     double radius) {
  FigureItem& item = add(FigureItem::Kind::rect);
  item.rect = rect;
  item.fill = fill;
  item.stroke = stroke;
  item.radius = radius;
}

void FigurePen::ellipse(const QPointF& middle, double radius, const QColor& fill,
                        const FigureStroke& stroke) {
  FigureItem& item = add(FigureItem::Kind::ellipse);
  item.rect = QRectF(middle.x() - radius, middle.y() - radius, 2 * radius, 2 * radius);
  item.fill = fill;
  item.stroke = stroke;
}

void FigurePen::text(const QPointF& middle, const QString& text, double size, const QColor& ink,
                     Qt::AlignmentFlag anchor, bool bold, double rotation) {
  if (text.isEmpty()) return;
  FigureItem& item = add(FigureItem::Kind::text);
  item.text = text;
  const double down = kMiddleToBaseline * size;
  item.at = rotation == 0 ? middle + QPointF(0, down) : middle + QPointF(down, 0);
  item.size = size;
  item.fill = ink;
  item.anchor = anchor;
  item.bold = bold;
  item.rotation = rotation;
}

}  // namespace fusebench

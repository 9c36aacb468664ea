// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/figures/figure_paint.h"

#include <QBuffer>
#include <QFontMetricsF>
#include <QPainter>
#include <QPainterPath>
#include <QPdfWriter>
#include <cmath>

#include "ui/theme/theme.h"

namespace fusebench {
namespace {

constexpr int kPdfResolution = 1200;
constexpr double kTextLaidOut = 100;  ///< pixels of the em

QPen penOf(const FigureStroke& stroke) {
  if (!(stroke.width > 0)) return Qt::NoPen;
  QPen pen(stroke.color, stroke.width, Qt::SolidLine, Qt::FlatCap, Qt::RoundJoin);
  if (stroke.dashes.isEmpty()) return pen;
  QVector<qreal> dashes;  // QPen has them in widths
  for (const double dash : stroke.dashes) dashes << dash / stroke.width;
  pen.setDashPattern(dashes);
  return pen;
}

void paintText(const FigureItem& item, QPainter& painter) {
  QFont font = textFont(1, item.bold ? QFont::DemiBold : QFont::Normal);
  // Laid out large and drawn smaller: at its own size the letters' widths would be rounded to whole
  // pixels, and the text be wider than was reckoned with. Pixel sizes count on every device alike.
  font.setPixelSize(static_cast<int>(kTextLaidOut));
  font.setHintingPreference(QFont::PreferNoHinting);
  painter.save();
  painter.setFont(font);
  painter.setPen(item.fill);
  painter.translate(item.at);
  painter.rotate(item.rotation);
  painter.scale(item.size / kTextLaidOut, item.size / kTextLaidOut);
  const double width = figureTextWidth(item.text, kTextLaidOut, item.bold);
  const double left = item.anchor == Qt::AlignLeft    ? 0
                      : item.anchor == Qt::AlignRight ? -width
                                                      : -width / 2;
  painter.drawText(QPointF(left, 0), item.text);
  painter.restore();
}

void paintItem(const FigureItem& item, QPainter& painter) {
  if (item.kind == FigureItem::Kind::text) return paintText(item, painter);
  painter.setPen(penOf(item.stroke));
  painter.setBrush(item.fill.isValid() ? QBrush(item.fill) : QBrush(Qt::NoBrush));
  switch (item.kind) {
    case FigureItem::Kind::lines:
      for (const QPolygonF& shape : item.shapes) painter.drawPolyline(shape);
      break;
    case FigureItem::Kind::areas: {
      QPainterPath path;
      for (const QPolygonF& shape : item.shapes) {
        path.addPolygon(shape);
        path.closeSubpath();
      }
      path.setFillRule(Qt::WindingFill);
      painter.drawPath(path);
      break;
    }
    case FigureItem::Kind::rect:
      if (item.radius > 0)
        painter.drawRoundedRect(item.rect, item.radius, item.radius);
      else
        painter.drawRect(item.rect);
      break;
    case FigureItem::Kind::ellipse:
      painter.drawEllipse(item.rect);
      break;
    case FigureItem::Kind::text:
      break;
  }
}

}  // namespace

void paintFigure(const Figure& figure, QPainter& painter) {
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setRenderHint(QPainter::TextAntialiasing);
  if (figure.ground.isValid()) painter.fillRect(QRectF({0, 0}, figure.size), figure.ground);
  if (figure.picture) {
    // A picture is drawn as many times larger as the device's dots are smaller.
    const double dots = kUnitsPerInch / painter.device()->logicalDpiX();
    painter.save();
    painter.translate(figure.plot.topLeft());
    painter.scale(dots * figure.plot.width() / figure.pictureSize.width(),
                  dots * figure.plot.height() / figure.pictureSize.height());
    painter.drawPicture(0, 0, *figure.picture);
    painter.restore();
  }
  bool clipped = false;
  painter.save();
  for (const FigureItem& item : figure.items) {
    if (item.clipped != clipped) {
      painter.restore();
      painter.save();
      if (item.clipped) painter.setClipRect(figure.plot, Qt::IntersectClip);
      clipped = item.clipped;
    }
    paintItem(item, painter);
  }
  painter.restore();
  painter.restore();
}

QImage figureImage(const Figure& figure, double scale) {
  const double area = figure.size.width() * figure.size.height();
  scale = std::min(std::max(scale, 0.05), std::sqrt(kMostPixels / std::max(1.0, area)));
  QImage image((figure.size * scale).toSize(), QImage::Format_ARGB32_Premultiplied);
  if (image.isNull()) return image;
  image.fill(Qt::transparent);
  const int dotsPerMetre = static_cast<int>(std::lround(kUnitsPerInch * scale / 0.0254));
  QPainter painter(&image);
  painter.scale(scale, scale);
  paintFigure(figure, painter);
  painter.end();
  image.setDotsPerMeterX(dotsPerMetre);  // after drawing: fonts are sized by it
  image.setDotsPerMeterY(dotsPerMetre);
  return image;
}

QByteArray figurePdf(const Figure& figure) {
  QBuffer buffer;
  buffer.open(QIODevice::WriteOnly);
  {
    QPdfWriter writer(&buffer);
    writer.setResolution(kPdfResolution);
    writer.setPageSize(
        QPageSize(figure.size * 72 / kUnitsPerInch, QPageSize::Point, {}, QPageSize::ExactMatch));
    writer.setPageMargins(QMarginsF(0, 0, 0, 0));
    writer.setTitle(figure.title);
    writer.setCreator(QStringLiteral("Fusebench " FUSEBENCH_VERSION));
    QPainter painter(&writer);
    painter.scale(kPdfResolution / kUnitsPerInch, kPdfResolution / kUnitsPerInch);
    paintFigure(figure, painter);
  }
  return buffer.data();
}

}  // namespace fusebench
